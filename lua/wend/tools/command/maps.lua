-- SPDX-License-Identifier: MIT
--- The command wend: reads maps, costs and agents, and finds nodes and cells that are given as text.

local core = require "wend.core"
local costs = require "wend.costs"
local foreign = require "wend.tools.tiled.foreign"
local output = require "wend.tools.command.output"
local text_of = require "wend.tools.command.text"
local wend = require "wend"

local fail, must, printable = output.fail, output.must, text_of.printable

local load_text = rawget(_G, "loadstring") or load -- Lua 5.1 loads strings by the first, later ones by the second

local maps = {}

--- Whether a map is a grid.
function maps.is_grid(map)
  return core.type(map) == "grid"
end

--- Copies the options of `view` (see maps.read_view) into the table `more`, and returns that.
function maps.with(view, more)
  for key, value in pairs(view) do
    more[key] = value
  end
  return more
end

--- Runs Lua code of the user. If it raises, the command fails with the message.
local function run(chunk, message)
  if not chunk then
    error({ message = message }, 0)
  end
  local ok, result = pcall(chunk)
  if not ok then
    error({ message = type(result) == "table" and result.message or tostring(result) }, 0)
  end
  return result
end

-- Files ---------------------------------------------------------------------------------------------------------------

-- The names of the functions that read files, by what the names of the files end in.
local READERS = { wend = "load", lua = "read_tiled", tmx = "read_tiled", tmj = "read_tiled", json = "read_tiled",
  tsx = "read_tiled", tsj = "read_tiled", txt = "text" }

--- The name of the function that reads a file: found by its first bytes, then by its name.
local function reader_for(file, data)
  if data:sub(1, 4) == "WEND" then
    return "load"
  elseif data:find "^wend text " then
    fail("%s is text made by wend convert, which cannot be read: give the file that it was made from", file)
  end
  local reader = READERS[file:lower():match "%.(%w+)$"]
  if reader then
    return reader
  elseif data:find "^%s*return%s*{" or data:find "^%s*<%?xml%s" or data:find '^%s*{%s*"' then
    return "read_tiled"
  end
  fail("cannot tell what %s is: neither its first bytes nor its name tell its format (names end in .wend, .txt, "
    .. "or .tmx, .tmj or .lua for maps of Tiled)", file)
end

--- Reads a map that is drawn in text, as for wend.parse_grid.
-- @param legend the option --legend, or nil
local function read_text(file, text, legend)
  local values = legend and run(loadfile(legend))
  if legend and type(values) ~= "table" then
    fail("%s must return a table of cells by character, got a %s", legend, type(values))
  end
  local ok, grid = pcall(wend.parse_grid, text, values)
  if not ok then
    local unknown = not legend and tostring(grid):find "^unknown character"
    fail("%s: %s%s", file, tostring(grid), unknown and "; --legend FILE gives characters a meaning" or "")
  end
  return grid
end

--- The names of the layers of a level, sorted.
function maps.layer_names(level)
  local names = {}
  for name in pairs(level.grids or {}) do
    if type(name) == "string" then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return names
end

--- A graph or grid of a level.
-- @param file its name, for messages
-- @param level a wend.Level
-- @param layer the option --layer, or nil: the grid with all layers, otherwise the first layer, otherwise the graph
-- @return a map; nil: there is none, and no layer was asked for
local function choose_layer(file, level, layer)
  local grids, graph = level.grids or {}, level.graph
  if layer then
    local grid = grids[layer] or grids[tonumber(layer)]
    if grid then
      return grid
    elseif layer == "graph" and graph then
      return graph
    end
    local names = maps.layer_names(level)
    for i, name in ipairs(names) do names[i] = printable(name) end
    names[#names + 1] = graph and "graph" or nil
    fail("%s has no layer '%s' (expected one of: %s)", file, layer, table.concat(names, ", "))
  end
  return level.grid or grids[1] or graph
end

-- By the fifth byte of a file: what it holds, if that belongs to a map.
local OF_MAPS = { F = "a field", T = "a route table", O = "an overlay" }

--- Reads a file in any format that wend reads.
-- @param options layer: of a level; legend, closed: the options --legend and --closed; stderr: for hints; any: what
-- belongs to a map, such as a field, gives no object, instead of failing
-- @return { file, size = in bytes, reader = name of the function, kind = wend.type of the object, object, level = the
-- level in the file, or nil; whole = that level if no layer was asked for }. Of a level, the object is one of its maps,
-- or nil if it has none.
function maps.read(file, options)
  local data = must(foreign.guarded(foreign.contents, file))
  local reader = reader_for(file, data)
  local loaded = { file = file, size = #data, reader = reader }
  local object
  if reader == "load" then
    local kind = OF_MAPS[data:sub(5, 5)]
    if kind and not options.any then
      fail("%s must hold a graph or a grid, got %s", file, kind)
    elseif kind then
      loaded.kind = kind
      return loaded
    end
    object = must(wend.load(file))
  elseif reader == "text" then
    object = read_text(file, data, options.legend)
  else
    local ok, level, message = pcall(wend.read_tiled, file, { closed = options.closed })
    if not ok then fail("%s", (tostring(level):gsub("^[^\n]-:%d+: ", ""))) end -- a word of --closed that nothing has
    object = must(level, message)
    for _, hint in ipairs(object.hints) do options.stderr:write("wend: hint: ", printable(hint), "\n") end
  end
  if options.closed and reader ~= "read_tiled" then
    fail("%s is no map of Tiled: --closed is for these", file)
  end
  if options.legend and reader ~= "text" then
    fail("%s is no map in text: --legend is for .txt", file)
  end
  loaded.kind = core.type(object)
  if loaded.kind == "level" then
    loaded.level, loaded.whole = object, not options.layer and object or nil
    object = choose_layer(file, object, options.layer)
    loaded.kind = loaded.whole and "level" or core.type(object)
  elseif options.layer then
    fail("%s has no layers: --layer is for levels", file)
  end
  loaded.object = object
  return loaded
end

--- The map of a result of maps.read. Fails if there is none.
function maps.chosen(loaded)
  local map = loaded.object
  local kind = map ~= nil and core.type(map)
  if not map then
    fail("%s has neither a grid nor a graph", loaded.file)
  elseif kind ~= "graph" and kind ~= "grid" then
    fail("%s must hold a graph or a grid, got %s", loaded.file, kind)
  end
  return map
end

--- Reads the argument FILE. Returns the result of maps.read.
-- @param any as for maps.read
function maps.read_file(context, any)
  local arguments = context.arguments
  local closed = arguments.closed and arguments.closed[1] and arguments.closed
  return maps.read(arguments.file, { layer = arguments.layer, legend = arguments.legend, closed = closed, any = any,
    stderr = context.stderr })
end

--- Reads the map of the argument FILE. Returns it, and the result of maps.read.
function maps.read_map(context)
  local loaded = maps.read_file(context)
  return maps.chosen(loaded), loaded
end

--- Reads the argument FILE. Returns a whole level, one map, or walls; and the result of maps.read.
function maps.read_whole(context)
  local loaded = maps.read_file(context)
  return loaded.whole or loaded.object, loaded
end

-- Costs and agents ----------------------------------------------------------------------------------------------------

--- Reads the arguments --costs and --agent. Returns a table with the options costs and agent of a search.
function maps.read_view(context)
  local view, arguments = {}, context.arguments
  if arguments.costs then
    local result = run(loadfile(arguments.costs))
    if core.type(result) == "costs" then
      view.costs = result
    elseif type(result) == "table" then
      view.costs = costs.new(result)
    else
      fail("%s must return a table of costs or a profile made by wend.costs, got a %s", arguments.costs, type(result))
    end
  end
  if arguments.agent then
    local chunk, message = load_text("return " .. arguments.agent, "=--agent")
    view.agent = run(chunk, "--agent must be a Lua expression, such as { boots = true }: " .. tostring(message))
  end
  return view
end

-- Places --------------------------------------------------------------------------------------------------------------

--- The node with this name, or this id.
local function find_node(graph, file, text)
  local node = graph:node(text)
  if node then
    return node
  end
  local id = text:find "^%d+$" and tonumber(text)
  if id and id < 2 ^ 53 and graph:has(id) then
    return id
  end
  fail("%s has no node '%s', neither as a name nor as an id", file, printable(text))
end

--- A named position of a level: one of its names, or that of a node of its graph. Returns x and y, or nil.
local function find_place(level, name)
  local place, graph = level.names and level.names[name], level.graph
  if place then
    return place.x, place.y
  end
  local node = graph and graph:node(name)
  if node then
    return graph:position(node)
  end
end

--- The cell x,y, or the cell at a named position of a level.
local function find_cell(grid, loaded, text)
  local x, y = text:match "^%s*(%d+)%s*,%s*(%d+)%s*$"
  x, y = tonumber(x), tonumber(y)
  local level, place_x, place_y = loaded.level, nil, nil
  if not x and level then
    place_x, place_y = find_place(level, text)
  end
  if place_x then
    x, y = grid:cell_at(place_x, place_y)
    if not x then
      fail("'%s' lies outside the grid", printable(text))
    end
    return x, y
  elseif not x then
    fail("a cell must be given as x,y%s, got '%s'",
      level and (" or by the name of a place (%s)"):format(text_of.keys(level.names or {})) or "", printable(text))
  elseif x < 1 or y < 1 or x > grid:width() or y > grid:height() then
    fail("there is no cell %d,%d in a grid of %d x %d", x, y, grid:width(), grid:height())
  end
  return x, y
end

--- Asks a map about two places that are given as text.
-- @param method "path" or "why_not"
-- @return what the method returns
function maps.ask(map, method, loaded, from, to, options)
  if maps.is_grid(map) then
    local x1, y1 = find_cell(map, loaded, from)
    local x2, y2 = find_cell(map, loaded, to)
    return map[method](map, x1, y1, x2, y2, options)
  end
  return map[method](map, find_node(map, loaded.file, from), find_node(map, loaded.file, to), options)
end

return maps
