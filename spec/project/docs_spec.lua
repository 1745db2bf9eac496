-- SPDX-License-Identifier: MIT
-- The documentation cannot drift: every public name is in it, and what it says programs print is what they print.
local helper = require "spec.support.helper"
local reference = require "tools.reference"
local wend = require "wend"

-- What is there for the module itself; and what is gone, and raises.
local PRIVATE = { ["core.costs_class"] = true, ["core.parts"] = true, ["search:restarts"] = true,
  ["search:stale"] = true, ["request:stale"] = true }

local read, files = helper.read, helper.files

-- Pages whose programs run, and pages whose links alone are checked.
local PAGES = files "README.md doc/*.md doc/api/*.md"
local LINKING = files "*.md doc/*.md doc/api/*.md bench/*.md"

local unpack = table.unpack or unpack -- luacheck: ignore 143

local function starts_with(text, start) return text:sub(1, #start) == start end

-- Programs ---------------------------------------------------------------------------------------------------------

-- Lua 5.1, 5.2 and LuaJIT print 9.0 as 9.
local function as_printed_here(text)
  if math.type then return text end
  return (text:gsub("(%d)%.0%f[^%w.]", "%1"))
end

-- Lua 5.5 prints up to 17 digits of a float, the Luas before it 14. Digits between points are part of a picture.
local function with_14_digits(text)
  if _VERSION < "Lua 5.5" then return text end
  return (text:gsub("%f[%d.]%d+%.%d+%f[^%d.]", function(number)
    return #number > 15 and ("%.14g"):format(number) or nil
  end))
end

---Runs a chunk with print and io.write into a list, and without arguments or real maps. Returns the output so far.
local function run(source, name, extra)
  local out = {}
  local function write(...)
    for i = 1, select("#", ...) do out[#out + 1] = tostring((select(i, ...))) end
  end
  local function print(...)
    for i = 1, select("#", ...) do write(i > 1 and "\t" or "", (select(i, ...))) end
    write "\n"
  end
  local env = setmetatable({
    print = print,
    io = setmetatable({ write = write }, { __index = io }),
    os = setmetatable({ getenv = function(key) return key ~= "WEND_DATA" and os.getenv(key) or "no such folder" end },
      { __index = os }),
    arg = { [0] = name },
  }, { __index = _G })
  local function output() return with_14_digits(table.concat(out)) end
  for key, value in pairs(extra and extra(output) or {}) do env[key] = value end
  local chunk
  if setfenv then
    chunk = setfenv(assert(loadstring(source, "@" .. name)), env)
  else
    chunk = assert(load(source, "@" .. name, "t", env))
  end
  chunk()
  return output()
end

---The fenced blocks of a page: { language, first line, text }.
local function blocks(text)
  local list, open, number = {}, nil, 0
  for line in (text .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    local fence = line:match "^```(.*)$"
    if open and fence then
      open.text = table.concat(open, "\n") .. "\n"
      open = nil
    elseif fence then
      open = { language = fence, line = number + 1 }
      list[#list + 1] = open
    elseif open then
      open[#open + 1] = line
    end
  end
  assert(not open, "a block is not closed")
  return list
end

---A page without its fenced blocks.
local function prose(text)
  local lines, inside = {}, false
  for line in (text .. "\n"):gmatch "(.-)\n" do
    local fence = starts_with(line, "```")
    if not (inside or fence) then lines[#lines + 1] = line end
    inside = inside ~= fence
  end
  return table.concat(lines, "\n")
end

---The targets of the links and images of a page.
local function links(text)
  local list = {}
  for target in prose(text):gmatch "%]%(([^)%s]+)%)" do list[#list + 1] = target end
  return list
end

---The anchors of the headings of a page, as GitHub makes them.
local function anchors(text)
  local set = {}
  for title in ("\n" .. prose(text)):gmatch "\n#+ ([^\n]+)" do
    local anchor = title:lower():gsub("[^%w%- _]", ""):gsub(" ", "-")
    local name, count = anchor, 0
    while set[name] do
      count = count + 1
      name = anchor .. "-" .. count
    end
    set[name] = true
  end
  return set
end

---The file that a link of a page leads to.
local function resolved(page, target)
  local path = (page:match "^.*/" or "") .. target
  while path:find "[^/]+/%.%./" do path = path:gsub("[^/]+/%.%./", "", 1) end
  return path
end

---All Lua blocks of a page as one program, each at its line; after a block that a text block follows, a call of check.
---If each of them loads wend, they are programs of their own. They have more locals than one function may have.
local function program(list)
  local lines, expected, last = {}, {}, 0
  local alone = true
  for _, block in ipairs(list) do
    alone = alone and (block.language ~= "lua" or starts_with(block[1], "local wend"))
  end
  for i, block in ipairs(list) do
    if block.language == "lua" then
      for l, line in ipairs(block) do lines[block.line + l - 1] = line end
      if alone then lines[block.line] = "do " .. block[1] end
      local next_one = list[i + 1]
      local shown = next_one and next_one.language == "text" and next_one.line <= block.line + #block + 3
      expected[block.line] = shown and next_one.text or ""
      lines[block.line + #block] = ("check(%d)%s"):format(block.line, alone and " end" or "")
    end
  end
  for line in pairs(lines) do last = math.max(last, line) end
  for line = 1, last do lines[line] = lines[line] or "" end
  return table.concat(lines, "\n"), expected
end

describe("the documentation", function()
  -- One program prints the garbage it makes. The objects of LuaJIT's compiler would count.
  before_each(function() if jit then jit.off() jit.flush() end end)
  after_each(function() if jit then jit.on() end end)

  for _, page in ipairs(PAGES) do
    it("holds programs that run, and print what it says: " .. page, function()
      local source, expected = program(blocks(read(page)))
      local checked, before = 0, 0
      run(source, page, function(output)
        return {
          check = function(line)
            checked = checked + 1
            local text = output()
            assert.equal(as_printed_here(expected[line]), text:sub(before + 1), page .. ":" .. line)
            before = #text
          end,
        }
      end)
      local wanted = 0
      for _ in pairs(expected) do wanted = wanted + 1 end
      assert.equal(wanted, checked)
    end)
  end

  for _, page in ipairs(LINKING) do
    it("links to files and headings that are there: " .. page, function()
      for _, link in ipairs(links(read(page))) do
        local target, heading = link:match "^([^#]*)#?(.*)$"
        if not target:find "^%a+:" then
          local file = target == "" and page or resolved(page, target)
          local handle = io.open(file)
          assert.truthy(handle, page .. " links to " .. link)
          handle:close()
          if heading ~= "" then
            assert.truthy(anchors(read(file))[heading], page .. " links to " .. link)
          end
        end
      end
    end)
  end

  -- Tables, programs and their output may be wider.
  for _, page in ipairs(files "*.md doc/*.md doc/api/*.md bench/*.md spec/*.md") do
    it("has lines of at most 120 characters: " .. page, function()
      local number, fenced = 0, false
      for line in (read(page) .. "\n"):gmatch "(.-)\n" do
        local width = select(2, line:gsub("[^\128-\191]", ""))
        number = number + 1
        if line:find "^ *```" then fenced = not fenced end
        if width > 120 and not fenced and not line:find "^|" and not line:find "^    %S" and not line:find "^!%[" then
          error(("%s:%d: %d characters"):format(page, number, width), 0)
        end
      end
    end)
  end

  it("is named in the README, every page", function()
    local text = read "README.md"
    for _, page in ipairs(files "doc/*.md") do
      assert.truthy(text:find(page, 1, true), "README.md does not name " .. page)
    end
  end)

  it("shows the first example", function()
    local example = read("examples/01_first.lua"):match "^(.-)\n\n%-%-%[%[ prints"
    for _, block in ipairs(blocks(read "README.md")) do
      if block.language == "lua" and table.concat(block, "\n") == example then return end
    end
    error "README.md does not show examples/01_first.lua"
  end)

  it("is short: the README, and the first program in it", function()
    local text = read "README.md"
    assert.is_true(select(2, text:gsub("\n", "")) <= 200)
    assert.equal(6, #blocks(text)[1])
  end)

  it("says which codes there are, and only those", function()
    local documented, listed = {}, {}
    for code in read("doc/api/README.md"):match("\n## Failures\n(.-)\n## "):gmatch "\n| `([%w_]+)`" do
      documented[code] = true
    end
    -- The others are no results in Lua: a path, a search under way, and what is raised.
    local inner = { ok = true, running = true, no_memory = true, aborted = true, invalid = true }
    local statuses = read("src/wend.h"):match "define WEND_STATUS_LIST(.-)\n\n"
    for code in statuses:gmatch '\n  X%([%u_]+, "([%w_]+)"' do
      if not inner[code] then listed[code] = true end
    end
    assert.same(listed, documented)
  end)
end)

describe("the examples", function()
  for _, name in ipairs {
    "01_first", "02_mods", "03_sliced", "04_tiles", "05_turn", "06_moving", "07_tiled", "08_everyday",
    "09_prepared", "10_crowd", "11_bodies", "12_turns", "13_surface", "mods/main",
  } do
    it("print what stands at their end: " .. name, function()
      local file = "examples/" .. name .. ".lua"
      local source = read(file)
      local expected = assert(source:match "\n%-%-%[%[ prints\n(.*)%]%]\n$")
      assert.equal(as_printed_here(expected), run(source, file))
    end)
  end

  it("are all of them run here", function()
    local pipe = io.popen "ls examples"
    assert.equal("01_first.lua\n02_mods.lua\n03_sliced.lua\n04_tiles.lua\n05_turn.lua\n06_moving.lua\n"
      .. "07_tiled.lua\n08_everyday.lua\n09_prepared.lua\n10_crowd.lua\n11_bodies.lua\n12_turns.lua\n"
      .. "13_surface.lua\nc\ncastle.lua\ndemo.lua\nfen.lua\nforeign_maps.lua\nkeep.map\nkeep.map.scen\n"
      .. "love\nluanti\nmods\nnginx\ntiled\n",
      pipe:read "*a")
    pipe:close()
  end)

  -- What 04_tiles prints when it is called with these words, or nil and what it says where it gives up.
  local function tiles(...)
    local words, errors = { [0] = "examples/04_tiles.lua", ... }, {}
    local ok, problem = pcall(run, read "examples/04_tiles.lua", "examples/04_tiles.lua", function(output)
      errors.output = output
      return {
        arg = words,
        io = { stderr = { write = function(_, ...) errors[#errors + 1] = table.concat { ... } end } },
        os = { exit = function() error(errors, 0) end },
      }
    end)
    if not ok and problem ~= errors then error(problem, 0) end
    return ok and errors.output() or nil, table.concat(errors)
  end

  it("include one that compares techniques, as it is told to", function()
    local field = assert(tiles())
    for _, words in ipairs { { "-a" }, { "-a", "-h" }, { "-h" } } do
      local text = assert(tiles(unpack(words)))
      assert.equal(field:match "cost %d+%.%d+", text:match "cost %d+%.%d+")
      assert.equal(field:match "\ncells expanded.*$", text:match "\ncells expanded.*$")
    end
    local wading = assert(tiles("--swamp", "1", "-a", "-h"))
    assert.truthy(wading:find("swamp: 1 times the length", 1, true))
    assert.truthy(wading:find("from A (2,13) to B (56,16)", 1, true))
    assert.truthy(assert(tiles("--from", "3,9", "--to", "60,9")):find("from A (3,9) to B (60,9)", 1, true))
  end)

  it("include one that reads any map, and draws a large one smaller", function()
    local rows = {}
    for y = 1, 150 do rows[y] = ("."):rep(300) end
    local file = helper.file("type octile\nheight 150\nwidth 300\nmap\n" .. table.concat(rows, "\n") .. "\n", ".map")
    finally(helper.clean)
    local text = assert(tiles("-a", file, "--from", "1,1", "--to", "300,150"))
    local drawn = {}
    for line in text:gmatch "\n  ([%.%*AB]+)%f[\n]" do drawn[#drawn + 1] = line end
    assert.same({ 19, 75, "A", "B" }, { #drawn, #drawn[1], drawn[1]:sub(1, 1), drawn[19]:sub(-1) })
  end)

  it("include one that says what it could not make sense of", function()
    for message, words in pairs {
      ["unknown option -x"] = { "-x" },
      ["say --from X,Y"] = { "--from", "7" },
      ["say --swamp N"] = { "--swamp" },
      ["cannot read no.map: No such file or directory"] = { "no.map" },
      ["no path from (1,1) to (2,13): no open step leads out of the start"] = { "--from", "1,1", "--to", "2,13" },
    } do
      local output, said = tiles(unpack(words))
      assert.same({ "nil", message }, { type(output), (said:gsub("\n$", "")) })
    end
  end)

  it("include a demonstration that runs without maps", function()
    local output = run(read "examples/demo.lua", "examples/demo.lua")
    for _, expected in ipairs {
      "a hero: cost 59.00", "a hero with wading boots: cost 51.30", "a hero who flees: cost 54.85",
      "tag 'road': 22.40", "with it:  cost 59.00", "unloaded: cost 51.30", "after:  path:valid() = false",
      "1 to 5 costs 9 by 1-9-10-4-5", "No map of bot waypoints here",
    } do
      assert.truthy(output:find(expected, 1, true), expected)
    end
    local lines = select(2, output:gsub("\n", ""))
    assert.is_true(lines <= 100)
  end)

  it("include a demonstration that reads a map", function()
    local file = helper.file("OWPT\2\0" .. ("\0"):rep(12) .. "\1\2\0" .. ("\0"):rep(12) .. "\0")
    finally(helper.clean)
    local output = run(read "examples/demo.lua", "examples/demo.lua", function()
      return { arg = { [0] = "examples/demo.lua", file } }
    end)
    assert.truthy(output:find("BOT WAYPOINTS: 300 random trips", 1, true))
    assert.truthy(output:find("      2      1 dijkstra", 1, true))
  end)
end)

-- Names ------------------------------------------------------------------------------------------------------------

---All public names, as documentation writes them: wend.graph, g:path, ...
local function public_names()
  local names = {}
  local function add(prefix, object)
    for key in pairs(object) do
      local name = prefix .. key
      if type(key) == "string" and not PRIVATE[name] then names[#names + 1] = name end
    end
  end
  local graph, grid = wend.graph(), wend.grid(1, 1)
  graph:add_node(0, 0)
  local trace = wend.trace(graph, 1, 1)
  local queue, crowd = wend.queue(), wend.crowd()
  rawset(_G, "love", { graphics = {} }) -- wend.love asks for nothing more when it is loaded
  add("draw.", require "wend.love")
  rawset(_G, "love", nil)
  package.loaded["wend.love"], package.loaded["wend.tools.love"] = nil, nil
  add("wend.", wend)
  add("core.", wend.core)
  for _, kind in ipairs {
    { "g:", graph }, { "grid:", grid }, { "costs:", wend.costs() }, { "trace:", trace }, { "step:", trace[1] },
    { "mine:", wend.costs():mod "bog" },
    { "search:", graph:search(1, 1), grid:search(1, 1, 1, 1) }, { "path:", graph:path(1, 1), grid:path(1, 1, 1, 1) },
    { "field:", graph:field(1), grid:field(1, 1) }, { "walls:", wend.walls() },
    { "preparation:", graph:prepare { sliced = true } },
    { "layer:", wend.influence(graph) }, { "surface:", wend.surface { classes = {} } },
    { "watch:", wend.watch(graph) }, { "f:", wend.follow { 0, 0 } },
    { "routes:", graph:routes() }, { "level:", wend.level() },
    { "q:", queue }, { "request:", queue:path(graph, 1, 1) },
    { "crowd:", crowd }, { "w:", crowd:add { x = 0, y = 0 } },
  } do
    for i = 2, #kind do add(kind[1], helper.methods(kind[i])) end
  end
  table.sort(names)
  return names
end

describe("every public name", function()
  local described = reference.model()

  ---The fields of the class of an object, by name.
  local function fields_of(object)
    for _, one in ipairs(described.objects) do
      local class = one[1] == object and described.classes[one[2]]
      if class then return reference.fields_of(described, class) end
    end
    return {}
  end

  it("is described in doc/api", function()
    for _, name in ipairs(public_names()) do
      local object, key = name:match "^(%w+)[.:](.+)$"
      assert.truthy(described.functions[name] or fields_of(object)[key], name .. " is not in doc/api")
    end
  end)

  it("and no other, is a function of doc/api", function()
    local known = {}
    for _, name in ipairs(public_names()) do known[name] = true end
    for _, one in ipairs(described.functions) do
      -- helper.methods cannot see those of walkers and surfaces there.
      local class = one.forms[1].class
      local hidden = _VERSION == "Lua 5.1" and not jit and (class == "Walker" or class == "Surface")
      assert.is_true(known[one.key] or hidden, one.key .. " is in doc/api, but not in the module")
    end
  end)

  it("is declared from there: make reference", function()
    for _, file in ipairs(reference.files(described)) do
      assert.equal(file[2], read(file[1]), file[1] .. " is out of date: make reference")
    end
  end)

  it("is in a spec #many", function()
    local pipe = io.popen "find spec -name '*_spec.lua' -o -name helper.lua"
    local text = ""
    for file in pipe:lines() do
      text = text .. (file:find "docs_spec" and read(file):match '\ndescribe%("the module".*' or read(file))
    end
    pipe:close()
    for _, name in ipairs(public_names()) do
      local key = name:match "[.:](.+)$"
      -- Called, or handed on as a value: graph:path(, graph.path,
      assert.truthy(text:find("[.:]" .. key .. "%f[^%w_]"), name .. " is in no spec")
    end
  end)

  it("of a field of routes, followers and curves is described", function()
    local graph = wend.graph { dimensions = 3 }
    graph:add_node(0, 0, 0)
    for class, case in pairs {
      Route = { graph:route({ 0, 0, 0 }, { 9, 0, 0 }, { partial = true, max_distance = 1 }),
        "cost", "nodes", "dimensions", "partial" },
      Follower = { wend.follow({ 0, 0, 0, 1, 0, 0 }, { dimensions = 3 }),
        "x", "y", "z", "heading", "leg", "done", "speed", "points" },
      Curve = { wend.curve { 0, 0, 1, 0 }, "dimensions", "legs" },
    } do
      local fields = reference.fields_of(described, described.classes[class])
      for i = 2, #case do
        assert.not_nil(case[1][case[i]], case[i])
        assert.truthy(fields[case[i]], case[i] .. " of " .. class .. " is not in doc/api")
      end
    end
  end)

  it("of a path and a search of a grid is one of their methods, if its entry says so", function()
    local grid = wend.grid(2, 2)
    local objects = { GridPath = grid:path(1, 1, 2, 2), GridSearch = grid:search(1, 1, 2, 2) }
    local meta = helper.read "lua/wend/meta.lua"
    for class, object in pairs(objects) do
      local count = 0
      for name in meta:gmatch("%-%-%-@field ([%w_]+) fun%(self: wend%." .. class .. "[,)]") do
        count = count + 1
        assert(type(object[name]) == "function", class .. "." .. name)
      end
      assert.is_true(count > 2)
    end
  end)

  it("of the C header has a comment above it, or above the group that it stands in", function()
    local commented, count, in_comment = false, 0, false
    for line in (read "src/wend.h"):gmatch "(.-)\n" do
      if starts_with(line, "/* ---") or line == "" then
        commented = false
      elseif starts_with(line, "/*") then
        commented, in_comment = true, not line:find("*/", 1, true)
      elseif in_comment then
        in_comment = not line:find("*/", 1, true)
      elseif line:find "^[%w_ *]+%f[%w]wend_[%w_]+%(" and not starts_with(line, "typedef") then
        count = count + 1
        assert.is_true(commented, "no comment: " .. line)
      end
    end
    assert.is_true(count > 30)
  end)
end)

describe("the core without Lua", function()
  it("runs the program of doc/embedding.md and those of examples/c, which are C and C++ #slow", function()
    local cc = os.getenv "CC" or "cc"
    if helper.shell("command -v " .. cc) ~= 0 then return pending "no C compiler here" end
    finally(helper.clean)
    local page = read "doc/embedding.md"
    local programs = { { page:match "\n```c\n(#include.-)```", page:match "\nIt prints\n\n```text\n(.-)```" } }
    for _, file in ipairs(files "examples/c/*.c") do
      local source = read(file)
      programs[#programs + 1] = { source, source:match "\n/%* prints\n(.*)%*/\n$" }
    end
    assert.equal(5, #programs)
    local core, options = helper.file("", ".o"), "-std=c11 -Wall -Wextra -Werror -Isrc"
    local sources = "src/core/*/*.c src/move/*/*.c"
    assert.same({ 0, "" }, { helper.shell(("%s %s -r -nostdlib %s -o '%s'"):format(cc, options, sources, core)) })
    for _, case in ipairs(programs) do
      local file, binary = helper.file(case[1], ".c"), helper.file ""
      local status, text = helper.shell(("%s %s '%s' '%s' -o '%s' -lm"):format(cc, options, file, core, binary))
      assert.same({ 0, "" }, { status, text })
      assert.same({ 0, case[2] }, { helper.shell("'" .. binary .. "'") })
    end
    local cxx = os.getenv "CXX" or "c++"
    if helper.shell("command -v " .. cxx) ~= 0 then return end
    for i = 2, #programs do -- that of the page is C
      local file, binary = helper.file(programs[i][1], ".cpp"), helper.file ""
      local status, text = helper.shell(("%s -std=c++11 -Wall -Wextra -Wpedantic -Werror -Isrc '%s' '%s' -o '%s' -lm")
        :format(cxx, file, core, binary))
      assert.same({ 0, "" }, { status, text })
      assert.same({ 0, programs[i][2] }, { helper.shell("'" .. binary .. "'") })
    end
  end)
end)

describe("the module", function()
  it("knows its version, which is that of the core", function()
    assert.equal("wend " .. wend.core.version, wend._VERSION)
    assert.truthy(wend.core.version:find "^%d+%.%d+%.%d+$")
    assert.truthy(read("src/wend.h"):find('#define WEND_VERSION "' .. wend.core.version .. '"', 1, true))
  end)

  it("tells which edges are measured", function()
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    local drawn, weighed = g:add_edge(1, 2), g:add_edge(1, 2, { weight = 5 })
    assert.same({ true, false }, { g:is_measured(drawn), g:is_measured(weighed) })
    g:move(2, 6, 8):set_weight(weighed, nil)
    assert.same({ true, true, 10 }, { g:is_measured(drawn), g:is_measured(weighed), g:edge(drawn).weight })
    g:set_weight(drawn, 10)
    assert.is_false(g:is_measured(drawn))
  end)

  it("tells what a grid was made with", function()
    local grid = wend.grid(4, 3, { diagonals = "one_open", diagonal_length = 1.5, cell = 16, origin = { -8, 4 } })
    assert.same({ "one_open", 16, -8, 4 }, { grid:diagonals(), grid:cell_size(), grid:origin() })
    assert.same({ 1.5, math.sqrt(2) }, { grid:diagonal_length(), wend.grid(1, 1):diagonal_length() })
    local plain = wend.grid(1, 1)
    assert.same({ "both_open", 1, 0, 0 }, { plain:diagonals(), plain:cell_size(), plain:origin() })
    grid:wall(2, 1, 1, 1):wall(3, 3, 4, 2):link(4, 3, 1, 1, { weight = 7, tag = "stairs" })
    local found = {}
    for x1, y1, x2, y2 in grid:walls() do found[#found + 1] = table.concat({ x1, y1, x2, y2 }, " ") end
    for x1, y1, x2, y2, weight, tag in grid:links() do
      found[#found + 1] = table.concat({ x1, y1, x2, y2, ("%g"):format(weight), tag }, " ")
    end
    assert.same({ "1 1 2 1", "4 2 3 3", "1 1 4 3 7 stairs", "4 3 1 1 7 stairs" }, found)
  end)

  it("leaves no globals behind", function()
    local before, loaded = {}, {}
    for key in pairs(_G) do before[key] = true end
    for name, module in pairs(package.loaded) do
      if name == "wend" or starts_with(name, "wend.") then loaded[name] = module end
    end
    for name in pairs(loaded) do package.loaded[name] = nil end
    for name in pairs(loaded) do require(name) end
    for name, module in pairs(loaded) do package.loaded[name] = module end
    for key in pairs(_G) do assert.is_true(before[key] or false, "a new global: " .. tostring(key)) end
  end)
end)
