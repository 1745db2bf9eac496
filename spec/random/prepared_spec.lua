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
      helper.rounds("prepared " .. kind, 60, function(rng) play(rng, kind) end)
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
    for _, what in ipairs { "none", "loaded", "refused", "wrong and read" } do assert.is_true(seen[what] > 10, what) end
  end)
end)
