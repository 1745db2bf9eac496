-- SPDX-License-Identifier: MIT
-- File names are UTF-8 on every system, and may be long on Windows. `make test-windows` runs this under wine.

local command = require "wend.tools.command"
local disk = require "wend.disk"
local helper = require "spec.support.helper"
local wend = require "wend"

-- The folder that make has made for a run on Windows, with a folder of a long name in it.
local FOLDER = os.getenv "WEND_FOLDER"
local DEEP = ("/" .. ("0123456789"):rep(4)):rep(7)

local NAMES = { "Größe", "地图", "Карта", "χάρτης", "خريطة", "level 🗺 one" }

local function graph()
  local g = wend.graph()
  g:add_edge(g:add_node(0, 0), g:add_node(3, 4), { weight = 7 })
  return g
end

local written = {}
local function named(name, suffix)
  local plain = os.tmpname()
  os.remove(plain)
  local file = plain .. " " .. name .. (suffix or "")
  written[#written + 1] = file
  return file
end

-- Writes a file of any name, by the command's own function.
local function write(file, text) require("wend.tools.command.output").write_file(file, text) end

describe("A file name", function()
  after_each(function()
    for _, file in ipairs(written) do disk.remove(file) end
    written = {}
  end)

  for _, name in ipairs(NAMES) do
    it("may be " .. name .. ": save writes it, replaces it, and load reads it", function()
      local file = named(name, ".wend")
      assert.is_true(wend.graph():save(file))
      assert.is_true(graph():save(file))
      assert.equal(graph():encode(), assert(wend.load(file)):encode())
      local nothing, _, code = wend.load(file .. ".part")
      assert.same({ nil, "io" }, { nothing, code })
    end)
  end

  it("that names no file appears in the message as it was given", function()
    local file = named("地图", ".wend")
    helper.fails(("%s cannot be read: %s: No such file or directory"):format(file, file), "io", wend.load, file)
    helper.fails(("cannot read %s: No such file or directory"):format(file), "io", wend.read_tiled, file)
  end)

  it("names the same file for save and for the readers", function()
    local file = named("地图", ".lua")
    write(file, [[return { orientation = "orthogonal", width = 2, height = 1, tilewidth = 8, tileheight = 8,
      tilesets = {}, layers = { { type = "tilelayer", name = "ground", x = 0, y = 0, width = 2, height = 1,
      encoding = "lua", data = { 0, 0 } } } }]])
    assert.truthy(wend.read_tiled(file))
  end)

  it("may be given to the command", function()
    local file, drawn = named("地图", ".wend"), named("рисунок", ".svg")
    assert.is_true(graph():save(file))
    local out = {}
    local stream = { write = function(_, ...) out[#out + 1] = table.concat { ... } return true end }
    assert.equal(0, command.main({ "info", file }, { stdout = stream, stderr = stream }), table.concat(out))
    assert.equal(0, command.main({ "svg", file, "-o", drawn }, { stdout = stream, stderr = stream }), table.concat(out))
    local handle = assert(disk.open(drawn, "rb"))
    assert.truthy(handle:read("*a"):find("</svg>", 1, true))
    handle:close()
  end)

  it("may be any bytes on Unix, and of the ANSI code page on Windows", function()
    local file = named "\228\246"
    assert.is_true(graph():save(file))
    assert.equal(graph():encode(), helper.read(file))
  end)

  it("may be longer than 260 characters", function()
    local folder = FOLDER or os.tmpname()
    if not FOLDER then
      os.remove(folder)
      os.execute(("mkdir -p '%s'"):format(folder .. DEEP))
    end
    local deep = folder .. DEEP
    for _, name in ipairs { "/level.wend", "/地图.wend", "/../level.wend" } do
      assert.is_true(graph():save(deep .. name))
      assert.is_true(wend.graph():save(deep .. name))
      assert.equal(wend.graph():encode(), assert(wend.load(deep .. name)):encode())
    end
    local too_long = folder .. "/" .. ("x"):rep(100000)
    assert.equal("io", (select(3, graph():save(too_long))))
    assert.equal("io", (select(3, wend.load(too_long))))
    if not FOLDER then os.execute(("rm -r '%s'"):format(folder)) end
  end)
end)

if package.config:sub(1, 1) ~= "\\" then return end

describe("On Windows", function()
  it("io.open does not find a file that save has given a name of another script", function()
    local file = named("地图", ".wend")
    assert.is_true(graph():save(file))
    assert.is_nil((io.open(file, "rb")))
    assert.truthy(wend.load(file))
  end)

  it("the folder holds the file by its name in UTF-8: make looks for this one", function()
    assert.is_true(graph():save(FOLDER .. "/kept/Größe 地图.wend"))
  end)

  it("the core gives its functions for files once", function()
    helper.raises("the parts are taken: load wend.core anew as well", wend.core.parts)
  end)

  it("an open file has read, write and close, and refuses to be used when it is closed", function()
    local file = named "地图"
    local handle = assert(disk.open(file, "wb"))
    assert.is_true(handle:write "a\0\r\n\26b")
    assert.is_true(handle:close())
    helper.raises("attempt to use a closed file", handle.close, handle)
    handle = assert(disk.open(file, "rb"))
    helper.raises("expected an open file", handle.read, {}, "*a")
    helper.raises("expected an open file", handle.read)
    assert.equal("a\0\r\n\26b", handle:read "*a")
    assert.equal("", handle:read "*a")
    assert.is_true(handle:close())
    assert.is_false(getmetatable(handle))
  end)

  it("io.open of the host is used when it has been replaced", function()
    local stock, asked = io.open, nil
    io.open = function(name) -- luacheck: ignore 122
      asked = name
      return nil, name .. ": not for you", 13
    end
    local _, message, code = wend.load "地图.wend"
    io.open = stock -- luacheck: ignore 122
    assert.same({ "地图.wend", "io" }, { asked, code })
    assert.equal("地图.wend cannot be read: 地图.wend: not for you", message)
  end)
end)
