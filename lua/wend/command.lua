-- SPDX-License-Identifier: MIT
--- The wend command, for designers and build servers: looks at maps, checks them, draws and converts them.
--
-- main(arguments, streams) does it all and returns the exit status: 0 fine, 1 there is something to say (findings, no
-- path, a trip that failed), 2 it could not be done. Results go to standard output, all else to standard error. What is
-- the user's mistake is thrown as a table with a message, and leaves as one sentence.

local core = require "wend.core"
local costs = require "wend.costs"
local export = require "wend.export"
local svg = require "wend.svg"

local command = {}

local FINE, FINDINGS, FAILED = 0, 1, 2

local SHOWN_MAX = 8     -- nodes or cells in a sentence
local CHUNK = 100       -- trips between two looks at the clock
local SNIFFED = 4096    -- bytes of a file that tell what it is

local function fail(...)
  error({ message = string.format(...) }, 0)
end

--- What a call that may fail returns, or the end of the command.
local function must(result, message)
  if result == nil then
    error({ message = message }, 0)
  end
  return result
end

-- Text -------------------------------------------------------------------------------------------------------------

local function number(value, digits)
  return (("%." .. (digits or 14) .. "g"):format(value))
end

--- 1 node, 2 nodes.
local function count(amount, noun)
  return ("%.0f %s%s"):format(amount, noun, amount == 1 and "" or "s")
end

--- Text out of a file, fit for a terminal.
local function printable(text)
  return (text:gsub("%c", "?"))
end

local function node_text(graph, node)
  local name = graph:name(node)
  return name and ("'%s' (%.0f)"):format(printable(name), node) or ("%.0f"):format(node)
end

local function cell_text(x, y)
  return ("(%d,%d)"):format(x, y)
end

local function is_grid(map)
  return core.type(map) == "grid"
end

--- A list of places as the module gives them (of grids flat), as texts: the first few, and how many there are.
local function places(map, list)
  local step = is_grid(map) and 2 or 1
  local texts, amount = {}, #list / step
  local shown = amount <= SHOWN_MAX + 1 and amount or SHOWN_MAX
  for i = 1, shown do
    texts[i] = step == 2 and cell_text(list[i * 2 - 1], list[i * 2]) or node_text(map, list[i])
  end
  local text = table.concat(texts, ", ")
  return shown < amount and ("%s and %d more"):format(text, amount - shown) or text, amount
end

--- Options of their own for a call that adds to them.
local function with(view, more)
  for key, value in pairs(view) do
    more[key] = value
  end
  return more
end

-- Standard error ---------------------------------------------------------------------------------------------------

--- Whether people look at it. Asked once, and only when there is something to tell; where nothing can say so: no.
local function is_terminal(context)
  if context.terminal == nil then
    local ok, first = pcall(os.execute, "test -t 2")
    context.terminal = package.config:sub(1, 1) == "/" and ok and (first == true or first == 0)
  end
  return context.terminal
end

--- A function (done, total) that tells how far long work has come. context.finish() wipes that away.
local function progress(context, what)
  local last, written = os.clock(), false
  local function tell(done, total)
    local now = os.clock()
    if now - last < 0.2 then
      return
    end
    last = now
    if not context.arguments.quiet and is_terminal(context) then
      context.stderr:write(("\r%s: %d %%"):format(what, math.floor(done / total * 100)))
      if context.stderr.flush then
        context.stderr:flush()
      end
      written = true
    end
  end
  function context.finish()
    if written then
      context.stderr:write("\r\27[K")
    end
    written = false
  end
  return tell
end

local function say(context, ...)
  local ok, message = context.stdout:write(string.format(...), "\n")
  if ok == nil or ok == false then
    fail("cannot write: %s", message or "unknown error")
  end
end

local function write_file(file, text)
  local handle, message = io.open(file, "wb")
  if not handle then
    fail("cannot write %s", message)
  end
  local ok
  ok, message = handle:write(text)
  local closed, at_close = handle:close()
  if not ok or not closed then
    fail("cannot write %s: %s", file, message or at_close or "unknown error")
  end
end

-- Reading maps -----------------------------------------------------------------------------------------------------

--- What a file begins with, and how long it is.
local function beginning(file)
  local handle, message = io.open(file, "rb")
  if not handle then
    fail("cannot read %s", message)
  end
  local data, problem = handle:read(SNIFFED)
  local size = handle:seek "end"
  handle:close()
  if problem then
    fail("cannot read %s: %s", file, problem)
  end
  return data or "", size
end

--- Which reader is the one for a file: by what it begins with, then by its name.
local function reader_for(file, data)
  local name = file:lower():gsub("%.gz$", "")
  local magic = data:sub(1, 4)
  if magic == "WEND" then
    return "load"
  elseif magic == "OWPT" or magic == "RWPT" then
    return "read_wpt"
  elseif data:find "^wend text " then
    fail("%s is a text made by wend.export, for people to read: give the file that it was made from", file)
  end
  local suffix = name:match "%.(%w+)$"
  local known = { wend = "load", wpt = "read_wpt", gr = "read_gr", map = "read_map", lua = "read_tiled" }
  if known[suffix] then
    return known[suffix]
  elseif data:find "^type%s+%l" then
    return "read_map"
  elseif ("\n" .. data):find "\np%s+sp%s" then
    return "read_gr"
  elseif data:find "^%s*return%s*{" then
    return "read_tiled"
  end
  fail("cannot tell what %s is: neither its first bytes nor its name say so (names end in .wend, .wpt, .gr, .map, "
    .. "or .lua for Tiled's Lua export; packed by gzip in .wpt.gz, .gr.gz or .map.gz)", file)
end

--- A graph or a grid out of what a Tiled map holds.
local function choose_layer(file, level, layer)
  local grids, graph = level.grids or {}, level.graph
  if layer then
    local grid = grids[layer] or grids[tonumber(layer)]
    if grid then
      return grid
    elseif layer == "graph" and graph then
      return graph
    end
    local names = {}
    for name in pairs(grids) do
      if type(name) == "string" then
        names[#names + 1] = printable(name)
      end
    end
    table.sort(names)
    names[#names + 1] = graph and "graph" or nil
    fail("%s has no layer '%s' (expected one of: %s)", file, layer, table.concat(names, ", "))
  end
  if grids[1] then
    return grids[1]
  elseif graph then
    return graph
  end
  fail("%s holds neither a layer of tiles nor a graph", file)
end

--- Reads any file that wend reads: { file, size, reader, kind, object, level }. options: the layer of a Tiled map; the
--- map that fields and route tables are of; any: without that they are let be, else it is an error.
local function read(file, options)
  local wend = require "wend"
  local data, size = beginning(file)
  local reader = reader_for(file, data)
  local loaded = { file = file, size = size, reader = reader }
  if type(wend[reader]) ~= "function" then
    fail("cannot read %s: this build of wend has no wend.%s", file, reader)
  end
  local object
  if reader == "load" then
    local kind = data:sub(5, 5)
    local needs_map = kind == "F" or kind == "T"
    if needs_map and not options.map then
      if not options.any then
        fail("%s holds %s, and this needs a graph or a grid", file, kind == "F" and "a field" or "a route table")
      end
      loaded.kind = kind == "F" and "field" or "routes"
      return loaded
    end
    object = must(wend.load(file, needs_map and { map = options.map } or nil))
  else
    object = must(wend[reader](file))
  end
  if reader == "read_tiled" then
    loaded.level = object
    object = choose_layer(file, object, options.layer)
  elseif options.layer then
    fail("%s has no layers: --layer is for Tiled maps", file)
  end
  loaded.kind = core.type(object)
  loaded.object = object
  return loaded
end

local function read_map(context)
  local loaded = read(context.arguments.file, { layer = context.arguments.layer })
  return loaded.object, loaded
end

--- Runs a piece of the user's own Lua; what goes wrong in it is said without a trace.
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

--- The options costs and agent, as searches take them.
local function read_view(context)
  local view, arguments = {}, context.arguments
  if arguments.costs then
    local result = run(loadfile(arguments.costs))
    if core.type(result) == "costs" then
      view.costs = result
    elseif type(result) == "table" then
      view.costs = costs.new(result)
    else
      fail("%s must return a table of costs, or what wend.costs makes of it; got a %s", arguments.costs, type(result))
    end
  end
  if arguments.agent then
    local text = "return " .. arguments.agent
    -- By pieces: the only way of loading a string that all Luas share.
    view.agent = run(load(function()
      local piece = text
      text = nil
      return piece
    end, "=--agent"))
  end
  return view
end

-- Places -----------------------------------------------------------------------------------------------------------

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

local function find_cell(grid, loaded, text)
  local x, y = text:match "^%s*(%d+)%s*,%s*(%d+)%s*$"
  x, y = tonumber(x), tonumber(y)
  local names = loaded.level and loaded.level.names
  if not x and names and names[text] then
    x, y = grid:cell_at(names[text].x or names[text][1], names[text].y or names[text][2])
    if not x then
      fail("'%s' lies outside of the grid", printable(text))
    end
    return x, y
  elseif not x then
    fail("a cell is said as x,y%s; got '%s'", names and ", or by the name of a point" or "", printable(text))
  elseif x < 1 or y < 1 or x > grid:width() or y > grid:height() then
    fail("there is no cell %d,%d in a grid of %d x %d", x, y, grid:width(), grid:height())
  end
  return x, y
end

--- A path between two places that were said in words; or nil, message, code.
local function find_path(map, loaded, from, to, options)
  if is_grid(map) then
    local x1, y1 = find_cell(map, loaded, from)
    local x2, y2 = find_cell(map, loaded, to)
    return map:path(x1, y1, x2, y2, options)
  end
  return map:path(find_node(map, loaded.file, from), find_node(map, loaded.file, to), options)
end

-- wend info --------------------------------------------------------------------------------------------------------

local function fact(context, what, ...)
  say(context, "%-13s %s", what .. ":", string.format(...))
end

local function tell_tags(context, tags, untagged)
  local names = {}
  for tag in pairs(tags) do
    names[#names + 1] = tag
  end
  table.sort(names)
  fact(context, "tags", "%d", #names)
  local function tell(name, amount)
    say(context, "  %-20s %d", name, amount)
  end
  for _, name in ipairs(names) do
    tell(printable(name), tags[name])
  end
  if untagged > 0 and #names > 0 then
    tell("(none)", untagged)
  end
end

--- A list of what is not nothing: { 3, "named" } and so on.
local function of_these(amount, list)
  local parts = {}
  for _, one in ipairs(list) do
    if one[1] > 0 then
      parts[#parts + 1] = ("%d %s"):format(one[1], one[2])
    end
  end
  return #parts > 0 and ("%d (%s)"):format(amount, table.concat(parts, ", ")) or ("%d"):format(amount)
end

local function tell_components(context, map)
  local found = map:check()
  local step = is_grid(map) and 2 or 1
  local largest = found.components[1]
  fact(context, "components", "%d%s", #found.components, #found.components > 1
    and (", the largest has %s"):format(count(#largest / step, step == 2 and "cell" or "node")) or "")
end

local function info_graph(context, graph)
  local named, closed, placed = 0, 0, 0
  local seen, tags, untagged, directed, shut = {}, {}, 0, 0, 0
  for node in graph:nodes() do
    named = named + (graph:name(node) and 1 or 0)
    closed = closed + (graph:is_closed(node) and 1 or 0)
    placed = placed + (graph:position(node) and 1 or 0)
    for id, _, _, tag in graph:edges(node) do
      if not seen[id] then
        seen[id] = true
        local edge = graph:edge(id)
        directed = directed + (edge.directed and 1 or 0)
        shut = shut + (edge.closed and 1 or 0)
        if tag then
          tags[tag] = (tags[tag] or 0) + 1
        else
          untagged = untagged + 1
        end
      end
    end
  end
  local nodes = graph:node_count()
  fact(context, "dimensions", "%d", graph:dimensions())
  fact(context, "nodes", "%s", of_these(nodes,
    { { named, "named" }, { closed, "closed" }, { nodes - placed, "without a position" } }))
  fact(context, "edges", "%s", of_these(graph:edge_count(), { { directed, "one way" }, { shut, "closed" } }))
  tell_tags(context, tags, untagged)
  tell_components(context, graph)
  local for_nodes, for_edges = graph:bytes()
  fact(context, "memory", "%d bytes", for_nodes + for_edges)
end

local function info_grid(context, grid)
  local closed, tags, untagged = 0, {}, 0
  local width, height = grid:width(), grid:height()
  for y = 1, height do
    for x = 1, width do
      local weight, tag = grid:get(x, y)
      closed = closed + (weight and 0 or 1)
      if tag then
        tags[tag] = (tags[tag] or 0) + 1
      else
        untagged = untagged + 1
      end
    end
  end
  fact(context, "size", "%d x %d", width, height)
  fact(context, "cells", "%s", of_these(width * height, { { width * height - closed, "open" }, { closed, "closed" } }))
  local left, top = grid:origin()
  fact(context, "in the world", "cells of %s, from %s,%s", number(grid:cell_size()), number(left), number(top))
  fact(context, "diagonals", "%s", grid:diagonals())
  local walls, links = 0, 0
  for _ in grid:walls() do
    walls = walls + 1
  end
  for _ in grid:links() do
    links = links + 1
  end
  fact(context, "walls", "%d", walls)
  fact(context, "links", "%d, each way counted", links)
  tell_tags(context, tags, untagged)
  tell_components(context, grid)
  fact(context, "memory", "%d bytes", grid:bytes())
end

local FORMATS = {
  load = "wend's own", read_wpt = "bot waypoints", read_gr = "DIMACS arcs", read_map = "Moving AI map",
  read_tiled = "Tiled map",
}

local function info(context)
  local arguments = context.arguments
  local map = arguments.map and read(arguments.map, { layer = arguments.layer }).object
  local loaded = read(arguments.file, {
    any = true, layer = not map and arguments.layer or nil, map = map,
  })
  local object = loaded.object
  fact(context, "file", "%s, %d bytes, %s", printable(arguments.file), loaded.size, FORMATS[loaded.reader])
  fact(context, "kind", "%s", loaded.kind == "routes" and "route table" or loaded.kind)
  if loaded.level then
    local level = loaded.level
    local points = 0
    for _ in pairs(level.names or {}) do
      points = points + 1
    end
    fact(context, "level", "%s of tiles, %s, %s", count(#(level.grids or {}), "layer"),
      level.graph and count(level.graph:node_count(), "node") or "no graph", count(points, "name"))
  end
  if not object then
    say(context, "It is of a map: say which with --map to see more.")
  elseif loaded.kind == "graph" then
    info_graph(context, object)
  elseif loaded.kind == "grid" then
    info_grid(context, object)
  elseif loaded.kind == "routes" then
    fact(context, "memory", "%d bytes", object:bytes())
  else
    local reached = 0
    for _ in object:each() do
      reached = reached + 1
    end
    fact(context, "reached", "%s", count(reached, is_grid(map) and "cell" or "node"))
  end
  return FINE
end

-- wend check -------------------------------------------------------------------------------------------------------

--- Whether all edges that lead out of a part of a graph are meant to lead one way.
local function is_allowed(map, list, allow)
  if #allow == 0 or is_grid(map) then
    return false
  end
  local allowed, inside = {}, {}
  for _, tag in ipairs(allow) do
    allowed[tag] = true
  end
  for _, node in ipairs(list) do
    inside[node] = true
  end
  for _, node in ipairs(list) do
    for _, neighbour, _, tag in map:edges(node) do
      if not inside[neighbour] and not allowed[tag] then
        return false
      end
    end
  end
  return true
end

--- What the lists of map:check do not say: parts of two places or more that are cut off, or that lead out alone.
local function tell_parts(map, found, view, allow, tell)
  local largest = found.components[1]
  if not found.components[2] or #found.components[2] < (is_grid(map) and 4 or 2) then
    return
  end
  local function field(outward)
    local options = with(view, { outward = outward })
    return is_grid(map) and map:field(largest[1], largest[2], options) or map:field(largest[1], options)
  end
  local outward, inward = field(true), field(false)
  local function is_reached(by, part)
    if is_grid(map) then
      return by:cost(part[1], part[2]) ~= nil
    end
    return by:cost(part[1]) ~= nil
  end
  for i = 2, #found.components do
    local part = found.components[i]
    local text, amount = places(map, part)
    if amount > 1 and not is_reached(outward, part) then
      if not is_reached(inward, part) then
        tell("%d %s are cut off from the rest, with ways among themselves alone: %s", amount,
          is_grid(map) and "cells" or "nodes", text)
      elseif not is_allowed(map, part, allow) then
        tell("%d %s can be left but not entered: %s", amount, is_grid(map) and "cells" or "nodes", text)
      end
    end
  end
end

local function check(context)
  local arguments = context.arguments
  local map, loaded = read_map(context)
  local view = read_view(context)
  local allow = arguments.allow
  local found = map:check(with(view, { allow = allow }))
  local findings = 0
  local function tell(...)
    findings = findings + 1
    say(context, ...)
  end
  local step = is_grid(map) and 2 or 1
  local noun = step == 2 and "cell" or "node"
  local function tell_each(list, sentence)
    for i = 1, #list, step do
      tell(sentence, noun, step == 2 and cell_text(list[i], list[i + 1]) or node_text(map, list[i]))
    end
  end
  tell_each(found.isolated, "%s %s is isolated: no way leads in or out")
  tell_each(found.sinks, "%s %s can be entered but not left (a sink)")
  tell_each(found.sources, "%s %s can be left but not entered (a source)")
  for _, trap in ipairs(found.traps) do
    tell("%s (a trap)", printable(trap.message))
  end
  tell_parts(map, found, view, allow, tell)
  local places_in_all = 0
  for _, part in ipairs(found.components) do
    places_in_all = places_in_all + #part / step
  end
  local what = ("%s: %s"):format(printable(loaded.file), count(places_in_all, noun))
  if findings > 0 then
    say(context, "%s, %s", what, count(findings, "finding"))
  elseif found.connected then
    say(context, "%s, each can be reached from each", what)
  else
    say(context, "%s in %d components, no findings but what is allowed", what, #found.components)
  end
  return findings > 0 and FINDINGS or FINE
end

-- wend path --------------------------------------------------------------------------------------------------------

local function rules_text(rules)
  local texts = {}
  for i, rule in ipairs(rules or {}) do
    texts[i] = ("%s: %s"):format(printable(rule.name), rule.cost and number(rule.cost, 6) or "closed")
  end
  return table.concat(texts, "; ")
end

--- A table with columns as wide as what is in them.
local function say_table(context, rows)
  local widths = {}
  for _, row in ipairs(rows) do
    for column, text in ipairs(row) do
      widths[column] = math.max(widths[column] or 0, #text)
    end
  end
  for _, row in ipairs(rows) do
    local line = {}
    for column, text in ipairs(row) do
      line[column] = text .. (" "):rep(widths[column] - #text)
    end
    say(context, "%s", (table.concat(line, "  "):gsub("%s+$", "")))
  end
end

local function path(context)
  local arguments = context.arguments
  local map, loaded = read_map(context)
  local found, message = find_path(map, loaded, arguments.from, arguments.to, read_view(context))
  if not found then
    say(context, "%s", printable(message))
    return FINDINGS
  end
  local steps = 0
  if arguments.explain then
    local rows = { { "from", "to", "tag", "weight", "cost", "by" } }
    for i, edge in ipairs(found:explain()) do
      local grid = is_grid(map)
      rows[i + 1] = {
        grid and cell_text(edge.from_x, edge.from_y) or node_text(map, edge.from),
        grid and cell_text(edge.to_x, edge.to_y) or node_text(map, edge.to),
        edge.tag and printable(edge.tag) or "-", number(edge.weight, 6), number(edge.cost, 6), rules_text(edge.rules),
      }
      steps = i
    end
    say_table(context, rows)
  else
    for i, a, b in found:each() do
      say(context, "%s", b and ("%d,%d"):format(a, b) or node_text(map, a))
      steps = i - 1
    end
  end
  say(context, "cost %s, %s", number(found.cost), count(steps, is_grid(map) and "step" or "edge"))
  return FINE
end

-- wend bench -------------------------------------------------------------------------------------------------------

--- Random whole numbers in 1 .. n, the same on every Lua: Park and Miller's generator.
local function generator(seed)
  local state = seed % 2147483646 + 1
  local function draw(n)
    state = state * 16807 % 2147483647
    return 1 + math.floor((state - 1) / 2147483646 * n)
  end
  for _ = 1, 5 do
    draw(1)
  end
  return draw
end

local function bench(context)
  local arguments = context.arguments
  local map = read_map(context)
  local view = read_view(context)
  local grid = is_grid(map)
  local step = grid and 2 or 1
  -- Ends are drawn among what is open; parts say whether there must be a way.
  local ends, part_of = {}, {}
  for number_of_part, part in ipairs(map:check(view).components) do
    for i = 1, #part, step do
      ends[#ends + 1] = grid and { part[i], part[i + 1] } or part[i]
      part_of[#ends] = number_of_part
    end
  end
  if #ends == 0 then
    fail("%s has nothing that is open: there is nowhere to go", arguments.file)
  end

  local draw = generator(arguments.seed)
  local stats = {}
  local options = with(view, { into = {}, stats = stats })
  local found, none, failed, seconds, expanded, length = 0, 0, 0, 0, 0, 0
  local tell = progress(context, "trips")
  local results = {}
  for first = 1, arguments.trips, CHUNK do
    local last = math.min(first + CHUNK - 1, arguments.trips)
    local trips = {}
    for i = first, last do
      trips[i] = { draw(#ends), draw(#ends) }
    end
    local before = os.clock()
    for i = first, last do
      local a, b = ends[trips[i][1]], ends[trips[i][2]]
      if grid then
        results[i] = map:path(a[1], a[2], b[1], b[2], options)
      else
        results[i] = map:path(a, b, options)
      end
      expanded = expanded + stats.expanded
      length = length + (results[i] and #results[i] or 0)
    end
    seconds = seconds + os.clock() - before
    for i = first, last do
      if results[i] then
        found = found + 1
      elseif part_of[trips[i][1]] == part_of[trips[i][2]] then
        failed = failed + 1
      else
        none = none + 1
      end
      results[i] = nil
    end
    tell(last, arguments.trips)
  end
  context.finish()

  fact(context, "trips", "%d, seed %s", arguments.trips, number(arguments.seed))
  fact(context, "found", "%d", found)
  fact(context, "no way", "%d", none)
  fact(context, "failed", "%d", failed)
  fact(context, "time", "%.3g s, %.3g microseconds a trip", seconds, seconds / arguments.trips * 1e6)
  fact(context, "expanded", "%.1f %s a trip", expanded / arguments.trips, grid and "cells" or "nodes")
  fact(context, "length", "%.1f %s a path", found > 0 and length / step / found or 0, grid and "cells" or "nodes")
  return failed > 0 and FINDINGS or FINE
end

-- wend svg, convert, routes ------------------------------------------------------------------------------------------

local function draw(context)
  local arguments = context.arguments
  local map, loaded = read_map(context)
  local view = read_view(context)
  local paths = {}
  for i, ends in ipairs(arguments.path) do
    local found, message = find_path(map, loaded, ends[1], ends[2], view)
    if not found then
      context.stderr:write("wend: ", printable(message), "\n")
      return FINDINGS
    end
    paths[i] = found
  end
  local document = svg.draw(map, with(view, {
    path = paths, walls = loaded.level and loaded.level.walls, title = arguments.title, width = arguments.width,
  }))
  if arguments.output then
    write_file(arguments.output, document)
  else
    say(context, "%s", (document:gsub("\n$", "")))
  end
  return FINE
end

--- Any object that has a method save, into a file.
local function save(object, file)
  if type(object.save) ~= "function" then
    fail("cannot write %s: this build of wend has no method save", file)
  end
  must(object:save(file))
end

local function convert(context)
  local arguments = context.arguments
  local suffix = arguments.output:lower():match "%.(%w+)$"
  if suffix ~= "wend" and suffix ~= "txt" and suffix ~= "svg" then
    fail("cannot tell what to make of %s: its name must end in .wend, .txt or .svg", arguments.output)
  end
  local map, loaded = read_map(context)
  if suffix == "wend" then
    save(map, arguments.output)
  elseif suffix == "txt" then
    write_file(arguments.output, export.export(map))
  else
    write_file(arguments.output, svg.draw(map, { walls = loaded.level and loaded.level.walls }))
  end
  return FINE
end

local function routes(context)
  local arguments = context.arguments
  local map = read_map(context)
  if is_grid(map) then
    fail("%s is a grid, and route tables are of graphs", arguments.file)
  elseif type(map.routes) ~= "function" then
    fail "this build of wend has no route tables"
  end
  local tell = progress(context, "routes")
  local made = must(map:routes(with(read_view(context), { progress = tell })))
  context.finish()
  save(made, arguments.output)
  local nodes = map:node_count()
  local bytes = made:bytes()
  say(context, "%s, %d bytes, %.3g a pair", count(nodes, "node"), bytes, bytes / math.max(nodes * nodes, 1))
  return FINE
end

-- The command line -------------------------------------------------------------------------------------------------

local ABOUT = [[
Looks at the maps of games that find their way by wend: checks, measures, draws and converts them.]]

local EXAMPLES = [[
FILE is any map that wend reads, told by its first bytes or its name:
   .wend   what x:save(file) wrote           .map   a grid map of the Moving AI Lab
   .wpt    bot waypoints                     .lua   a level of Tiled, by its Lua export
   .gr     DIMACS arcs, with the .co         .gz    of .wpt, .gr, .map: packed by gzip

Examples:
   wend info level.wend                     what is in it
   wend check level.wend                    whether one can get everywhere, and back
   wend path level.wend gate keep           the cheapest path between two nodes
   wend path cave.map 2,13 56,16            ... and between two cells
   wend svg level.wend -o level.svg         a picture, for a browser
   wend convert level.lua level.wend        from Tiled to a file for the game
   wend check --help                        more about one command

Exit status: 0 fine, 1 findings or no path, 2 it could not be done.]]

local COSTS = [[
A file of costs is Lua that returns a table by tag, as wend.costs takes it, or what wend.costs makes of one:
   return { road = 0.5, lava = false, swamp = function(agent) return agent.boots and 1 or 2 end }
It and --agent are run as your own code: do not give files of people whom you do not trust.]]

local function not_negative(text)
  local value = tonumber(text)
  if not value or not (value >= 0 and value < 2 ^ 53) or value % 1 ~= 0 then
    return nil, ("expected a whole number >= 0, got '%s'"):format(text)
  end
  return value
end

local function positive(text)
  local value = not_negative(text)
  if not value or value < 1 then
    return nil, ("expected a whole number >= 1, got '%s'"):format(text)
  end
  return value
end

local COMMANDS = {
  {
    name = "info", run = info,
    summary = "Say what is in a file.",
    about = "Says what is in a file: its kind, how much of what, tags, components (parts in which each place "
      .. "can be reached from each other).",
    examples = [[
Examples:
   wend info level.wend
   wend info town.routes.wend --map town.wend      fields and route tables are of a map]],
    define = function(add)
      add.file()
      add.layer()
      add.option("--map", "The graph or grid that a field or a route table is of.", "FILE")
    end,
  },
  {
    name = "check", run = check,
    summary = "Find places that cannot be entered or left.",
    about = "Finds what a player would get stuck in: places that are cut off, sinks (in, but not out), "
      .. "sources (out, but not in) and traps (parts that can be entered but not left). One finding a "
      .. "line.",
    examples = [[
Examples:
   wend check level.wend                           for everybody
   wend check level.wend --allow drop              ways by this tag are meant to lead one way
   wend check level.wend --costs walker.lua --agent '{ boots = false }'

For build servers: the exit status is 0 where nothing was found, 1 where something was, and 2 where
FILE could not be read.]],
    define = function(add)
      add.file()
      add.layer()
      add.view()
      add.option("--allow", "A tag of ways that are meant to lead one way; can be given again.", "TAG"):count "*"
    end,
  },
  {
    name = "path", run = path,
    summary = "Find the cheapest path between two places.",
    about = "Finds the cheapest path. FROM and TO are names or ids of nodes, or x,y for cells; points of a "
      .. "Tiled map by their names.",
    examples = [[
Examples:
   wend path level.wend gate keep
   wend path level.wend gate keep --costs walker.lua --agent '{ boots = true }' --explain
   wend path cave.map 2,13 56,16

   wend path level.wend -- -a -b                   names that begin with a dash

The exit status is 1 where there is no path.]],
    define = function(add)
      add.file()
      add.argument("from", "Where it begins.")
      add.argument("to", "Where it ends.")
      add.layer()
      add.view()
      add.flag("--explain", "Say what each edge or step cost, and by which rules.")
    end,
  },
  {
    name = "bench", run = bench,
    summary = "Time random trips.",
    about = "Times paths between random places, the same on each run. Where there is a way and none is found, "
      .. "a trip has failed; none ever should.",
    examples = [[
Examples:
   wend bench level.wend
   wend bench level.wend --trips 100000 --seed 7 --costs walker.lua]],
    define = function(add)
      add.file()
      add.layer()
      add.view()
      add.option("--trips", "How many.", "N"):default "10000":convert(positive)
      add.option("--seed", "Which ones.", "N"):default "1":convert(not_negative)
      add.quiet()
    end,
  },
  {
    name = "svg", run = draw,
    summary = "Draw a picture.",
    about = "Draws a picture, to be opened with a browser.",
    examples = [[
Examples:
   wend svg level.wend -o level.svg
   wend svg level.wend --path gate keep --path mill keep -o level.svg
   wend svg level.wend --costs walker.lua -o level.svg     what is closed for the walker is drawn so]],
    define = function(add)
      add.file()
      add.layer()
      add.view()
      add.option("-o --output", "Where to write it; else standard output.", "OUT")
      add.option("--path", "Draw the cheapest path between two places; can be given again."):args(2)
        :argname { "FROM", "TO" }:count "*"
      add.option("--title", "A line above it.", "TEXT")
      add.option("--width", "In pixels; default 800.", "N"):convert(positive)
    end,
  },
  {
    name = "convert", run = convert,
    summary = "Write a map in another format.",
    about = "Writes a map in another format, told by the end of OUT: .wend for games, .txt for people and for "
      .. "diffs, .svg for a picture.",
    examples = [[
Examples:
   wend convert level.lua level.wend               from Tiled to a file for the game
   wend convert level.lua level.wend --layer ground
   wend convert level.wend level.txt               to see in version control what has changed]],
    define = function(add)
      add.file()
      add.argument("output", "A file to write.", "OUT")
      add.layer()
    end,
  },
  {
    name = "routes", run = routes,
    summary = "Work out all routes of a graph.",
    about = "Works out a table of the cheapest routes between all nodes of a graph, from which a game reads "
      .. "them without a search.",
    examples = [[
Examples:
   wend routes level.wend -o level.routes.wend
   wend routes level.wend -o walker.routes.wend --costs walker.lua]],
    define = function(add)
      add.file()
      add.layer()
      add.view()
      add.option("-o --output", "Where to write it.", "OUT"):count "1"
      add.quiet()
    end,
  },
}

local USES_COSTS = { check = true, path = true, bench = true, svg = true, routes = true }

--- A flag that ends the parsing, for want of another way by an error. What there is to print goes into asked: printing
--- it and exiting, as argparse would, is not for who calls main.
local function add_ending_flag(parser, asked, name, about, text)
  parser:flag(name, about):action(function()
    asked.text = text()
    error "asked"
  end)
end

local function add_help(parser, asked)
  parser:add_help(false):help_max_width(100)
  add_ending_flag(parser, asked, "-h --help", "Show this help.", function() return parser:get_help() end)
end

local function define(parser, one)
  local add = {}
  function add.argument(name, about, shown)
    shown = shown or name:upper()
    return parser:argument(shown, about):target(name):argname(shown)
  end
  function add.option(name, about, shown)
    local option = parser:option(name, about):overwrite(false)
    return shown and option:argname(shown) or option
  end
  function add.flag(name, about)
    return parser:flag(name, about)
  end
  function add.file()
    add.argument("file", "The map.")
  end
  function add.layer()
    add.option("--layer", "Which layer of a Tiled map, by name or number, or graph; default: the first.", "NAME")
  end
  function add.view()
    add.option("--costs", "A Lua file: what the agent thinks of the tags.", "FILE")
    add.option("--agent", "Who it is for: a Lua expression, handed to the functions of the costs.", "LUA")
  end
  function add.quiet()
    add.flag("--quiet", "Do not tell how far it has come (which is told to terminals alone).")
  end
  one.define(add)
end

local function make_parser(argparse, asked)
  local parser = argparse("wend", ABOUT, EXAMPLES):require_command(false):command_target "command"
  add_help(parser, asked)
  add_ending_flag(parser, asked, "--version", "Say which version this is.", function()
    local jit = rawget(_G, "jit")
    return ("wend %s, %s"):format(core.version, jit and jit.version or _VERSION)
  end)
  for _, one in ipairs(COMMANDS) do
    local child = parser:command(one.name):summary(one.summary):description(one.about)
      :epilog(one.examples .. (USES_COSTS[one.name] and "\n\n" .. COSTS or ""))
    add_help(child, asked)
    define(child, one)
  end
  return parser
end

--- What was thrown, as a sentence: without the place in this file where it came out.
local function sentence(problem)
  local text = type(problem) == "table" and problem.message or tostring(problem)
  return printable((text:gsub("^[^\n:]*command%.lua:%d+: ", ""):gsub("\n.*", "")))
end

local function run_command(context, arguments)
  local ok, argparse = pcall(require, "argparse")
  if not ok then
    if not tostring(argparse):find("'argparse' not found", 1, true) then
      error(argparse, 0)
    end
    fail "the command needs the Lua module argparse: `luarocks install argparse`, or Debian's package lua-argparse"
  end
  local asked = {}
  local parser = make_parser(argparse, asked)
  local valid, parsed, result = pcall(parser.pparse, parser, arguments)
  if asked.text then
    say(context, "%s", asked.text)
    return FINE
  elseif not valid then
    error(parsed, 0)
  elseif not parsed then
    local known
    for _, one in ipairs(COMMANDS) do
      known = known or one.name == arguments[1] and one.name
    end
    fail("%s (wend%s --help says more)", result, known and " " .. known or "")
  elseif not result.command then
    context.stderr:write(parser:get_help(), "\n")
    return FAILED
  end
  context.arguments = result
  for _, one in ipairs(COMMANDS) do
    if one.name == result.command then
      return one.run(context)
    end
  end
end

---@class wend.Streams
---@field stdout { write: fun(self: table, ...: string) }
---@field stderr { write: fun(self: table, ...: string) }
---@field terminal? boolean whether stderr is one; default: it is asked

--- Does what the arguments say.
---@param arguments string[]
---@param streams? wend.Streams default: io
---@return integer status
function command.main(arguments, streams)
  streams = streams or io
  local context = { stdout = streams.stdout, stderr = streams.stderr, terminal = streams.terminal, arguments = {} }
  if streams ~= io and context.terminal == nil then
    context.terminal = false
  end
  local list = {} -- arg has more than arguments: what stands before them
  for i = 1, #arguments do
    list[i] = arguments[i]
  end
  local ok, status = pcall(run_command, context, list)
  if context.finish then
    context.finish()
  end
  if ok then
    return status
  end
  context.stderr:write("wend: ", sentence(status), "\n")
  return FAILED
end

return command
