-- SPDX-License-Identifier: MIT
-- Whether what was saved belongs to a map: contents count, not how they came about.
local helper = require "spec.support.helper"
local wend = require "wend"

-- Two maps of equal contents whose tags were named in opposite orders; one has named another tag meanwhile.
local function grids()
  local a, b = wend.grid(8, 6), wend.grid(8, 6)
  a:set(2, 2, 3, "swamp"):set(4, 2, "road"):link(1, 1, 8, 6, { tag = "stairs" })
  b:link(1, 1, 8, 6, { tag = "stairs" }):set(1, 1, "lava"):set(4, 2, "road"):set(2, 2, 3, "swamp"):set(1, 1, 1)
  return a, b
end

local function graphs()
  local function build(first, second)
    local g = wend.graph()
    g:add_nodes { 0, 0, 10, 0, 20, 0 }
    g:add_edges { 1, 2, 2, 3 }
    g:set_tag(first, first == 1 and "road" or "bog")
    g:set_tag(second, second == 1 and "road" or "bog")
    return g
  end
  local a, b = build(1, 2), build(2, 1)
  b:set_tag(1, "lava")
  b:set_tag(1, "road")
  return a, b
end

describe("a map with equal contents", function()
  for what, make in pairs { grid = grids, graph = graphs } do
    local function ends()
      if what == "grid" then return 1, 2, 8, 2 end
      return 1, 3
    end
    local costs = wend.costs { road = 0.5, swamp = 2, bog = 3, stairs = 5 }

    it("takes saved fields, paths and tables, whatever the order of its tags: " .. what, function()
      local a, b = make()
      local x1, y1, x2, y2 = ends()
      local field = a:field(x1, what == "grid" and y1 or { costs = costs }, { costs = costs })
      local loaded = assert(wend.decode(field:encode(), { map = b, costs = costs }))
      local again = b:field(x1, what == "grid" and y1 or { costs = costs }, { costs = costs })
      assert.equal(again:encode(), loaded:encode())
      assert.equal(field:encode(), loaded:encode())
      local other = what == "grid" and x2 or 3
      assert.equal(field:path(other, y2).cost, loaded:path(other, y2).cost)
      assert.is_true(loaded:valid())
      local path = wend.decode(a:path(ends()):encode(), { map = b })
      assert.is_true(path:valid())
      if what == "graph" then assert(wend.decode(a:routes({ costs = costs }):encode(), { map = b, costs = costs })) end
    end)

    it("takes a saved overlay: " .. what, function()
      local a, b = make()
      local over = a:overlay()
      if what == "grid" then over:set(5, 5, 2, "swamp"):set(6, 5, "moss") else over:set_tag(1, "bog") end
      local loaded = assert(wend.decode(over:encode(), { map = b }))
      assert.same(over:tags(), loaded:tags())
      if what == "grid" then assert.same({ 2, "swamp" }, { loaded:get(5, 5) }) end
    end)

    it("takes a saved crowd and follower, also after an edit that named a tag and was taken back: " .. what
      .. " #move", function()
      local a, b = make()
      local crowd = wend.crowd { map = a }
      crowd:add({ x = 1, y = 1 }):go(6, 1)
      crowd:update(0.5)
      local follower = wend.follow(a:path(ends()))
      local crowd_bytes, follower_bytes = crowd:encode(), follower:encode()
      for _, map in ipairs { a, b } do
        if map == a and what == "grid" then a:set(8, 1, "new"):set(8, 1, 1) end
        if map == a and what == "graph" then
          a:set_tag(2, "new")
          a:set_tag(2, "bog")
        end
        local restored = assert(wend.decode(crowd_bytes, { map = map }))
        assert.equal(crowd:hash(), restored:hash())
        assert(wend.decode(follower_bytes, { map = map }))
      end
      if what == "grid" then b:set(8, 1, "new") else b:set_tag(2, "new") end
      helper.fails("a crowd: it belongs to another map, or this one has changed since", "stale", wend.decode,
        crowd_bytes, { map = b })
    end)
  end

  it("still has its own tags: a field whose tag costs something else is not equal", function()
    local a = graphs()
    local bytes = a:field(1):encode()
    a:set_tag(1, "bog")
    a:set_tag(2, "road")
    assert.equal("stale", select(3, wend.decode(bytes, { map = a })))
  end)
end)
