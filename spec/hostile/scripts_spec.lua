-- SPDX-License-Identifier: MIT
-- No script can crash the process: each of spec/hostile/scripts.lua runs in a process of its own, and must end there.

package.path = "./?.lua;" .. package.path
local helper = require "spec.support.helper"
local hostile = require "spec.hostile.scripts"

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- What the process printed, and its status.
local function run(name, limit)
  local command = ("%stimeout 120 %s spec/hostile/scripts.lua %s 2>&1; echo \"status $?\"")
    :format(limit or "", quoted(helper.interpreter()), quoted(name))
  local pipe = assert(io.popen(command))
  local out = pipe:read "*a"
  pipe:close()
  return out
end

local sanitized = (os.getenv "WEND_BUILD" or ""):find "asan" ~= nil

local function check(name, limit)
  local out = run(name, limit)
  if not out:find "ended\nstatus 0\n$" then error(("%s: %s"):format(name, out:sub(1, 4000)), 0) end
end

describe("a process ends well that runs", function()
  for _, name in ipairs(hostile.order) do
    it(name, function() check(name) end)
    -- A frame of a sanitized function is several times as large.
    if hostile.scripts[name].deep and not sanitized then
      it(name .. ", with a C stack of 1 MB", function() check(name, "ulimit -s 1024; ") end)
    end
  end
  -- Callbacks that call the same again and again.
  if not sanitized then
    it("the specs of guards that come to an end, with a C stack of 1 MB", function()
      local pipe = assert(io.popen(("ulimit -s 1024; timeout 120 %s spec/run.lua --ignore-lua --filter='to an end' "
        .. "spec/hostile/guards_spec.lua 2>&1; echo \"status $?\""):format(quoted(helper.interpreter()))))
      local out = pipe:read "*a"
      pipe:close()
      assert.truthy(out:find "[1-9]%d* successes / 0 failures / 0 errors" and out:find "status 0\n$", out)
    end)
  end
end)
