-- SPDX-License-Identifier: MIT
-- States of random followers: what is restored walks on with the same numbers. A failure prints its seed.

local helper = require "spec.helper"
local states = require "spec.state_reference"
local wend = require "wend"

--- Compares two followers, exactly.
local function compare(f, h)
  local a, b = states.look(f), states.look(h)
  for i = 1, #a do
    if a[i] ~= b[i] then error(("value %d: %s, restored %s"):format(i, tostring(a[i]), tostring(b[i]))) end
  end
end

--- Lets the same thing happen to both. It raises for both or for none.
local function act_on_both(act, f, h)
  local fine, problem = pcall(act, f)
  local also, other = pcall(act, h)
  assert.equal(fine, also, fine and other or problem)
  assert.equal(tostring(problem), tostring(other))
end

describe("the state of a follower", function()
  it("is equal to that of the follower that is made of it", function()
    helper.rounds("state equal", 300, function(rng)
      local world = states.random(rng)
      for _ = 1, rng(0, 20) do pcall(states.random_act(rng, world), world.follower) end
      local state = world.follower:state()
      assert.same(state, assert(wend.restore(states.pass(state, rng), world.options)):state())
    end)
  end)

  it("restores one that walks on bit for bit, at every later update", function()
    helper.rounds("state walk", 400, function(rng)
      local world = states.random(rng)
      local f = world.follower
      for _ = 1, rng(0, 30) do pcall(states.random_act(rng, world), f) end
      local state = states.pass(f:state(), rng)
      if world.map and rng:chance(0.5) then
        world.options.map = wend.decode(world.map:encode())
      end
      local h = assert(wend.restore(state, world.options))
      compare(f, h)
      for _ = 1, 40 do
        act_on_both(states.random_act(rng, world), f, h)
        compare(f, h)
        if rng:chance(0.1) then assert.equal(f:remaining(), h:remaining()) end
        if rng:chance(0.1) then assert.same(f.points, h.points) end
        if rng:chance(0.05) then assert.same(f:line(), h:line()) end
      end
      assert.same(f:state(), h:state())
    end)
  end)
end)
