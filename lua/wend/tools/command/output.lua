-- SPDX-License-Identifier: MIT
--- The command wend: output and failures.
--
-- A command fails by raising a table with a message. main writes the message to standard error.

local disk = require "wend.disk"

local output = {}

-- Exit statuses: success; findings, or no path; an error.
output.FINE, output.FINDINGS, output.FAILED = 0, 1, 2

--- Makes the command fail. The arguments are those of string.format.
function output.fail(...)
  error({ message = string.format(...) }, 0)
end

--- Returns the result of a call that may fail. If there is none, the command fails with the call's message.
function output.must(result, message)
  if result == nil then
    error({ message = message }, 0)
  end
  return result
end

--- Writes a line to standard output. The arguments are those of string.format.
function output.say(context, ...)
  local ok, message = context.stdout:write(string.format(...), "\n")
  if ok == nil or ok == false then
    output.fail("cannot write: %s", message or "unknown error")
  end
end

local NUMBERS = { stdout = 1, stderr = 2 }

--- Whether a stream of the context, "stdout" or "stderr", is a terminal. The shell knows; on Windows nobody is asked.
function output.is_terminal(context, name)
  local io = rawget(_G, "io")
  if context.terminal ~= nil then
    return context.terminal
  elseif context[name] ~= io[name] or package.config:sub(1, 1) == "\\" then
    return false
  end
  local status = os.execute("test -t " .. NUMBERS[name])
  return status == true or status == 0 -- Lua 5.1 returns a number
end

--- Writes a text to a file.
function output.write_file(file, text)
  local handle, message = disk.open(file, "wb")
  if not handle then
    output.fail("cannot write %s", message)
  end
  local ok
  ok, message = handle:write(text)
  local closed, at_close = handle:close()
  if not ok or not closed then
    output.fail("cannot write %s: %s", file, message or at_close or "unknown error")
  end
end

--- Writes a line of two columns: a name and a value.
function output.fact(context, what, ...)
  output.say(context, "%s", (("%-13s %s"):format(what .. ":", string.format(...)):gsub(" +$", "")))
end

return output
