-- SPDX-License-Identifier: MIT
-- The calls that the API fuzzer draws from: every method and function of wend, with what its arguments usually are.
-- An argument is a function (W, object) that returns a value; each may be replaced by a hostile one.

local values = require "spec.fuzz.values"
local World = require "spec.fuzz.world"

local calls = {}

local TAGS = values.TAGS

-- Arguments --------------------------------------------------------------------------------------------------------

local function map_of(W, object) return W:map(object) or object end

local function whole(low, high) return function(W) return W:rnd(low, high) end end
local function number(W) return W:chance(0.5) and W:rnd(-5, 40) or W:rnd() * 40 end
local function positive(W) return W:rnd(0, 20) / 2 end
local function boolean(W) return W:chance(0.5) end
local function tag(W) return W:pick(TAGS) end
local function maybe(arg) return function(W, object) if W:chance(0.5) then return arg(W, object) end end end
local function one_of(...)
  local list = { ... }
  return function(W) return W:pick(list) end
end
local function either(...)
  local list = { ... }
  return function(W, object) return W:pick(list)(W, object) end
end
local function callback(role) return function(W) return values.callback(W, role) end end
local function object(...)
  local list = { ... }
  return function(W) return W:any(list) end
end

local function node(W, o)
  local top = W.sizes[map_of(W, o)]
  if W:chance(0.05) then return "node" .. W:rnd(9) end
  return W:rnd(type(top) == "number" and top or 20)
end
local function edge() return function(W) return W:rnd(W:chance(0.9) and 40 or 200) end end
local function axis(which)
  return function(W, o)
    local size = W.sizes[map_of(W, o)]
    return W:rnd(type(size) == "table" and size[which] or 5)
  end
end
local x_axis, y_axis = axis(1), axis(2)
local function px(W) return number(W) end
local function py(W) return number(W) end
-- The second axis of each first one: two such arguments may be one value with fields.
local SECOND = { [x_axis] = y_axis, [px] = py }

-- A list. A script in the middle of a call finds it as W.reading.
local function list(arg, least, most, width)
  return function(W, o)
    local t = {}
    for i = 1, W:rnd(least, most) * (width or 1) do
      t[i] = arg(W, o)
      if W.hostility > 0 and W:chance(W.hostility / 8) then t[i] = values.hostile(W) end
    end
    W.reading = t
    return t
  end
end

local function cells(least, most)
  return function(W, o)
    local t = {}
    for i = 1, W:rnd(least, most) do t[2 * i - 1], t[2 * i] = x_axis(W, o), y_axis(W, o) end
    W.reading = t
    return t
  end
end

local function marks(W)
  return { ["@"] = { number(W), number(W) }, ["é"] = { { number(W), 1 }, { x = 1, y = number(W) } } }
end
local function area(W, o) return { x_axis(W, o), y_axis(W, o), x_axis(W, o), y_axis(W, o) } end

local function name(W) return "node" .. W:rnd(9) end
local function mod_name(W) return "mod" .. W:rnd(3) end

-- A table of options: a list { key, argument, key, argument, ... }.
local function options(spec, share)
  return function(W, o)
    local t = {}
    for i = 1, #spec, 2 do
      if W:chance(share or 0.25) then
        if W.hostility > 0 and W:chance(W.hostility) then
          t[spec[i]] = values.hostile(W)
        else
          t[spec[i]] = spec[i + 1](W, o)
        end
      end
    end
    if W.hostility > 0 and W:chance(W.hostility / 4) then t.unknown = 1 end
    if W:chance(0.15) then return values.proxy(W, t) end
    return t
  end
end

local function join(...)
  local all = {}
  for _, part in ipairs { ... } do
    for _, item in ipairs(part) do all[#all + 1] = item end
  end
  return all
end

local function point(W, o)
  local three = W.dimensions[map_of(W, o)] == 3 and not W:chance(0.05)
  local p
  if W:chance(0.5) then
    p = { number(W), number(W), three and number(W) or nil }
  else
    p = { x = number(W), y = number(W), z = three and number(W) or nil }
  end
  W.reading = p
  if W:chance(0.1) then return values.proxy(W, p) end
  return p
end

local function clear(W)
  local what = W:rnd(6)
  if what <= 3 then return values.callback(W, "clear") end
  if what == 4 then return W:get "walls" end
  if what == 5 then return W:get "grid" end
  local answer = values.callback(W, "clear")
  return { clear = function(_, ...) return answer(...) end }
end

local costs = object "costs"
local function agent(W) return W:chance(0.5) and { boots = true } or W:any(values.OBJECTS) end


-- Layers and factors, of any maps.
local function influences(W)
  if W:chance(0.1) then return (W:any { "graph_path", "grid_path" } or {}).influence end
  local t = {}
  for i = 1, W:rnd(0, 2) do t[2 * i - 1], t[2 * i] = W:any { "influence" }, W:pick { 0, 0.5, 3 } end
  W.reading = t
  return t
end

local ASK = { "costs", costs, "agent", agent, "cost", callback "edge", "at_least", one_of(0, 0.5, 1),
  "size", one_of(1, 2, 3, 32), "influence", influences }
local function into(...)
  local kinds = { ... }
  return function(W)
    if W:chance(0.2) then return {} end
    return W:any(kinds)
  end
end
local SIGHT = { "opaque", list(tag, 0, 2), "transparent", list(tag, 0, 2) }
local range = { "within", one_of(0, 1, 2.5, 40), "beside", boolean, "sight",
  either(boolean, object "walls", function(W) return { opaque = list(tag, 0, 2)(W), transparent = { tag(W) } } end) }
local any_into = into("graph_path", "grid_path", "into")
local SEARCH = join(ASK, {
  "algorithm", one_of("astar", "dijkstra"),
  "heuristic", either(one_of("auto", "zero", "euclidean", "manhattan", "chebyshev", "octile"), callback "heuristic"),
  "max_expanded", whole(1, 30), "max_cost", positive, "partial", boolean,
  "variation", one_of(0, 0.1, 1), "seed", whole(1, 9),
  "into", any_into, "stats", into("into", "graph_path"),
})
local RANGED = join(SEARCH, range)
local BATCH = join(ASK, {
  "algorithm", one_of("astar", "dijkstra"), "max_expanded", whole(1, 30), "max_cost", positive, "partial", boolean,
  "stats", into("into", "graph_path"),
})
local OTHERS = join(ASK, range, { "count", whole(1, 5), "worse", one_of(0.1, 1, 9), "overlap", one_of(0.1, 0.5, 1),
  "seed", whole(1, 9), "max_expanded", whole(1, 50), "max_cost", positive })
local PREPARE = { "landmarks", whole(1, 16), "costs", costs, "agent", agent, "on_progress", callback "progress",
  "sliced", boolean }
local UNPREPARE = { "costs", costs, "agent", agent }
local PREPARED = { "costs", costs, "agent", agent, "cost", callback "edge", "at_least", one_of(0, 0.5, 1),
  "size", one_of(1, 2, 3) }
local GRID = { "diagonals", one_of("both_open", "one_open", "always", "never"), "diagonal_length", one_of(1, 1.5, 2),
  "cell", one_of(1, 0.5, 32, { 64, 32 }), "origin", point, "projection", one_of("orthogonal", "isometric") }
local goals = either(node, list(node, 1, 4))
local FIELD = join(ASK, range, { "values", list(positive, 1, 4), "outward", boolean, "max_cost", positive,
  "max_expanded", whole(1, 50), "stats", into "into", "into", into("graph_field", "grid_field") })
local GRID_FIELD = join(FIELD, { "window", whole(1, 9) })
local reach = either(node, list(node, 1, 3), object "graph_field")
local NEAR = join(ASK, { "max_distance", positive, "limit", whole(1, 9), "can_reach", reach, "reachable_from", reach,
  "clear", clear, "clearance", maybe(positive), "into", into "into" })
local function tiled_level(W)
  local orientation = W:pick { "isometric", "staggered", "hexagonal", "x" }
  return { data = { tiled = { orientation = orientation, axis = W:pick { "x", "y" },
    index = W:pick { "odd", "even" }, column = -1, row = 0, columns = 3, rows = W:pick { 0, 2, 0.5 } } } }
end
local cell = either(cells(1, 3), function(W, o) return { x = x_axis(W, o), y = y_axis(W, o) } end, object "grid_field")
local RANDOM = join(ASK, { "can_reach", reach, "reachable_from", reach })
local RANDOM_CELL = join(ASK, { "can_reach", cell, "reachable_from", cell })
local NEAR_CELL = join(RANDOM_CELL, { "max_distance", positive })
local line = either(list(number, 2, 6, 2), object("graph_path", "grid_path"), object "into")
local bytes = function(W)
  local entry = W:get "bytes"
  if not entry then return "wend" end
  local text = entry[1]
  W.decoding = entry[2]
  if W:chance(0.3) then
    local at = W:rnd(#text)
    text = text:sub(1, at - 1) .. string.char(W:rnd(0, 255)) .. text:sub(at + 1)
  end
  return text
end
local ROUTE = join(SEARCH, { "max_distance", positive, "enter", one_of("node", "edge"), "clear", clear,
  "straighten", boolean, "jitter", positive })
local GRID_ROUTE = join(RANGED, { "clear", clear, "clearance", maybe(positive), "straighten", boolean })
local function value(W)
  local what = W:rnd(6)
  if what <= 2 then return W:rnd(0, 9) end
  if what == 3 then return false end
  if what == 4 then return tag(W) end
  local t = { weight = W:rnd(0, 5), tag = tag(W), closed = W:chance(0.2) }
  if W:chance(0.2) then return values.proxy(W, t) end
  return t
end
local function tag_value(W)
  local what = W:rnd(6)
  if what <= 2 then return W:rnd(0, 6) / 2 end
  if what == 3 then return false end
  if what == 4 then return values.callback(W, "rule") end
  local t = { times = W:rnd(0, 4) / 2, plus = W:rnd(0, 3) }
  if W:chance(0.2) then return values.proxy(W, t) end
  return t
end
local function tag_values(W)
  local t = {}
  for _, key in ipairs(TAGS) do
    if W:chance(0.5) then t[key] = tag_value(W) end
  end
  return t
end
local function legend(W)
  local t = { a = "swamp", b = false, ["~"] = { weight = 2, tag = "toll", closed = W:chance(0.2) }, ["é"] = "tag é" }
  W.legend = t
  return t
end
local function drawing(W)
  local rows, width = {}, W:rnd(1, 9)
  for y = 1, W:rnd(1, 6) do
    local row = {}
    for x = 1, width do row[x] = W:pick { ".", ".", ".", "#", "a", "~", "é" } end
    rows[y] = table.concat(row)
  end
  W.reading = rows
  return W:chance(0.5) and rows or table.concat(rows, "\n")
end
local POINTS = { "jitter", positive, "seed", whole(1, 9), "clear", clear, "clearance", maybe(positive),
  "into", any_into }
local CURVE = { "curve", one_of("catmull_rom", "hermite", "linear"), "spacing", one_of(0.5, 1, 5), "clear", clear,
  "clearance", maybe(positive), "loop", boolean, "dimensions", one_of(2, 3) }

-- Methods ----------------------------------------------------------------------------------------------------------

local M = {}

M.graph = {
  { "add_node", px, py, options { "name", name, "radius", positive, "tag", tag } },
  { "add_node", function(W, g)
    local p = { x = number(W), y = number(W), z = W.dimensions[g] == 3 and number(W) or nil, radius = positive(W) }
    if W:chance(0.3) then p.name = name(W) end
    return p
  end },
  { "add_nodes", list(number, 1, 5, 2), options { "tag", tag } }, { "set_node_tag", node, maybe(tag) },
  { "node_tag", node },
  { "overlay" }, { "reset" }, { "reset", node }, { "reset_edge", edge() },
  { "add_edge", node, node, options { "weight", positive, "tag", tag, "directed", boolean, "width", positive } },
  { "add_edge", node, node, options { "weight", positive, "tag", tag, "directed", boolean, "width", positive } },
  { "add_edges", list(node, 1, 6, 2), options { "weights", list(positive, 1, 6), "tag", tag, "directed", boolean,
    "width", positive } }, { "set_width", edge(), maybe(positive) },
  { "remove_node", node }, { "remove_edge", edge() }, { "has", node }, { "has_edge", edge() }, { "close", node },
  { "open", node }, { "is_closed", node }, { "close_edge", edge() }, { "open_edge", edge() }, { "node", name },
  { "name", node }, { "set_name", node, maybe(name) }, { "position", node },
  { "move", node, px, py, function(W, g) return W.dimensions[g] == 3 and 1 or nil end },
  { "radius", node }, { "set_radius", node, positive }, { "is_measured", edge() }, { "edge", edge() },
  { "edge_between", node, node }, { "set_weight", edge(), maybe(positive) }, { "set_tag", edge(), maybe(tag) },
  { "edges", node }, { "edges" }, { "tags" }, { "copy" }, { "nodes" }, { "node_count" }, { "edge_count" },
  { "dimensions" }, { "bytes" },
  { "path", node, goals, options(RANGED) }, { "path", node, goals, options(RANGED) },
  { "path", node, goals, options(RANGED) },
  { "paths", list(node, 0, 12, 2), options(BATCH) }, { "alternatives", node, goals, options(OTHERS) },
  { "can_reach", node, goals, options(ASK) }, { "can_reach", node, node, options(ASK) },
  { "search", node, goals, options(RANGED) }, { "search", node, goals, options(RANGED) },
  { "field", goals, options(FIELD) },
  { "field", goals, options(FIELD) },
  { "nearest", px, py, options(NEAR) }, { "nearest", point, options(NEAR) },
  { "nearest_edge", px, py, options(NEAR) }, { "nearest_edge", point, options(NEAR) },
  { "random", number, options(RANDOM) },
  { "link", options { "limit", whole(1, 4), "max_distance", positive, "walls", object "walls", "clear", clear,
    "tag", tag, "directed", boolean, "widths", boolean } },
  { "check", options(join(ASK, { "allow", list(tag, 0, 3), "walls", clear, "too_close", positive,
    "too_far", positive })) },
  { "chokepoints", options(join(ASK, { "min", whole(1, 3), "limit", whole(1, 9) })) },
  { "explain", list(node, 0, 6), options(ASK) },
  { "why_not", node, goals, options(SEARCH) }, { "why_not", node, goals, options(SEARCH) },
  { "prepare", options(PREPARE, 0.4) }, { "prepared", options(PREPARED) }, { "unprepare", options(UNPREPARE) },
  { "encode", options { "prepared", boolean } },
  { "routes", options(join(ASK, { "on_progress", callback "progress" })) },
  { "route", either(point, node), either(point, node), options(join(SEARCH, {
    "max_distance", positive, "enter", one_of("node", "edge"), "clear", clear, "straighten", boolean,
    "jitter", positive })) },
  { "route", point, point, options(join(SEARCH, { "enter", one_of("edge"), "clear", clear, "straighten", boolean,
    "jitter", positive })) },
}

M.grid = {
  { "overlay" }, { "reset" }, { "reset", x_axis, y_axis }, { "reset", x_axis, y_axis, x_axis, y_axis },
  { "overlay", options { "unknown", value } }, { "reveal", x_axis, y_axis }, { "is_known", x_axis, y_axis },
  { "frontier", options { "into", any_into } },
  { "first_cut", cells(2, 2), cells(0, 3), cells(1, 2), options(ASK, 0.5) },
  { "sees", x_axis, y_axis, x_axis, y_axis, options(SIGHT) },
  { "visible", x_axis, y_axis, one_of(0, 2.5, 30), options(join(SIGHT, { "into", any_into })) },
  { "reveal", x_axis, y_axis, x_axis, y_axis },
  { "width" }, { "height" }, { "bytes" }, { "get", x_axis, y_axis }, { "set", x_axis, y_axis, value },
  { "set", x_axis, y_axis, value }, { "fill", value }, { "fill", x_axis, y_axis, x_axis, y_axis, value },
  { "map", callback "map" }, { "set", x_axis, y_axis, positive, tag },
  { "close", x_axis, y_axis }, { "close", x_axis, y_axis, x_axis, y_axis }, { "open", x_axis, y_axis },
  { "open", x_axis, y_axis, x_axis, y_axis }, { "is_closed", x_axis, y_axis }, { "weight", x_axis, y_axis },
  { "has", x_axis, y_axis }, { "position", x_axis, y_axis },
  { "wall", x_axis, y_axis, x_axis, y_axis, maybe(boolean) },
  { "link", x_axis, y_axis, x_axis, y_axis, options { "weight", positive, "tag", tag, "directed", boolean } },
  { "unlink", x_axis, y_axis, x_axis, y_axis }, { "cell_at", px, py },
  { "path", x_axis, y_axis, x_axis, y_axis, options(RANGED) },
  { "path", x_axis, y_axis, x_axis, y_axis, options(RANGED) },
  { "path", x_axis, y_axis, cells(1, 4), options(RANGED) },
  { "paths", list(x_axis, 0, 9, 4), options(BATCH) },
  { "alternatives", x_axis, y_axis, x_axis, y_axis, options(OTHERS) },
  { "can_reach", x_axis, y_axis, x_axis, y_axis, options(ASK) },
  { "can_reach", x_axis, y_axis, cells(1, 4), options(ASK) },
  { "search", x_axis, y_axis, x_axis, y_axis, options(RANGED) },
  { "search", x_axis, y_axis, cells(1, 4), options(RANGED) },
  { "clear", x_axis, y_axis, x_axis, y_axis, options(ASK) },
  { "clear_points", px, py, px, py, options(ASK) },
  { "straighten", object "grid_path", options(join(ASK, { "into", any_into })) },
  { "straighten", object "grid_path", options(join(ASK, { "into", any_into })) },
  { "route", point, point, options(join(RANGED, { "clear", clear, "straighten", boolean })) },
  { "route", point, point, options(join(RANGED, { "clear", clear, "straighten", boolean })) },
  { "check", options(join(ASK, { "allow", list(tag, 0, 3) })) },
  { "chokepoints", options(join(ASK, { "min", whole(1, 3), "limit", whole(1, 9) })) },
  { "explain", cells(0, 6), options(ASK) },
  { "why_not", x_axis, y_axis, x_axis, y_axis, options(SEARCH) }, { "why_not", x_axis, y_axis, cells(1, 4),
    options(SEARCH) },
  { "prepare", options(PREPARE, 0.4) }, { "prepared", options(PREPARED) }, { "unprepare", options(UNPREPARE) },
  { "encode", options { "prepared", boolean } },
  { "walls" }, { "links" }, { "diagonals" }, { "cell_size" }, { "origin" }, { "projection" }, { "tags" },
  { "copy" }, { "diagonal_length" },
  { "text", options { "path", object "grid_path", "route", list(number, 1, 4, 2), "points", list(number, 1, 4, 2),
    "marks", marks, "area", area } },
  { "nearest", px, py, options(NEAR_CELL) }, { "nearest", point, options(NEAR_CELL) },
  { "random", number, options(RANDOM_CELL) },
  { "field", x_axis, y_axis, options(GRID_FIELD) },
  { "field", cells(1, 4), options(GRID_FIELD) },
}

local function field_methods(kind, ...)
  local at = { ... }
  local path_into = { "path", ... }
  path_into[#path_into + 1] = options { "into", any_into }
  return {
    { "cost", World.unpack(at) }, { "next", World.unpack(at) }, { "next", World.unpack(at) },
    { "path", World.unpack(at) }, path_into, { "goal", World.unpack(at) },
    { "each" }, { "bytes" }, { "valid" }, { "encode" },
    { "add", object(kind), maybe(number) }, { "scale", number }, { "scale", one_of(-1, -1.2, 0.5) }, { "relax" },
    { "relax" }, { "update" }, { "update" }, { "update" },
  }
end
M.graph_field = field_methods("graph_field", node)
M.grid_field = field_methods("grid_field", x_axis, y_axis)

M.routes = {
  { "path", node, node, options { "into", any_into } }, { "cost", node, node }, { "next", node, node }, { "bytes" },
  { "encode" }, { "valid" },
}
M.graph_search = {
  { "step", whole(1, 3) }, { "step", whole(1, 9) }, { "step", whole(1, 99) }, { "result" },
  { "bytes" },
}
M.grid_search = M.graph_search
M.preparation = {
  { "step", whole(1, 30) }, { "step", whole(1, 999) }, { "step", whole(1, 1e6) }, { "progress" }, { "report" },
}
local function path_methods(kind, places)
  return { { "each" }, { "points", options(POINTS) }, { "edges", options { "into", any_into } }, { "valid" },
    { "explain", options(ASK) }, { "encode" }, { "compare", object(kind), options(ASK) },
    { "compare", places, options(ASK) } }
end
M.graph_path = path_methods("graph_path", list(node, 0, 6))
M.grid_path = path_methods("grid_path", cells(0, 6))
M.walls = {
  { "add_segment", px, py, px, py }, { "add_polygon", list(number, 3, 6, 2) },
  { "add_circle", px, py, positive }, { "clear", px, py, px, py, maybe(positive) },
  { "each" }, { "count" }, { "bytes" },
  { "remove", whole(1, 9) }, { "has", whole(1, 20) }, { "encode" },
}
M.influence = { { "visible_from", cells(0, 3), one_of(0, 2.5, 30), options(SIGHT) },
  { "decay", one_of(0, 0.5, 1) }, { "reset" }, { "obstacle_distance" }, { "invert", positive },
  { "bytes" }, { "encode" }, { "from_field", object("graph_field", "grid_field"), maybe(positive) }, { "free" } }
for _, place in ipairs { { node }, { x_axis, y_axis } } do
  for _, rest in ipairs { { "get" }, { "set", positive }, { "add", number },
    { "stamp", positive, number, maybe(one_of("linear", "smooth", "flat")) } } do
    local spec = { rest[1] }
    for _, part in ipairs(place) do spec[#spec + 1] = part end
    for i = 2, #rest do spec[#spec + 1] = rest[i] end
    M.influence[#M.influence + 1] = spec
  end
end
local paths = object("graph_path", "grid_path")
M.watch = {
  { "add", paths }, { "add", paths }, { "add", paths }, { "remove", paths }, { "affected" }, { "affected" },
  { "affected", options { "into", any_into } }, { "count" }, { "bytes" },
}
M.level = { { "encode" } }
M.costs = {
  { "set", tag, tag_value }, { "get", tag },
  { "rule", function(W) return "rule" .. W:rnd(4) end, tag, callback "rule", options { "priority", number } },
  { "edge_rule", function(W) return "rule" .. W:rnd(4) end, callback "edge",
    options { "priority", number, "tags", list(tag, 1, 3), "at_least", one_of(0, 0.5, 1) } },
  { "remove", function(W) return "rule" .. W:rnd(4) end }, { "rules" },
  { "unknown", object("graph", "grid", "level") },
  { "mod", mod_name, options { "priority", number } }, { "mod", mod_name }, { "mods" }, { "remove_mod", mod_name },
  { "readonly" },
}
M.mod = {
  { "set", tag, tag_value }, { "get", tag },
  { "rule", function(W) return "rule" .. W:rnd(4) end, tag, callback "rule", options { "priority", number } },
  { "edge_rule", function(W) return "rule" .. W:rnd(4) end, callback "edge",
    options { "priority", number, "tags", list(tag, 1, 3), "at_least", one_of(0, 0.5, 1) } },
  { "remove", function(W) return "rule" .. W:rnd(4) end }, { "reset" }, { "reload", callback "any" },
}
M.follower = {
  { "update", one_of(0, 0.1, 1, 50) }, { "update", one_of(0.1, 1) }, { "remaining" }, { "line" }, { "stop" },
  { "go", line }, { "go", line, options { "join", boolean } }, { "pause" }, { "resume" }, { "resume", number, number },
  { "encode" },
}
-- Requests of a queue: the map is drawn first, and then arguments that suit it.
local function on(kind)
  return function(W)
    W.asked = W:get(kind)
    return W.asked
  end
end
local function at(arg) return function(W) return arg(W, W.asked) end end
local REQUEST = { "priority", whole(-2, 2), "owner", one_of(1, 2, "unit"), "on_done", callback "done",
  "share", one_of(true, false) }
local SHARED = join(ASK, { "share", one_of(true), "on_done", callback "done" })
M.queue = {
  { "path", on "graph", at(node), at(goals), options(join(RANGED, REQUEST)) },
  { "path", on "graph", at(node), at(node), options(SHARED, 0.6) },
  { "path", on "grid", at(x_axis), at(y_axis), at(x_axis), at(y_axis), options(join(RANGED, REQUEST)) },
  { "path", on "grid", at(x_axis), at(y_axis), at(cells(1, 4)), options(join(RANGED, REQUEST)) },
  { "path", on "grid", at(x_axis), at(y_axis), at(x_axis), at(y_axis), options(SHARED, 0.6) },
  { "path", on "grid", at(x_axis), at(y_axis), whole(1, 2), whole(1, 2), options(SHARED, 0.6) },
  { "route", on "graph", at(either(point, node)), at(either(point, node)), options(join(SEARCH, REQUEST)) },
  { "route", on "grid", at(point), at(point), options(join(RANGED, REQUEST, { "clear", clear })) },
  { "field", on "graph", at(goals), options(join(FIELD, REQUEST)) },
  { "field", on "grid", at(x_axis), at(y_axis), options(join(GRID_FIELD, REQUEST)) },
  { "update", object("graph_field", "grid_field"), options(REQUEST) },
  { "step", whole(1, 9) }, { "step", whole(1, 99) }, { "step", whole(1, 999) }, { "step", one_of(math.huge) },
  { "run", one_of(0, 0.0001, 0.001) }, { "run", one_of(0, 0.001), callback "any" },
  { "pending" }, { "cancel", one_of(1, 2, "unit") }, { "clear" },
}
M.request = { { "cancel" } }
local WALKER = { "radius", one_of(0.001, 0.2, 0.5, 3, 1e6), "speed", one_of(0, 1, 9, 1e6),
  "patience", one_of(0.1, 1, math.huge), "squeeze", one_of(0.1, 1, false, math.huge),
  "acceleration", one_of(1e-9, 0.5, 5, math.huge),
  "priority", whole(-2, 2), "group", tag, "avoids", list(tag, 0, 3), "costs", object("costs"), "agent", agent,
  "influence", influences }
local function walker(W)
  local made = options(WALKER)(W)
  if getmetatable(made) == nil then made.x, made.y = number(W), number(W) end
  return made
end
local GO = { "costs", object("costs"), "agent", agent, "height", number }
M.crowd = {
  { "add", walker }, { "add", walker }, { "update", one_of(0, 1 / 60, 1 / 30, 0.2) },
  { "update", one_of(0.1, 1, 1e300) },
  { "go", list(object("walker"), 0, 4), number, number, options(GO) }, { "go", list(object("walker"), 1, 4), point },
  { "near", number, number, positive }, { "near", point, positive }, { "each" }, { "count" }, { "positions" },
  { "positions", object("into") }, { "hash" }, { "bytes" },
}
M.walker = {
  { "go", number, number }, { "go", number, number, options(GO) }, { "go", point }, { "go", line },
  { "go", object("grid_field", "graph_field") }, { "go", object("grid_path", "graph_path") }, { "stop" }, { "pause" },
  { "resume" }, { "push", number, number }, { "place", number, number }, { "place", point }, { "remove" },
}

-- Functions of the module.
local function core(W) return W.wend.core end
local FUNCTIONS = {
  { "graph", options { "dimensions", one_of(2, 3) } },
  { "queue", options { "limit", whole(1, 9), "clock", callback "any" } },
  { "crowd", options({ "map", object("grid", "graph"), "walls", object("walls"), "costs", object("costs"),
    "queue", object("queue"), "up", one_of("y", "z") }, 0.4) },
  { "crowd", options({ "map", object("grid"), "influence", influences, "max_steps", whole(1, 9),
    "budget", one_of(1, 50, 5000), "seed", whole(0, 99) }, 0.8) },
  { "grid", whole(1, 12), whole(1, 12), options(GRID) },
  { "parse_grid", drawing, legend, options(GRID) }, { "parse_grid", drawing, legend, options(GRID) },
  { "walls" }, { "watch", object("graph", "grid") }, { "watch", object("graph", "grid") },
  { "influence", object("graph", "grid") }, { "influence", object("graph", "grid") },
  { "costs", tag_values, options { "default", tag_value, "base", costs } },
  { "costs", tag_values, options { "default", tag_value, "base", costs } },
  { "trace", node, node, options(ASK), on = "graph" },
  { "follow", line, options(join(CURVE, { "speed", positive, "stops", list(tag, 0, 2),
    "speeds", function() return { swamp = 0.5, road = 2 } end, "on_point", callback "clear" })) },
  { "curve", line, options(CURVE) },
  { "lerp", number, number, number }, { "hermite", number, number, number, number, number },
  { "decode", bytes, options({ "map", function(W) return W.decoding end, "costs", costs }, 0.7) },
  { "decode", bytes, options({ "map", function(W) return W.decoding end }, 0.9) },
  { "decode", function(W)
      local ok, made = pcall(function() return W:any({ "follower", "graph_path", "grid_path" }):encode() end)
      return ok and made or "WEND"
    end, options({ "map", object("graph", "grid"), "costs", costs, "agent", agent, "cost", callback "edge",
      "clear", clear, "on_point", callback "clear" }, 0.9) },
  { "level", options { "grid", object "grid", "graph", object "graph", "walls", object "walls",
    "data", tag_values } },
  { "svg", object("graph", "grid", "walls", "level"), options { "path", object("graph_path", "grid_path"),
    "field", object("graph_field", "grid_field"), "walls", object "walls", "costs", costs, "labels", boolean } },
  { "read_tiled", function(W)
    return { width = 2, height = 2, tilewidth = 2, tileheight = 4, layers = {}, staggeraxis = "x", staggerindex = "odd",
      hexsidelength = W:pick { 0, 1, 2 },
      orientation = W:pick { "orthogonal", "isometric", "staggered", "hexagonal" } }
  end },
  { "tile_of_cell", tiled_level, whole(-2, 5), whole(-2, 5) },
  { "cell_of_tile", tiled_level, whole(-2, 5), whole(-2, 5) },
  { "load", one_of("no such file", "/", "") },
  { "type", object(World.unpack(values.OBJECTS)) },
}
local CORE = {
  { "graph", options { "dimensions", one_of(2, 3) } }, { "grid", whole(1, 5), whole(1, 5), options(GRID) },
  { "parse_grid", drawing, legend, options(GRID) }, { "walls" }, { "path_watch", object("graph", "grid") },
  { "decode", bytes }, { "values", list(number, 0, 4, 1) },
  { "draw", object "grid", whole(1, 5), whole(1, 5), whole(1, 5), whole(1, 5), list(number, 0, 4, 3) },
  { "start", node, goals, options(RANGED), on = "graph", of = "path" },
  { "start", either(point, node), either(point, node), options(ROUTE), on = "graph", of = "route" },
  { "start", goals, options(FIELD), on = "graph", of = "field" },
  { "start", x_axis, y_axis, cells(1, 4), options(RANGED), on = "grid", of = "path" },
  { "start", point, point, options(GRID_ROUTE), on = "grid", of = "route" },
  { "start", cells(1, 4), options(GRID_FIELD), on = "grid", of = "field" },
}

-- Calls whose functions may not edit the map.
local LOCKS = {
  path = true, paths = true, step = true, field = true, routes = true, check = true, why_not = true, route = true,
  nearest = true,
  nearest_edge = true, random = true,
  explain = true, compare = true, chokepoints = true, prepare = true, prepared = true,
  straighten = true, clear = true, clear_points = true, relax = true, update = true,
}

-- One call ---------------------------------------------------------------------------------------------------------

local function arguments(W, spec, receiver)
  local args, i = { n = 0 }, 2
  while i <= #spec do
    local arg = spec[i](W, receiver)
    if SECOND[spec[i]] and SECOND[spec[i]] == spec[i + 1] and W:chance(0.2) then
      i = i + 1
      arg = values.position(W, arg, spec[i](W, receiver), W.dimensions[map_of(W, receiver)] == 3 and number(W) or nil)
    end
    if W.hostility > 0 and W:chance(W.hostility) then arg = values.hostile(W) end
    args.n = args.n + 1
    args[args.n] = arg
    i = i + 1
  end
  if W.hostility > 0 and W:chance(W.hostility / 4) then args.n = W:rnd(0, args.n) end
  if W.hostility > 0 and W:chance(W.hostility / 8) then
    args.n = args.n + 1
    args[args.n] = values.hostile(W)
  end
  return args
end

local function call_iterator(W, kind, results, map)
  local iterator, state, control = results[2], results[3], results[4]
  if type(iterator) ~= "function" then return end
  local called = kind .. " iterator"
  for _ = 1, W:rnd(1, 6) do
    local next_results
    if W.hostility > 0 and W:chance(0.15) then
      local wrong = { n = W:rnd(0, 3), W:chance(0.5) and state or values.hostile(W), values.hostile(W) }
      next_results = W:call(called, map, nil, iterator, World.unpack(wrong, 1, wrong.n))
    else
      next_results = W:call(called, map, nil, iterator, state, control)
    end
    if W:chance(0.2) then values.act(W) end
    if not next_results[1] or next_results[2] == nil then return end
    control = next_results[2]
  end
end

local function learn_sizes(W, results, kind, args)
  local made = results[2]
  if kind == "graph" then
    W.sizes[made], W.dimensions[made] = 5, 2
    local ok, dimensions = pcall(made.dimensions, made)
    if ok then W.dimensions[made] = dimensions end
  elseif kind == "grid" then
    local ok, width = pcall(made.width, made)
    local _, height = pcall(made.height, made)
    W.sizes[made] = ok and { width, height } or { 1, 1 }
  end
  return args
end

local KINDS = { "graph", "graph", "graph", "graph", "grid", "grid", "grid", "graph_field", "grid_field", "routes",
  "graph_search", "grid_search", "graph_path", "grid_path", "walls", "watch", "level", "costs",
  "preparation", "mod", "influence", "influence", "follower", "queue", "queue", "queue", "request", "crowd", "crowd",
  "walker", "walker",
  "module", "module", "core" }

---Draws a call and makes it.
function calls.random(W)
  local kind = W:pick(KINDS)
  if kind == "module" or kind == "core" then
    local spec = W:pick(kind == "module" and FUNCTIONS or CORE)
    local fn = kind == "module" and W.wend[spec[1]] or core(W)[spec[1]]
    if not fn then return end
    local receiver = spec.on and W:get(spec.on)
    local args = arguments(W, spec, receiver)
    if spec.on then
      local moved = { n = args.n + 1, receiver }
      for i = 1, args.n do moved[i + 1] = args[i] end
      if spec.of then
        table.insert(moved, 1, W.hostility > 0 and W:chance(W.hostility / 6) and values.hostile(W) or spec.of)
        moved.n = moved.n + 1
      end
      args = moved
    end
    local results = W:call((kind == "module" and "wend." or "core.") .. spec[1], receiver, nil, fn,
      World.unpack(args, 1, args.n))
    local made = results[1] and results[2]
    if made then learn_sizes(W, results, W:kind(made)) end
    return
  end
  local receiver = W:get(kind)
  if not receiver then return end
  local spec = W:pick(M[kind])
  local method = World.method(kind:match "^grid_(.*)" and "graph_" .. kind:match "^grid_(.*)" or kind, spec[1])
  if kind == "graph_field" or kind == "grid_field" then method = World.method("field", spec[1]) end
  if kind == "grid_path" then method = W.grid_path_methods and W.grid_path_methods[spec[1]] or method end
  if type(method) ~= "function" then
    local ok, found = pcall(function() return receiver[spec[1]] end)
    method = ok and found
    if type(method) ~= "function" then return end
  end
  local map = map_of(W, receiver)
  if W:kind(map) ~= "graph" and W:kind(map) ~= "grid" then map = nil end
  local args = arguments(W, spec, receiver)
  local self_arg = receiver
  if W.hostility > 0 and W:chance(W.hostility / 6) then self_arg = values.hostile(W) end
  local opts = args[args.n]
  if kind == "graph" and (spec[1] == "add_nodes" or spec[1] == "add_node") and type(W.sizes[receiver]) == "number" then
    if W.sizes[receiver] > 600 then return end
    W.sizes[receiver] = W.sizes[receiver] + 1
  end
  W.next_locks = LOCKS[spec[1]] and self_arg == receiver
  local results = W:call(kind .. ":" .. spec[1], map, self_arg == receiver and receiver or nil, method, self_arg,
    World.unpack(args, 1, args.n))
  if results[1] and (spec[1] == "each" or spec[1] == "edges" or spec[1] == "nodes" or spec[1] == "walls" or
    spec[1] == "links") then
    call_iterator(W, kind .. ":" .. spec[1], results, map)
  end
  if W:chance(0.02) and type(opts) == "table" then W:add("into", opts) end
end

-- The objects that a sequence begins with --------------------------------------------------------------------------

function calls.start(W)
  local wend = W.wend
  for _ = 1, W:rnd(1, 2) do
    local three = W:chance(0.3)
    local g = wend.graph { dimensions = three and 3 or 2 }
    local count = W:chance(0.1) and W:rnd(60, 250) or W:rnd(2, 25)
    for _ = 1, count do
      if W:chance(0.05) then g:add_node() else g:add_node(number(W), number(W), three and number(W) or nil) end
    end
    for _ = 1, W:rnd(count, count * 3) do
      g:add_edge(W:rnd(count), W:rnd(count),
        { weight = W:rnd(0, 20) / 2, tag = W:chance(0.6) and tag(W) or nil, directed = W:chance(0.3) })
    end
    W:add("graph", g)
    W.sizes[g], W.dimensions[g] = count, three and 3 or 2
  end
  for _ = 1, W:rnd(1, 2) do
    local w, h = W:rnd(1, 10), W:rnd(1, 10)
    if W:chance(0.1) then w, h = 70, 5 end
    local grid = wend.grid(w, h, { diagonals = W:pick { "both_open", "one_open", "always", "never" } })
    W:add("grid", grid)
    W.sizes[grid] = { w, h }
    for _ = 1, W:rnd(0, w * h / 3) do grid:set(W:rnd(w), W:rnd(h), value(W)) end
  end
  W:add("costs", wend.costs(tag_values(W)))
  local second = wend.costs(tag_values(W), { base = W:get "costs" })
  if W:chance(0.5) then second.on_error = values.callback(W, "on_error") end
  if W:chance(0.5) then second:edge_rule("rule1", values.callback(W, "edge")) end
  -- The limit is never exceeded: the functions of the fuzzer cannot be interrupted.
  if W:chance(0.3) then second.max_instructions, second.timing = 1e12, W:chance(0.5) end
  W:add("costs", second)
  W:add("costs", second:readonly())
  W:add("mod", second:mod("mod1"))
  if W:chance(0.5) then second.max_errors = W:rnd(3) end
  local walls = wend.walls()
  walls:add_circle(5, 5, 2)
  walls:add_segment(0, 0, 9, 3)
  W:add("walls", walls)
  W:add("level", wend.level { grid = W:get "grid", graph = W:get "graph", walls = walls })
  W:add("influence", wend.influence(W:get "grid"))
  W:add("influence", wend.influence(W:get "graph"))
  W:add("queue", wend.queue())
  local crowd = wend.crowd { map = W:get "grid" }
  crowd.on_arrive, crowd.on_lost, crowd.on_stuck = values.callback(W, "done"), values.callback(W, "done"), nil
  W:add("crowd", crowd)
  for _ = 1, W:rnd(1, 5) do W:add("walker", crowd:add { x = W:rnd() * 10, y = W:rnd() * 10 }) end
end

return calls
