-- SPDX-License-Identifier: MIT
--- The command wend, for level designers and build servers: it inspects, checks, draws and converts maps.
--
-- main(list, streams) runs a command and returns the exit status. 0: success. 1: there are findings, or there is no
-- path. 2: an error. Results go to standard output, and messages to standard error.

local arguments = require "wend.tools.command.arguments"
local output = require "wend.tools.command.output"
local printable = require("wend.tools.command.text").printable

local command = {}

--- The message of an error on one line, without a position in these files.
local function sentence(problem)
  local text = type(problem) == "table" and problem.message or tostring(problem)
  return printable((text:gsub("^[^\n:]*command[/\\]%l+%.lua:%d+: ", ""):gsub("\n.*", "")))
end

--- Runs the command that the arguments name. Returns the exit status. Errors raise.
local function run_command(context, list)
  local one, result, parser = arguments.parse(list)
  if one then
    context.arguments, context.parser = result, parser
    return one.run(context)
  elseif result.asked then
    output.say(context, "%s", result.asked)
    return output.FINE
  end
  context.stderr:write(result.usage, "\n")
  return output.FAILED
end

---@class wend.Streams
---@field stdout { write: fun(self: table, ...: string) }
---@field stderr { write: fun(self: table, ...: string) }
---@field terminal? boolean whether both are a terminal; default: the system is asked about those of io

--- Runs the command that the arguments name.
---@param list string[]
---@param streams? wend.Streams default: io
---@return integer status 0, 1 or 2; it never raises
function command.main(list, streams)
  streams = streams or rawget(_G, "io")
  local context = { stdout = streams.stdout, stderr = streams.stderr, terminal = streams.terminal, arguments = {} }
  local copy = {} -- the table arg also holds the interpreter and the script, at indices below 1
  for i = 1, #list do
    copy[i] = list[i]
  end
  local ok, status = pcall(run_command, context, copy)
  if ok then
    return status
  end
  context.stderr:write("wend: ", sentence(status), "\n")
  return output.FAILED
end

return command
