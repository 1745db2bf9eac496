-- SPDX-License-Identifier: MIT
--- wend.restore: makes paths and followers of states, the tables that path:state and f:state return.
--
-- src/lua/saved.c describes the state of a path, lua/wend/follow/save.lua that of a follower.

local core = require "wend.core"
local check = require "wend.check"
local follow = require "wend.follow"
local plain = require "wend.state.plain"
local saved = require "wend.state.saved"

local VERSION = 1
local COST_MAX = 1e308
local COUNT_MAX = 2 ^ 53
local OPTIONS = { "map", "costs", "agent", "cost", "clear", "on_point" }
local PATH_KEYS = {
  kind = true, version = true, map = true, nodes = true, cells = true, edges = true, cost = true, goal = true,
  partial = true, stale = true, straight = true, outdated = true,
}

--- Whether a value is a graph or a grid.
local function is_map(value)
  local kind = core.type(value)
  return kind == "graph" or kind == "grid"
end

--- Finds the map of a state among those of the option `map`: a graph, a grid, a level or a list of maps.
-- @param wanted the text of the map
-- @return the map; nil: it is not among them. Raises if the option is something else.
local function find_map(given, wanted, kind)
  if given == nil then
    check.fail("map must be given: the %s belongs to one", kind)
  elseif is_map(given) then
    return saved.text(given) == wanted and given or nil
  elseif type(given) ~= "table" then
    check.fail("map must be a graph, a grid, a level or a list of maps, got %s", check.describe(given))
  end
  local found
  local function try(map)
    if not found and is_map(map) and saved.text(map) == wanted then
      found = map
    end
  end
  try(given.grid)
  try(given.graph)
  for _, list in ipairs { type(given.grids) == "table" and given.grids or {}, given } do
    for i = 1, check.length(list) do
      try(list[i])
    end
  end
  return found
end

local function read_path(state, map, options)
  plain.check_keys(state, "state", PATH_KEYS)
  local on_graph = core.type(map) == "graph"
  local places = plain.names(state, on_graph and "nodes" or "cells")
  local edges = plain.wholes(state, "edges", 1, COUNT_MAX)
  if (edges ~= nil) ~= on_graph or rawget(state, on_graph and "cells" or "nodes") ~= nil then
    plain.damaged "edges"
  end
  local cost = plain.number(state, "cost", COST_MAX)
  local goal = rawget(state, "goal") ~= nil and plain.whole(state, "goal", 1, COUNT_MAX) or nil
  local partial, stale = plain.flag(state, "partial"), plain.flag(state, "stale")
  local straight = plain.flag(state, "straight")
  local path = saved.path(map, places, edges or {}, straight, plain.flag(state, "outdated"), options.costs,
    options.agent, options.cost)
  if not path then
    plain.damaged(on_graph and "nodes or edges" or "cells")
  end
  rawset(path, "cost", cost)
  rawset(path, "goal", goal)
  rawset(path, "partial", partial or nil)
  rawset(path, "stale", stale or nil)
  return path
end

--- Reads a state.
-- @return the object; or false: it belongs to another map
local function read(state, kind, options)
  if plain.whole(state, "version", 0, COUNT_MAX) ~= VERSION then
    plain.damaged "version"
  end
  local wanted, map = plain.text(state, "map"), nil
  if wanted then
    map = find_map(options.map, wanted, kind)
    if not map then
      return false
    end
  end
  if kind == "follower" then
    return follow.restore(state, map, options)
  elseif not map then
    plain.damaged "map"
  end
  return read_path(state, map, options)
end

--- wend.restore(state[, opts]): makes the path or the follower of a state.
-- @param state the table that path:state or f:state returned, or a copy of it
-- @param options a table or nil. What an object does not need is left out:
--   map        its graph or grid; a level, or a list of maps, among which it is found. Required if it has a map
--   costs, agent, cost   of paths: as for g:path. path:valid and path:explain use them
--   clear, on_point      of followers: as for wend.follow. Required if it had them
-- @return a path or a follower; or nil, a message and "stale" (it belongs to another map, or the map has changed since)
-- or "format" (the state is damaged, or of another kind)
-- Raises if an option is invalid or missing.
local function restore(state, options)
  if type(state) ~= "table" then
    check.fail("state must be a table that state() has made, got %s", check.describe(state))
  end
  check.options(options, OPTIONS)
  options = options or {}
  if options.on_point ~= nil and not check.is_callable(options.on_point) then
    check.fail("on_point must be a function, got %s", check.describe(options.on_point))
  end
  local kind = rawget(state, "kind")
  if kind ~= "path" and kind ~= "follower" then
    return nil, "this is not a state that wend has made", "format"
  end
  local ok, result = plain.try(read, state, kind, options)
  if not ok then
    return nil, ("a %s: damaged, or of a version that is not known: %s"):format(kind, result), "format"
  elseif not result then
    return nil, ("a %s: it belongs to another map, or this one has changed since"):format(kind), "stale"
  end
  return result
end

return { restore = restore }
