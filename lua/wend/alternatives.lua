-- SPDX-License-Identifier: MIT
--- x:alternatives(from, to[, opts]): several paths for one trip that share little.
--
-- The first is the cheapest. Each other one is the path of a seed, with `worse` as variation. It is left out if it
-- shares too much of its length with those before it.

local check = require "wend.check"
local types = require "wend.once".types

local abs, max, sqrt = math.abs, math.max, math.sqrt

--- The options: its own, and those of path.
local OPTIONS = {
  "count", "worse", "overlap", "seed", "costs", "agent", "cost", "at_least", "size", "influence", "algorithm",
  "heuristic", "max_expanded", "max_cost", "closed_goal", "within", "beside", "sight", "pass_only", "corners",
}
local OWN = 4
OPTIONS.kinds = {
  count = { be = "a whole number in 1 .. 64", holds = function(value) return check.is_whole(value, 1, 64) end },
  worse = check.LENGTH, seed = check.FINITE, corners = check.SWITCH,
  overlap = { be = "a number > 0 and <= 1", holds = function(v) return check.is_within(v, 0, 1) and v > 0 end },
}

-- After so many searches that find no other path, there are no more.
local TRIES = 8

-- Each seed of the caller stands for so many: more than all tries. They are small enough to be whole numbers.
local SEEDS, SEEDS_OF_EACH = 2 ^ 32, 1024

-- The share of a cost by which rounding may make sums differ.
local ROUNDING = 1e-9

--- The edges of a path over a graph, and their lengths.
local function edges_of(map, path)
  local keys, lengths = types.path.edges(path), {}
  for i, edge in ipairs(keys) do lengths[i] = types.graph.edge(map, edge).length or 1 end
  return keys, lengths
end

--- The steps of a path over a grid, in either direction, and their lengths. A step to a neighbour is known by the point
--- in its middle, and by which diagonal it is. A straight part between two corners is many steps.
local function steps_of(map, path)
  local keys, lengths, row = {}, {}, 2 * types.grid.width(map) + 1
  local hexes = types.grid.shape(map) == "hex"
  for i = 3, #path, 2 do
    local x, y = path[i - 2], path[i - 1]
    local dx, dy = path[i] - x, path[i + 1] - y
    local count = max(abs(dx), abs(dy))
    if dx ~= 0 and dy ~= 0 and abs(dx) ~= abs(dy) then -- a link
      keys[#keys + 1], lengths[#keys + 1] = ("%.0f %.0f %.0f %.0f"):format(x, y, dx, dy), sqrt(dx * dx + dy * dy)
      count = 0
    end
    dx, dy = dx / count, dy / count
    for _ = 1, count do
      keys[#keys + 1] = 2 * ((2 * y + dy) * row + 2 * x + dx) + (dx * dy > 0 and 1 or 0)
      lengths[#keys], x, y = hexes and 1 or sqrt(dx * dx + dy * dy), x + dx, y + dy
    end
  end
  return keys, lengths
end

--- Whether a path has a step of its own, and shares at most a part of its length with those before it. Its steps are
--- then known.
local function is_other(known, overlap, keys, lengths)
  local all, shared = 0, 0
  for i, key in ipairs(keys) do
    all = all + lengths[i]
    if known[key] then shared = shared + lengths[i] end
  end
  if shared > overlap * all or shared == all then return false end
  for _, key in ipairs(keys) do known[key] = true end
  return true
end

--- At which of the arguments of map:path the options stand. A cell is two of them, or one with fields; so is a list.
local function place_of_options(is_grid, args)
  if not is_grid then return 3 end
  local goal = check.has_fields(args[1]) and 2 or 3
  return check.has_fields(args[goal]) and goal + 1 or goal + 2
end

--- The function of a map's method `alternatives`.
-- @param kind "graph" or "grid"
local function method(kind, steps)
  local find, bytes = types[kind].path, types[kind].bytes
  return function(map, ...)
    check.self(map, kind, "a " .. kind, kind)
    check.call(bytes, map) -- raises if the map is gone
    local args, given, known = { ... }, {}, {}
    local at = place_of_options(kind == "grid", args)
    local options = args[at]
    check.options(options, OPTIONS)
    options = options or {}
    for i = OWN + 1, #OPTIONS do given[OPTIONS[i]] = options[OPTIONS[i]] end
    local count, worse, overlap = options.count or 3, options.worse or 0.3, options.overlap or 0.5
    local seed, tries = (options.seed or 0) % SEEDS * SEEDS_OF_EACH, TRIES
    args[at] = given
    local path, message, code = check.call(find, map, args[1], args[2], args[3], args[4], args[5])
    if not path then return nil, message, code end
    -- Searches keep to it by themselves, unless a function is a heuristic that overestimates.
    local list, most = { path }, path.cost * (1 + worse) * (1 + ROUNDING)
    is_other(known, 1, steps(map, path))
    given.variation = worse
    while #list < count and tries > 0 do
      seed, tries = seed + 1, tries - 1
      given.seed = seed
      path, message, code = check.call(find, map, args[1], args[2], args[3], args[4], args[5])
      if code == "stale" then return nil, message, code end
      if path and path.cost <= most and is_other(known, overlap, steps(map, path)) then
        list[#list + 1], tries = path, TRIES
      end
    end
    return list
  end
end

return { of_graph = method("graph", edges_of), of_grid = method("grid", steps_of) }
