-- SPDX-License-Identifier: MIT
-- wend.read_tiled on the files that Tiled itself writes: .tmx and .tmj with .tsx, .tsj and .tx. tiled_spec.lua has what
-- a map means; here each file must give the same level as the Lua export of the same map.
local core = require "wend.core"
local damage = require "spec.support.damage"
local helper = require "spec.support.helper"
local wend = require "wend"

local WORLD = "spec/tools/tiled/world"    -- world.tmx, from which Tiled 1.8.2 exported world.lua and world.tmj

after_each(helper.clean)

-- How a map of the same folder names a file.
local function beside(name) return (name:match "[^/]*$") end

local function level_of(file) return assert(wend.read_tiled(file)) end

--- A map of 2 x 1 tiles in XML. `data` is the element of its tiles; more layers may follow.
local function tmx(data, more, tilesets)
  return ('<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" orientation="orthogonal" width="2" height="1" '
    .. 'tilewidth="8" tileheight="8" infinite="0">\n%s<layer id="1" name="g" width="2" height="1">%s</layer>%s</map>\n')
    :format(tilesets or ' <tileset firstgid="1" name="t" tilecount="3" columns="3"><image source="t.png"/>'
      .. '<tile id="1" class="road"/></tileset>\n', data, more or "")
end

local CSV = '<data encoding="csv">1,2</data>'

--- The same in JSON.
local function tmj(data, more)
  return ('{ "type":"map", "orientation":"orthogonal", "width":2, "height":1, "tilewidth":8, "tileheight":8, '
    .. '"tilesets":[{"firstgid":1, "name":"t", "image":"t.png", "tilecount":3, "tiles":[{"id":1, "type":"road"}]}], '
    .. '"layers":[{"type":"tilelayer", "name":"g", "width":2, "height":1, %s}%s]}'):format(data, more or "")
end

local function read(text, suffix) return wend.read_tiled(helper.file(text, suffix or ".tmx")) end

--- Asserts that a file with this text is refused.
local function refuses(expected, text, code)
  local file = helper.file(text, ".tmx")
  helper.fails(file .. ": " .. expected, code or "format", wend.read_tiled, file)
end

local function tag(level, x) return select(2, level.grid:get(x, 1)) end

describe("wend.read_tiled", function()
  it("gives the same level for a file of Tiled as for its Lua export", function()
    for name, files in pairs {
      ["examples/tiled/ford"] = { "examples/tiled/ford.tmx" }, ["examples/tiled/quay"] = { "examples/tiled/quay.tmx" },
      [WORLD] = { WORLD .. ".tmx", WORLD .. ".tmj" },
    } do
      local export = level_of(name .. ".lua")
      for _, file in ipairs(files) do
        local level = level_of(file)
        assert.equal(export:encode(), level:encode(), file)
        assert.same(export.names, level.names)
      end
    end
  end)

  it("reads chunks, groups, templates, and names in all scripts from them", function()
    for _, suffix in ipairs { ".tmx", ".tmj" } do
      local level = level_of(WORLD .. suffix)
      assert.same({ 8, 8, 3 }, { level.width, level.height, #level.grids })
      assert.equal("grid", wend.type(level.grids['grund & "boden" <\195\188>']))
      assert.same({ x = 20.25, y = 0.25 }, level.names["W\195\164chter"])
      assert.same({ 2.5, 4 }, { level.graph:radius "gate", level.graph:radius "second" })
      assert.same({ 3, 3 }, { level.graph:node_count(), level.walls:count() })
    end
  end)

  it("reads tiles in every format that Tiled has but zstd", function()
    for _, data in ipairs {
      CSV, '<data encoding="csv">\n1,\r\n2\n</data>', '<data><tile gid="1"/><tile gid="2"></tile></data>',
      '<data encoding="base64">\n   AQAAAAIAAAA=\n  </data>',
      '<data encoding="base64" compression="zlib">eJxjZGBgYAJiAAAYAAQ=</data>',
      '<data encoding="base64" compression="gzip">H4sIAAAAAAACA2NkYGBgAmIAfBeBAwgAAAA=</data>',
    } do
      local level = assert(read(tmx(data)))
      assert.same({ n = 2, nil, "road" }, { n = 2, tag(level, 1), tag(level, 2) }, data)
    end
    for _, data in ipairs {
      '"data":[1, 2]', '"data":[1,2], "encoding":"csv", "compression":""',
      '"encoding":"base64", "data":"AQAAAAIAAAA="',
      '"encoding":"base64", "compression":"zlib", "data":"eJxjZGBgYAJiAAAYAAQ="',
    } do
      assert.equal("road", tag(assert(read(tmj(data))), 2), data)
    end
    local _, message, code = read(tmx '<data encoding="base64" compression="zstd">KLUv/SAI</data>')
    assert.equal("format", code)
    assert.truthy(message:find("layer 'g': its tiles are compressed by 'zstd', expected zlib or gzip", 1, true))
  end)

  it("reads the tilesets that a Lua export names, beside the file", function()
    local export = helper.read(WORLD .. ".lua")
    assert.truthy(export:find('filename = "parts/tiles.tsx"', 1, true))
    local _, message, code = wend.read_tiled(assert((loadstring or load)(export))())
    assert.equal("format", code)
    assert.truthy(message:find("tileset 'tiles': it is in a file of its own, 'parts/tiles.tsx': read the map from its "
      .. "file", 1, true))
  end)

  it("tells the kind of a file by its first bytes, whatever its name", function()
    for _, suffix in ipairs { "", ".lua", ".json", ".xml" } do
      assert.equal("road", tag(assert(read("\239\187\191 \n" .. tmj '"data":[1, 2]', suffix)), 2))
      assert.equal("road", tag(assert(read("\239\187\191" .. tmx(CSV), suffix)), 2))
    end
  end)

  it("fails with the name of a tileset or template that is missing", function()
    local text = tmx(CSV, "", '<tileset firstgid="1" source="no-such.tsx"/>')
    local file = helper.file(text)
    helper.fails(("cannot read %sno-such.tsx, a tileset that %s names: there is no such file")
      :format(file:match "^.*[/\\]", file), "io", wend.read_tiled, file)
    file = helper.file(tmx(CSV, '<objectgroup><object id="1" template="no/such.tx" x="1" y="2"/></objectgroup>'))
    helper.fails(("cannot read %sno/such.tx, a template that %s names: there is no such file")
      :format(file:match "^.*[/\\]", file), "io", wend.read_tiled, file)
  end)

  it("opens no other files than those of Tiled", function()
    for _, name in ipairs { "/dev/zero", "../../etc/passwd", "x.tsx/../../dev/tty", "" } do
      refuses(("the name of a tileset must end in .tsx, .tsj, .tx, .tj, .json or .xml, got '%s'"):format(name),
        tmx(CSV, "", ('<tileset firstgid="1" source="%s"/>'):format(name)))
    end
  end)

  it("names the file and the line of a defect in a tileset", function()
    local set = helper.file("<tileset>\n<tile>\n</tileset>", ".tsx")
    refuses(beside(set) .. ", line 3: expected </tile>, got '</tileset>'",
      tmx(CSV, "", ('<tileset firstgid="1" source="%s"/>'):format(beside(set))))
    set = helper.file('{ "type":"tileset", "tiles":[ { "id":1, "properties":[{"name":"tag","value":5}] } ] }', ".tsj")
    refuses(beside(set) .. ", tile 1: properties: tag must be a string, got 5",
      tmx(CSV, "", ('<tileset firstgid="1" source="%s"/>'):format(beside(set))))
    refuses(beside(set) .. ": expected a template, got 'tileset'",
      tmx(CSV, ('<objectgroup><object id="1" template="%s" x="1" y="2"/></objectgroup>'):format(beside(set))))
  end)
end)

describe("a map in XML", function()
  it("may have comments, CDATA, references, either quotes, and a document type without declarations", function()
    local level = assert(read((tmx("<data encoding='csv'><!-- <a> -->1,<![CDATA[2]]></data\n>",
      '<objectgroup><object id="1" name="&#65;&#x1F600;&lt;&amp;&quot;&apos;&gt;" x="1" y="1e0"/></objectgroup>')
      :gsub("%?>", '?>\n<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">\n<?a b?>', 1))))
    assert.equal("road", tag(level, 2))
    assert.same({ ["A\240\159\152\128<&\"'>"] = { x = 1, y = 1 } }, level.names)
  end)

  for what, case in pairs {
    ["no map"] = { "<tileset/>", "expected a map, got 'tileset'" },
    ["an element without an end"] = { "<map>\n<layer>", "line 2: expected </layer>, got the end" },
    ["another end"] = { "<map>\n</layer>", "line 2: expected </map>, got '</layer>'" },
    ["more than one element"] = { "<map/>\n<map/>", "line 2: expected the end, got '<map/>'" },
    ["text after the map"] = { "<map/>\nmore", "line 2: expected an element, got 'more'" },
    ["an attribute without quotes"] = { "<map width=5>", "line 1: expected an attribute or '>', got ' width=5>'" },
    ["a value without an end"] = { '<map a="b>', "line 1: a value in quotes without an end" },
    ["an attribute twice"] = { '<map a="1" a="2"/>', "line 1: two attributes a" },
    ["a comment without an end"] = { "<map><!-- </map>", "line 1: a comment without an end" },
    ["CDATA without an end"] = { "<map><![CDATA[ </map>", "line 1: CDATA without an end" },
    ["an unknown entity"] = { "<map>&nbsp;</map>", "line 1: unknown entity &nbsp" },
    ["an entity without an end"] = { "<map>a & b</map>", "line 1: unknown entity & b" },
    ["entities of its own"] = { '<!DOCTYPE map [<!ENTITY a "aaaa">]>\n<map/>',
      "line 1: expected an element, got '<!DOCTYPE map [<!ENTITY a \"aaaa\">]>'" },
    ["another encoding"] = { '<?xml version="1.0" encoding="UTF-16"?><map/>',
      "line 1: the encoding is 'UTF-16', expected UTF-8" },
    ["elements in elements"] = { ("<a>"):rep(100000), "line 1: elements nested more than 100 deep" },
    ["a size that is no number"] = { (tmx(CSV):gsub('width="2"', 'width="0x2"', 1)),
      "width must be a whole number in 1 .. 2147483647, got '0x2'" },
    ["a size that is infinite"] = { (tmx(CSV):gsub('width="2"', 'width="1e999"', 1)),
      "width must be a whole number in 1 .. 2147483647, got inf" },
    ["tiles that are no numbers"] = { tmx '<data encoding="csv">1,x</data>',
      "layer 'g': data must be numbers and commas, got a 'x' in it" },
    ["too many tiles"] = { tmx '<data encoding="csv">1,2,3</data>', "layer 'g': data must be 2 tiles, got 3" },
    ["no tiles"] = { tmx "", "layer 'g': data must be a table, got nil" },
    ["a flag that is none"] = { tmx(CSV .. '<properties><property name="closed" type="bool" value="x"/></properties>'),
      "layer 'g': properties: closed must be true or false, got 'x'" },
    ["a damaged position"] = { tmx(CSV, '<objectgroup name="o"><object id="4" x="1" y="2"><polyline points="1,2 3"/>'
      .. "<properties><property name='wall' type='bool' value='true'/></properties></object></objectgroup>"),
      "layer 'o', object 4, polyline[2]: y must be a finite number, got ''" },
  } do
    it("gives 'format' and the place for " .. what, function() refuses(case[2], case[1]) end)
  end
end)

describe("a map in JSON", function()
  it("may have every escape and null", function()
    local level = assert(read(tmj('"data":[1, 2], "id":null',
      [[, {"type":"objectgroup", "name":null, "objects":[{]]
        .. [["x":1, "y":-1.5e0, "name":"\u0041\ud83d\ude00\/\\\"\n\u00fc\ud83d"}]}]])))
    assert.same({ ['A\240\159\152\128/\\"\n\195\188\239\191\189'] = { x = 1, y = -1.5 } }, level.names)
  end)

  for what, case in pairs {
    ["a tileset"] = { '{ "type":"tileset" }', "expected a map, got 'tileset'" },
    ["no comma"] = { '{ "a":1 "b":2 }', "line 1: expected ',' or '}', got '\"'" },
    ["a comma too many"] = { '{ "a":[1,\n2,] }', "line 2: expected a value, got ']'" },
    ["no colon"] = { '{ "a" 1 }', "line 1: expected ':', got '1'" },
    ["a name without quotes"] = { "{ a:1 }", "line 1: expected a name in quotes, got 'a'" },
    ["a comment"] = { '{ -- a\n"a":1 }', "line 1: expected a name in quotes, got '-'" },
    ["an unknown escape"] = { '{ "a":"\\x41" }', "line 1: unknown escape \\x" },
    ["an unknown word"] = { '{ "a":nil }', "line 1: expected a value, got 'nil'" },
    ["no end"] = { '{ "a":[', "line 1: expected a value, got the end" },
    ["more after the end"] = { "{}\n{}", "line 2: expected the end, got '{'" },
    ["lists in lists"] = { ("["):rep(100000), "line 1: values nested more than 100 deep" },
    ["tiles as Tiled 1.0 wrote them"] = { '{ "tilesets":[{"firstgid":1, "tileproperties":{"1":{"tag":"road"}}}] }',
      "tilesets[1]: the JSON is of Tiled before 1.2: open the file in a newer Tiled, and save it" },
    ["layers that are none"] = { tmj('"data":[1, 2]', ", 5"), "layers[2] must be a table, got 5" },
    ["no list of properties"] = { tmj '"data":[1, 2], "properties":5', "layer 'g': properties must be a table, got 5" },
    ["no list of objects"] = { tmj('"data":[1, 2]', ', {"type":"objectgroup", "name":"o", "objects":5}'),
      "layer 'o': objects must be a table, got 5" },
  } do
    it("gives 'format' and the place for " .. what, function() refuses(case[2], case[1]) end)
  end
end)

describe("a hostile file of Tiled", function()
  it("cannot unpack more than its map has tiles", function()
    local bomb = "eJztwTEBAAAAwqD1T20ND6" .. ("A"):rep(134) -- 100,000 zeros, but for the end
    refuses("layer 'g': data must be 8 bytes when unpacked, got more",
      tmx(('<data encoding="base64" compression="zlib">%s</data>'):format(bomb)))
  end)

  it("cannot be made huge by a template or a tileset that it uses many times", function()
    local template = helper.file('<template><object type="wall"><polyline points="' .. ("0,0 1,1 "):rep(10000)
      .. '"/></object></template>', ".tx")
    refuses("objects have more than 1000000 points from templates", tmx(CSV, "<objectgroup>"
      .. ('<object x="1" y="2" template="%s"/>'):format(beside(template)):rep(10000) .. "</objectgroup>"))
    local set = helper.file("<tileset>" .. ('<tile id="1" class="road"/>'):rep(10000) .. "</tileset>", ".tsx")
    local sets = {}
    for i = 1, 10000 do sets[i] = ('<tileset firstgid="%d" source="%s"/>'):format(i, beside(set)) end
    local from = os.clock()
    assert.equal("road", tag(assert(read(tmx('<data encoding="csv">1,10001</data>', "", table.concat(sets)))), 2))
    assert.truthy(os.clock() - from < 5)
  end)

  it("takes time by its length, however it is damaged", function()
    for _, piece in ipairs {
      "<!--", "<![CDATA[", "<?a ", "<a b='", "<a ", "</", "&amp", "<!DOCTYPE", "<a>", " ", "&",
    } do
      for _, head in ipairs { "", "<map>", "<map " } do
        local from = os.clock()
        local _, _, code = read(head .. piece:rep(math.floor(200000 / #piece)))
        assert.equal("format", code)
        assert.truthy(os.clock() - from < 5, piece)
      end
    end
    for _, piece in ipairs { '"', "{", "[", "\\u", '{"a":', "1", "1,", " ", "-", '"\\', "[]" } do
      local from = os.clock()
      local _, _, code = read('{ "layers":' .. piece:rep(math.floor(200000 / #piece)))
      assert.equal("format", code)
      assert.truthy(os.clock() - from < 5, piece)
    end
  end)

  it("gives 'format' when it is cut off at any byte, and never raises, whatever byte is damaged", function()
    for _, whole in ipairs {
      tmx(CSV, '<objectgroup><object id="1" name="n" type="node" x="1" y="2"><point/></object></objectgroup>')
        :gsub("%s+$", ""), tmj('"data":[1, 2]', ', {"type":"objectgroup","objects":[{"x":1,"y":2,"point":true}]}'),
    } do
      damage.cut(whole, read)
      damage.bytes("read_tiled files", 1000, whole, read, { "{", "}", "[", "]", "<", ">", "/>", "\"", "9", "-", "", "&",
        "null", "<!--", "<data>", "</layer>", "true", ":" }, 9)
    end
  end)
end)

describe("zlib data", function()
  local PACKED = "\120\156\099\100\096\096\096\002\098\000\000\024\000\004"

  it("is unpacked as gzip data is", function()
    assert.equal("\1\0\0\0\2\0\0\0", core.unpack(PACKED, 8))
    assert.same({ n = 3, nil, 7, "budget" }, { n = 3, core.unpack(PACKED, 7) })
  end)

  it("is 'format' where a byte is missing, added or damaged", function()
    for length = 0, #PACKED - 1 do assert.equal("format", select(3, core.unpack(PACKED:sub(1, length), 8))) end
    assert.equal("format", select(3, core.unpack(PACKED .. "\0", 8)))
    for at = 1, #PACKED do
      local other = PACKED:sub(1, at - 1) .. string.char((PACKED:byte(at) + 1) % 256) .. PACKED:sub(at + 1)
      assert.is_nil((core.unpack(other, 8)), at)
    end
  end)
end)
