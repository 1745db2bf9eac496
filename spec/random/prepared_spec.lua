-- SPDX-License-Identifier: MIT
-- Random maps that are prepared, saved, loaded and edited, against equal maps that are not: paths cost the same. And
-- files whose tables are wrong, with right checksums: they are refused, or paths still cost the same. A failure prints
-- WEND_SEED and WEND_ROUND.
local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local twins = require "spec.support.twins"
local wend = require "wend"

local seen = {} -- how many searches there were; with landmarks, without a path, …
local function note(what) seen[what] = (seen[what] or 0) + 1 end

local function play(rng, kind)
  local map = (kind == "grid" and twins.random_grid or twins.random_graph)(rng)
  local pair = { kind = kind, map = map, twin = map:copy(), note = note }
  local asked = { landmarks = rng:pick { 16, 16, 5, 9, 1 } }
  if rng:chance(0.15) then asked.costs = twins.random_costs(rng) end
  assert(map:prepare(asked))
  for _ = 1, 6 do
    if rng:chance(0.3) then
      local bytes = pair.map:encode()
      pair.map = assert(wend.decode(bytes))
      assert.is_true(bytes == pair.map:encode(), "other bytes")
      if kind == "grid" then
        assert.is_true(pair.twin:encode() == pair.map:encode { prepared = false }, "another map")
      end
      note "loaded"
    elseif rng:chance(0.1) then
      assert(pair.map:prepare(asked))
    end
    for _ = 1, 6 do twins.compare(rng, pair, twins.random_options(rng, kind)) end
    for _ = 1, rng(0, 8) do twins.edit(rng, pair) end
  end
end

-- Prepares for the weights or for some profiles, drops tables, edits profiles, and prepares in slices between edits.
local function change_tables(rng, pair, profiles)
  local map, what = pair.map, rng(10)
  local opts = { landmarks = rng:pick { 1, 3, 8 }, costs = rng:chance(0.7) and rng:pick(profiles) or nil }
  if what <= 5 then
    local ok, problem = pcall(map.prepare, map, opts)
    if not ok then
      assert.matches("is prepared for 4 profiles", problem)
      note "full"
      map:unprepare()
    end
    note "tables"
  elseif what == 6 then
    map:unprepare { costs = opts.costs }
    note "dropped"
  elseif what == 7 and opts.costs then
    opts.costs:set(rng:pick { "road", "swamp", "lava" }, rng:pick { 0.5, 1, 3, false })
  elseif what >= 8 and not pair.preparation then
    opts.sliced = true
    local ok, preparation = pcall(map.prepare, map, opts)
    pair.preparation = ok and preparation or nil
  end
  if not pair.preparation then return end
  local ok, done = pcall(pair.preparation.step, pair.preparation, rng(3000))
  if done then pair.preparation = nil end -- or it has failed
  if ok and done then note "sliced tables" end
end

local function play_profiles(rng, kind)
  local map = (kind == "grid" and twins.random_grid or twins.random_graph)(rng)
  local pair, profiles = { kind = kind, map = map, twin = map:copy(), note = note }, {}
  for i = 1, rng(2, 7) do
    profiles[i] = twins.random_costs(rng)
    if rng:chance(0.2) then profiles[i]:set("ice", rng:pick { 0.5, 3, false }) end
    if rng:chance(0.2) then -- the same for files: only an overlay has "ice"
      profiles[#profiles + 1] = wend.costs({ ice = rng:pick { 0.5, 3, false } }, { base = rng:pick(profiles) })
    end
  end
  for _ = 1, 8 do
    if rng:chance(0.3) then
      local o = pair.map:overlay()
      if kind == "grid" then o:set(1, 1, "ice") else for node in o:nodes() do o:set_node_tag(node, "ice") end end
      note "an overlay"
    end
    for _ = 1, rng(4) do change_tables(rng, pair, profiles) end
    if rng:chance(0.2) then
      local bytes = pair.map:encode()
      pair.map, pair.preparation = assert(wend.decode(bytes)), nil
      assert.is_true(bytes == pair.map:encode(), "other bytes")
      note "loaded with profiles"
    end
    for _ = 1, 6 do
      local opts = twins.random_options(rng, kind)
      opts.costs = rng:chance(0.6) and rng:pick(profiles) or opts.costs
      local info = pair.map:prepared { costs = opts.costs }
      if twins.compare(rng, pair, opts).landmarks and info and info.own and info.scale == 1 then note "own tables" end
    end
    for _ = 1, rng(0, 6) do twins.edit(rng, pair) end
  end
end

-- A copy of a prepared file in which some bytes of the tables are others.
local function damage(rng, kind, bytes)
  return file_reference.change(bytes, kind == "grid" and "plan" or "prep", function(contents)
    local list = { contents }
    for _ = 1, rng:pick { 1, 3, 50 } do
      local at = rng:chance(0.1) and rng(24) or rng(#contents)
      local new = rng:pick { "\0", "\255", string.char(rng(0, 255)), "\0\0\0\0", "\255\255", "\0\0\0\0\0\0\240\127" }
      if at + #new <= #contents then contents = file_reference.patch(contents, at, new) end
    end
    if rng:chance(0.1) then contents = ("\255"):rep(#list[1]) end
    return contents
  end)
end

describe("prepared maps", function()
  for _, kind in ipairs { "graph", "grid" } do
    it("give paths of the same cost, saved and loaded and edited: " .. kind, function()
      helper.rounds("prepared " .. kind, 45, function(rng) play(rng, kind) end)
    end)

    it("give paths of the same cost with tables for several profiles: " .. kind, function()
      helper.rounds("profiles " .. kind, 30, function(rng) play_profiles(rng, kind) end)
    end)

    it("from files with wrong tables give paths of the same cost: " .. kind, function()
      helper.rounds("wrong tables of a " .. kind, 40, function(rng)
        local map = (kind == "grid" and twins.random_grid or twins.random_graph)(rng)
        local twin = map:copy()
        map:prepare()
        local bytes = map:encode()
        for _ = 1, 6 do
          local wrong = damage(rng, kind, bytes)
          local copy, _, code = wend.decode(wrong)
          if copy then
            assert.is_true(wrong == copy:encode(), "other bytes")
            local pair = { kind = kind, map = copy, twin = twin, note = note, frozen = true }
            for _ = 1, 4 do twins.compare(rng, pair, twins.random_options(rng, kind)) end
            note "wrong and read"
          else
            assert.equal("format", code)
            note "refused"
          end
        end
      end)
    end)
  end

  it("were used by many of these searches", function()
    if not helper.all_rounds() then return pending "all rounds are needed" end
    assert.is_true(seen.landmarks > seen.searches / 20, ("%d of %d"):format(seen.landmarks or 0, seen.searches))
    for _, what in ipairs { "none", "loaded", "refused", "wrong and read", "tables", "dropped", "sliced tables",
      "own tables", "an overlay", "loaded with profiles" } do
      assert.is_true((seen[what] or 0) > 10, what)
    end
  end)
end)
