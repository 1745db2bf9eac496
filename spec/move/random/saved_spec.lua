-- SPDX-License-Identifier: MIT
-- Random followers in files: what is loaded walks on with the same numbers. A failure prints its seed.

local helper = require "spec.support.helper"
local followers = require "spec.move.support.follower_reference"
local wend = require "wend"

--- Compares two followers, exactly.
local function compare(f, h)
  local a, b = followers.look(f), followers.look(h)
  for i = 1, #a do
    if a[i] ~= b[i] then error(("value %d: %s, loaded %s"):format(i, tostring(a[i]), tostring(b[i]))) end
  end
end

--- Lets the same thing happen to both. It raises for both or for none.
local function act_on_both(act, f, h)
  local fine, problem = pcall(act, f)
  local also, other = pcall(act, h)
  assert.equal(fine, also, fine and other or problem)
  assert.equal(tostring(problem), tostring(other))
end

describe("an encoded follower", function()
  it("gives the same bytes again", function()
    helper.rounds("follower equal", 300, function(rng)
      local world = followers.random(rng)
      for _ = 1, rng(0, 20) do pcall(followers.random_act(rng, world), world.follower) end
      local bytes = world.follower:encode()
      assert.equal(bytes, assert(wend.decode(bytes, world.options)):encode())
    end)
  end)

  it("walks on bit for bit, at every later update", function()
    helper.rounds("follower walk", 400, function(rng)
      local world = followers.random(rng)
      local f = world.follower
      for _ = 1, rng(0, 30) do pcall(followers.random_act(rng, world), f) end
      local bytes = f:encode()
      if world.map and rng:chance(0.5) then
        world.options.map = wend.decode(world.map:encode())
      end
      local h = assert(wend.decode(bytes, world.options))
      compare(f, h)
      for _ = 1, 40 do
        act_on_both(followers.random_act(rng, world), f, h)
        compare(f, h)
        if rng:chance(0.1) then assert.equal(f:remaining(), h:remaining()) end
        if rng:chance(0.1) then assert.same(f.points, h.points) end
        if rng:chance(0.05) then assert.same(f:line(), h:line()) end
      end
      assert.equal(f:encode(), h:encode())
    end)
  end)
end)
