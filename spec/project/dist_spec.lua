-- SPDX-License-Identifier: MIT
-- What a release consists of. `make check-dist` installs it.
local helper = require "spec.support.helper"
local wend = require "wend"

---The values of a rockspec.
local function values(text)
  local spec = {}
  assert(load(text, "=rockspec", "t", spec))()
  return spec
end

describe("the version", function()
  it("is the same in the header, the core and the module", function()
    local header = helper.read "src/wend.h":match '#define WEND_VERSION "([^"]*)"'
    assert.truthy(header:find "^%d+%.%d+%.%d+$")
    assert.same({ header, "wend " .. header }, { wend.core.version, wend._VERSION })
  end)

  it("is written once in the header, and not in the rockspec of a checkout", function()
    local header = helper.read "src/wend.h"
    local _, count = header:gsub("%f[%d]" .. wend.core.version:gsub("%.", "%%.") .. "%f[^%d.]", "")
    assert.equal(1, count)
    assert.equal("dev-1", helper.read "wend-dev-1.rockspec":match '\nversion = "([^"]*)"')
  end)
end)

describe("spec/dist.lua", function()
  if _VERSION < "Lua 5.3" then
    it("makes a rockspec and a rock", function() return pending "spec/dist.lua needs Lua 5.3" end)
    return
  end
  local dist = require "spec.dist"
  local dev = helper.read "wend-dev-1.rockspec"

  it("makes the rockspec of a release, which differs from that of a checkout in version and source only", function()
    local release = values(dist.rockspec(dev, wend.core.version, "https://example.org/wend.tar.gz", "0123"))
    assert.equal(wend.core.version .. "-1", release.version)
    assert.same({ url = "https://example.org/wend.tar.gz", md5 = "0123" }, release.source)
    local expected = values(dev)
    expected.version, expected.source = release.version, release.source
    assert.same(expected, release)
  end)

  it("allows the Luas from 5.1 to 5.5", function()
    assert.same({ "lua >= 5.1, < 5.6" }, values(dev).dependencies)
  end)

  it("refuses a rockspec that is no checkout's", function()
    assert.error_matches(function() dist.rockspec("package = 'wend'\n", "1.0.0", "x") end, "has the version dev%-1")
  end)

  it("reads the version in wend.h", function()
    assert.equal(wend.core.version, dist.version(helper.read "src/wend.h"))
    assert.error_matches(function() dist.version "#define WEND_VERSION 1\n" end, "wend.h names no version")
  end)

  it("makes a zip file, byte by byte", function()
    local function byte(digits) return string.char(tonumber(digits, 16)) end
    local function hex(text) return (text:gsub("%s", ""):gsub("%x%x", byte)) end
    -- The CRC-32 of "123456789" is cbf43926.
    local fields = hex "1400 0000 0000 0000 2100 2639f4cb 09000000 09000000 0100 0000"
    assert.equal("PK\3\4" .. fields .. "a123456789"
      .. "PK\1\2" .. hex "1403" .. fields .. hex "0000 0000 0000 0000a481 00000000" .. "a"
      .. "PK\5\6" .. hex "0000 0000 0100 0100 2f000000 28000000 0000",
      dist.zip { { "a", "123456789" } })
  end)
end)
