-- SPDX-License-Identifier: MIT
-- What a release promises: files of every released version keep loading, and the changelog has the version.
local golden = require "spec.golden"
local helper = require "spec.support.helper"
local wend = require "wend"

local function list_of(command)
  local pipe, list = assert(io.popen(command)), {}
  for line in pipe:lines() do list[#list + 1] = line end
  pipe:close()
  return list
end

---The golden files of a folder: bytes by name.
local function files_of(folder)
  local files = {}
  for _, path in ipairs(list_of("ls spec/golden/" .. folder .. "/*.wend")) do
    files[path:match "([^/]*)%.wend$"] = helper.read(path)
  end
  return files
end

local released = list_of "cd spec/golden && ls -d [0-9]*.[0-9]*.[0-9]* 2>/dev/null"

describe("golden files", function()
  for _, version in ipairs(released) do
    it("of a release give the same objects as ever: " .. version, function()
      assert.is_nil(golden.compare(files_of(version)))
    end)
  end

  it("that give another object, or none, are found", function()
    local files = files_of "v2"
    assert.is_nil(golden.compare(files))
    files.grid_linked = files.grid_cells
    assert.equal("grid_linked gives another object than before", golden.compare(files))
    files.grid_linked = "wend"
    assert.matches("^grid_linked: ", golden.compare(files))
    files.no_such = files.grid
    assert.equal("no_such is not in the list of spec/golden.lua", golden.compare(files))
  end)
end)

describe("CHANGELOG.md", function()
  local versions = {}
  for title in helper.read "CHANGELOG.md":gmatch "\n## ([^\n]+)" do versions[#versions + 1] = title end

  it("begins with this version, which is not released or has a date", function()
    local version = wend.core.version:gsub("%.", "%%.")
    assert.truthy(versions[1]:find("^Unreleased: " .. version .. "$")
      or versions[1]:find("^" .. version .. ", %d%d%d%d%-%d%d%-%d%d$"), versions[1])
  end)

  it("has a date for each version with golden files, and golden files for each with a date", function()
    local dated = {}
    for _, title in ipairs(versions) do dated[#dated + 1] = title:match "^(%d+%.%d+%.%d+), " end
    table.sort(dated)
    table.sort(released)
    assert.same(released, dated)
  end)
end)
