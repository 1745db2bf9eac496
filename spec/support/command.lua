-- SPDX-License-Identifier: MIT
-- What the specs of the command share: they run it with streams of their own, and give it files.

local assert = require "luassert"
local command = require "wend.tools.command"
local helper = require "spec.support.helper"

local shared = {}

local function stream()
  local self = { text = "" }
  function self.write(_, ...)
    self.text = self.text .. table.concat { ... }
    return self
  end
  return self
end

--- Runs the command: its exit status, standard output, standard error.
-- @param terminal whether these are a terminal
function shared.run(arguments, terminal)
  local streams = { stdout = stream(), stderr = stream(), terminal = terminal }
  local status = command.main(arguments, streams)
  return status, streams.stdout.text, streams.stderr.text
end

--- Asserts all three.
function shared.runs(status, stdout, stderr, ...)
  assert.same({ status, stdout, stderr }, { shared.run { ... } })
end

--- Asserts that it could not be done, and why.
function shared.fails(message, ...)
  shared.runs(2, "", "wend: " .. message .. "\n", ...)
end

--- The name of a file that is not there, and that is removed afterwards.
function shared.new_file(suffix)
  local name = helper.file("", suffix)
  os.remove(name)
  return name
end

--- A file of an object.
function shared.saved(object, suffix)
  local file = helper.file("", suffix or ".wend")
  assert(object:save(file))
  return file
end

return shared
