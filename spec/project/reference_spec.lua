-- SPDX-License-Identifier: MIT
-- Calls take what doc/api says: an argument or an option of a wrong type raises, and the message names it. The
-- parameters, options and types come from the reference; here are values that are right.
local reference = require "tools.reference"
local wend = require "wend"

local unpack = table.unpack or unpack -- luacheck: ignore 143

local function fn() end
local WRONG = coroutine.create(fn) -- no call takes a thread

local graph, grid = wend.graph(), wend.grid(3, 3)
graph:add_nodes { 0, 0, 3, 4 }
graph:add_edge(1, 2)
local path, field, costs, queue, crowd = graph:path(1, 2), grid:field(1, 1), wend.costs(), wend.queue(), wend.crowd()
local follower, level = wend.follow(path), wend.read_tiled "examples/tiled/ford.lua"
local trace = wend.trace(graph, 1, 2)

-- What methods are called on, by the name in signatures.
local OBJECTS = { wend = wend, core = wend.core, g = graph, grid = grid, path = path, costs = costs, field = field,
  crowd = crowd, level = level, q = queue, f = follower, trace = trace, step = trace[1], walls = wend.walls(),
  search = graph:search(1, 2), mine = costs:mod "bog", routes = graph:routes(), watch = wend.watch(graph),
  layer = wend.influence(graph), surface = wend.surface { classes = {} }, w = crowd:add { x = 0, y = 0 },
  request = queue:path(graph, 1, 2), preparation = graph:prepare { sliced = true } }

-- Values by type. Of a union, the first type counts.
local RIGHT = { Node = 1, Edge = 1, integer = 1, number = 1, string = "road", boolean = true, any = 1, table = {},
  Graph = graph, Grid = grid, Path = path, GridPath = grid:path(1, 1, 3, 3), Walls = wend.walls(), Field = field,
  Costs = costs, Level = level, Follower = follower, Search = OBJECTS.search, CellValue = 1, TagCost = 1,
  TagFunction = fn, EdgeFunction = fn, ["function"] = fn, Point = { 0, 0 }, Line = { 0, 0, 1, 1 },
  ["number[]"] = { 0, 0, 1, 1, 2, 2 }, ["integer[]"] = { 1, 1, 2, 2 }, ["Node[]"] = { 1, 2 },
  ["Walker[]"] = { OBJECTS.w }, ["any[]"] = {}, Walker = OBJECTS.w, ["Walker|Follower|table"] = { x = 0, y = 0 },
  WalkerOptions = { x = 0, y = 0 }, NewNode = { x = 0, y = 0 } }

-- Arguments of a call that are other ones, by their numbers.
local ARGUMENTS = {
  ["wend.decode"] = { field:encode() }, ["core.decode"] = { field:encode() },
  ["grid:wall"] = { 1, 1, 2, 1 }, ["core.find_paths"] = { wend.core.batch(2) },
}
-- Objects of calls that do not take those of OBJECTS.
local OTHER_OBJECTS = { ["layer:visible_from"] = wend.influence(grid) }
-- Options that a call needs to look at the others.
local WITH = {
  ["g:nearest"] = { can_reach = 1 }, ["g:nearest_edge"] = { can_reach = 1 }, ["g:random"] = { can_reach = 1 },
  ["grid:nearest"] = { can_reach = { 1, 1 } }, ["wend.decode"] = { map = grid }, ["core.decode"] = { map = grid },
  ["crowd:add"] = { x = 0, y = 0 },
  ["wend.surface"] = { classes = {} }, ["core.surface"] = { classes = {} },
}

-- Names in messages that are not those of the reference; false: the call does not look at it.
local NAMES = {
  ["g:move z"] = false, -- of a graph of 2 dimensions
  ["wend.load costs"] = false, ["wend.load cost"] = false, ["wend.load at_least"] = false, -- there is no such file
  ["wend.load size"] = false, ["wend.load influence"] = false,
  ["wend.decode walker"] = false, ["wend.decode walls"] = false, -- of crowds: see OF_CROWDS
  ["core.decode walker"] = false, ["core.decode walls"] = false,
  ["costs:set value"] = "the cost of tag 'road'", ["mine:set value"] = "the cost of tag 'road'",
  ["g:reset_edge edge"] = "self", ["grid:reveal x"] = "self", ["grid:reveal y"] = "self", ["grid:reveal x2"] = "self",
  ["grid:reveal y2"] = "self", ["grid:is_known x"] = "self", ["grid:is_known y"] = "self",
  ["grid:frontier options"] = "self",
  ["core.draw x1"] = "area[1]", ["core.draw y1"] = "area[2]",
  ["core.draw x2"] = "area[3]", ["core.draw y2"] = "area[4]",
  ["core.find_paths map"] = not wend.core.batch(2) and "batch" or nil, -- it was built without threads
  ["core.unpack packed"] = "#1", ["core.unpack max_bytes"] = "#2",
  ["core.call fn"] = false, ["grid:check walls"] = "walls", ["grid:check too_close"] = "too_close",
  ["grid:check too_far"] = "too_far", ["g:field window"] = "window", -- not of this kind of map
}

-- Options that only crowds have, of calls that read files of all kinds.
local OF_CROWDS = { ["wend.decode"] = true, ["core.decode"] = true, ["wend.load"] = true }

local function right(type)
  if type:find "^fun%f[^%w]" then return fn end
  if type:find "^table<" then return {} end
  local value = RIGHT[type]
  if value == nil then value = RIGHT[type:match "^[%w]+%[?%]?"] end
  if value == nil then value = type:match '^"([^"]+)"' end
  return value
end

describe("the reference", function()
  local model = reference.model()

  local function arguments(described, form)
    local list, first = {}, form.separator == ":" and 1 or 0
    if first == 1 then list[1] = OTHER_OBJECTS[described.key] or OBJECTS[form.object] end
    for i, parameter in ipairs(form.parameters) do
      local other = ARGUMENTS[described.key] and ARGUMENTS[described.key][i]
      if other ~= nil then
        list[first + i] = other
      elseif not parameter.optional and parameter.name ~= "..." then
        list[first + i] = right(parameter.type)
      end
    end
    return list, first
  end

  -- Calls with one argument replaced. The message has to name it.
  local function refuses(described, name, at, value)
    local form = described.forms[1]
    local shown = NAMES[described.key .. " " .. name]
    if shown == false then return end
    local list, first = arguments(described, form)
    list[first + at] = value
    local count = math.max(first + at, first + #form.parameters)
    local ok, message = pcall(OBJECTS[form.object][form.name], unpack(list, 1, count))
    local told = described.key .. ", " .. name .. ": " .. tostring(message)
    assert.is_false(ok, told)
    assert.truthy(tostring(message):find((shown or name), 1, true), told)
    assert.truthy(tostring(message):find "thread" or shown, told)
  end

  for _, described in ipairs(model.functions) do
    local form = described.forms[1]
    if OBJECTS[form.object] then
      it("names the arguments and options that are refused: " .. described.key, function()
        for i, parameter in ipairs(form.parameters) do
          if parameter.name == "opts" or parameter.type:find "Options$" then
            refuses(described, "options", i, WRONG)
            local class = model.classes[parameter.type]
            local fields = class and reference.fields_of(model, class) or {}
            local class_has_cost = fields.cost ~= nil
            for _, option in ipairs(fields) do
              if option.type ~= "any" then
                local options = { [option.name] = WRONG }
                if option.name == "at_least" and class_has_cost then options.cost = fn end
                for key, value in pairs(WITH[described.key] or {}) do options[key] = options[key] or value end
                refuses(described, option.name, i, options)
              end
            end
          elseif parameter.type ~= "any" and parameter.name ~= "..." then
            refuses(described, parameter.name, i, WRONG)
          end
        end
      end)
    end
  end

  for _, described in ipairs(model.functions) do
    local form = described.forms[1]
    for i, parameter in ipairs(form.parameters) do
      local class = model.classes[parameter.type]
      if OBJECTS[form.object] and class and class.noun == "options" then
        it("lists the options that there are: " .. described.key, function()
          local list, first = arguments(described, form)
          list[first + i] = { ["no option"] = 1 }
          for key, value in pairs(WITH[described.key] or {}) do list[first + i][key] = value end
          local ok, message = pcall(OBJECTS[form.object][form.name], unpack(list, 1, first + #form.parameters))
          assert.is_false(ok)
          local known, there = {}, {}
          for _, option in ipairs(reference.fields_of(model, class)) do
            local of_crowds = OF_CROWDS[described.key] and (option.name == "walker" or option.name == "walls")
            if not of_crowds then known[#known + 1] = option.name end
          end
          for name in assert(message:match "expected one of: ([^)]*)", message):gmatch "[%w_]+" do
            there[#there + 1] = name
          end
          table.sort(known)
          table.sort(there)
          assert.equal(table.concat(there, " "), table.concat(known, " "))
        end)
      end
    end
  end

  it("knows a value of each type", function()
    for _, described in ipairs(model.functions) do
      for _, parameter in ipairs(described.forms[1].parameters) do
        local known = parameter.optional or parameter.name == "opts" or right(parameter.type) ~= nil
          or not OBJECTS[described.forms[1].object]
        assert.is_true(known, described.key .. ": no value of the type " .. parameter.type)
      end
    end
  end)
end)
