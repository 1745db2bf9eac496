-- SPDX-License-Identifier: MIT
-- Random surfaces: boxes of blocks are loaded, changed, loaded again and unloaded. The graph must be what the plain
-- rules of surface_reference.lua say, and what a surface says that is made anew. WEND_EDITS=n: so many edits. A failure
-- prints WEND_SEED and WEND_ROUND.
local helper = require "spec.support.helper"
local reference = require "spec.support.surface_reference"
local wend = require "wend"

local CLASSES = { [0] = "air", "solid", "water", "ladder", "door", { kind = "solid", tag = "mud", cost = 2 },
  { kind = "solid", cost = 0.5 }, { kind = "air", tag = "web", cost = 3 }, { kind = "door", tag = "gate" },
  { kind = "water", tag = "acid", cost = 1.5 } }

local function random_options(rng)
  return { classes = CLASSES, height = rng(1, 3), step = rng(0, 2), drop = rng(0, 4), jump = rng:pick { 0, 0, 1, 3 },
    swim = rng:chance(0.6), climb = rng:chance(0.6), up = rng:pick { "y", "z" }, centred = rng:chance(0.3),
    diagonals = rng:pick { "both_open", "one_open", "always", "never" } }
end

-- A block of a hilly world, or of noise.
local function random_id(rng, noise, h)
  if rng() < noise then return rng(0, #CLASSES) end
  return h < rng(-1, 2) and 1 or 0
end

-- The world of a round: the surface, the reference, and the ids of all loaded blocks by x, y and z.
local function new_world(rng)
  local opts = random_options(rng)
  return { rng = rng, opts = opts, noise = rng:pick { 0.05, 0.3, 0.8 }, surface = wend.surface(opts), ids = {},
    plain = reference.world(opts),
    x = rng:pick { 0, -7, 12, 40 }, y = rng:pick { 0, -5, 13 }, z = rng:pick { 0, -9, 11 } }
end

local function inside(world, x, y, z)
  if world.opts.up == "z" then return x, y, z end
  return x, z, y
end

-- Calls visit(x, y, z) in the order of a list of ids.
local function each(x, y, z, w, h, d, visit)
  for k = z, z + d - 1 do
    for j = y, y + h - 1 do
      for i = x, x + w - 1 do visit(i, j, k) end
    end
  end
end

local function set(world, x, y, z, id)
  local a, b, h = inside(world, x, y, z)
  world.plain:set(a, b, h, id)
  world.ids[reference.key(x, y, z)] = id and { x, y, z, id }
end

local function packed(rng, ids)
  if rng:chance(0.4) then return ids end
  for i, id in ipairs(ids) do ids[i] = string.char(id) end
  return table.concat(ids)
end

local function random_edit(world)
  local rng, surface = world.rng, world.surface
  local x, y, z = world.x + rng(0, 9), world.y + rng(0, 7), world.z + rng(0, 9)
  local w, h, d = rng(1, 6), rng(1, 6), rng(1, 6)
  local kind = rng(10)
  if kind <= 2 then
    local ids = {}
    each(x, y, z, w, h, d, function(i, j, k)
      local _, _, level = inside(world, i, j, k)
      ids[#ids + 1] = random_id(rng, world.noise, level - (world.opts.up == "z" and world.z or world.y) - 3)
      set(world, i, j, k, ids[#ids])
    end)
    surface:load(x, y, z, w, h, d, packed(rng, ids))
  elseif kind == 3 then
    each(x, y, z, w, h, d, function(i, j, k) set(world, i, j, k, nil) end)
    surface:unload(x, y, z, w, h, d)
  else
    local id = rng(0, #CLASSES)
    if world.ids[reference.key(x, y, z)] then
      set(world, x, y, z, id)
      surface:changed(x, y, z, id)
    else
      helper.raises(("block (%d, %d, %d) is not loaded"):format(x, y, z), surface.changed, surface, x, y, z, id)
    end
  end
end

local function facts(world, surface)
  local centred = world.opts.centred
  return reference.facts_of(surface.graph, world.opts.up, centred and 0 or 0.5, centred and -0.5 or 0)
end

describe("random surfaces", function()
  it("are what the rules say after each edit", function()
    helper.rounds("surface", 25, function(rng)
      local world = new_world(rng)
      for _ = 1, 12 do
        random_edit(world)
        assert.is_nil(reference.difference(world.plain:facts(), facts(world, world.surface)))
      end
    end)
  end)

  it("are as if they were made anew after many edits", function()
    helper.rounds("surface-anew", 4, function(rng)
      local world = new_world(rng)
      for _ = 1, tonumber(os.getenv "WEND_EDITS") or 150 do random_edit(world) end
      local anew = wend.surface(world.opts)
      for _, block in pairs(world.ids) do anew:load(block[1], block[2], block[3], 1, 1, 1, { block[4] }) end
      assert.is_nil(reference.difference(facts(world, anew), facts(world, world.surface)))
      assert.is_nil(reference.difference(world.plain:facts(), facts(world, anew)))
      world.surface:unload(-100, -100, -100, 300, 300, 300)
      assert.equal(0, world.surface.graph:node_count())
    end)
  end)
end)
