-- SPDX-License-Identifier: MIT
-- Copies of maps: equal to the original, and independent of it.

local collector = require "spec.support.collector"
local wend = require "wend"
local helper = require "spec.support.helper"
local reference = require "spec.support.graph_reference"
local file_reference = require "spec.support.file_reference"

local raises = helper.raises
local graph_text, grid_text = file_reference.graph_text, file_reference.grid_text

local function free(map) debug.getmetatable(map).__gc(map) end

describe("graph:copy", function()
  it("has the same nodes and edges, with the same ids", function()
    local g = file_reference.small_graph()
    local copy = g:copy()
    assert.equal("graph", wend.type(copy))
    assert.equal(graph_text(g), graph_text(copy))
    assert.equal(g:encode(), copy:encode())
  end)

  it("copies an empty graph, and edges that no search has read yet", function()
    assert.same({ 0, 0, 3 }, { wend.graph({ dimensions = 3 }):copy():node_count(), wend.graph():copy():edge_count(),
      wend.graph({ dimensions = 3 }):copy():dimensions() })
    local g = wend.graph()
    g:add_nodes { 0, 0, 3, 4 }
    g:add_edge(1, 2)
    assert.equal(5, g:copy():path(1, 2).cost)
  end)

  it("never gives out an id of a removed node or edge again, as the original", function()
    local g = reference.draw { "A B C", "A-B 1", "B-C 2" }
    g:remove_node "A"
    local copy = g:copy()
    assert.equal(g:add_node(), copy:add_node())
    assert.equal(g:add_edge(2, 3, { weight = 1 }), copy:add_edge(2, 3, { weight = 1 }))
    assert.equal(false, copy:has(1))
  end)

  it("is independent of the original", function()
    local g, e = reference.draw { "A B C", "A-B 1 road", "B-C 2", "A-C 9" }
    local before = g:encode()
    local copy = g:copy()
    copy:close "B"
    copy:set_weight(e[1], 7):set_tag(e[1], "mud"):remove_edge(e[2]):set_name(1, "gate"):move(2, 8, 8)
    copy:add_edge(1, 3, { tag = "new", weight = 1 })
    assert.equal(before, g:encode())
    local text = graph_text(copy)
    g:remove_node "B"
    assert.equal(text, graph_text(copy))
    free(g)
    assert.equal(text, graph_text(copy))
    assert.equal(1, copy:path(1, 3).cost)
  end)

  it("has its own paths and fields #tools", function()
    local g, e = reference.draw { "A B", "A-B 1" }
    local copy, path, field = g:copy(), g:path("A", "B"), g:field "B"
    local own = copy:path("A", "B")
    g:set_weight(e[1], 5)
    assert.same({ false, true }, { path:valid(), own:valid() })
    assert.equal(false, field:valid())
    assert.equal(true, copy:field("B"):valid())
    assert.equal(copy, own.map)
    raises("path must be one of this map", wend.svg, copy, { path = path })
    raises("can_reach must be a field of this graph made without `outward`, got another one", copy.nearest, copy, 0, 0,
      { can_reach = field })
  end)

  it("is made while the graph is searched", function()
    local g, copy = reference.draw { "A B", "A-B 1" }, nil
    g:path("A", "B", { cost = function(_, cost)
      copy = g:copy()
      copy:close "A"
      return cost
    end })
    assert.same({ true, false }, { copy:is_closed "A", g:is_closed "A" })
  end)

  it("bears finalizers that edit or free the graph", function()
    local g = file_reference.small_graph()
    for i = 1, 60 do
      collector.finalized(function() -- it may run later, when the graph is gone: then it raises
        pcall(i % 20 == 0 and free or g.add_node, g, i, i)
      end)
      local ok, copy = pcall(g.copy, g)
      if ok then assert.equal(copy:encode(), copy:copy():encode())
      else
        assert.truthy(copy:find "gone")
        g = file_reference.small_graph()
      end
    end
  end)
end)

describe("grid:copy", function()
  it("has the same cells, walls, links, tags, place and legend", function()
    local grid = file_reference.small_grid()
    local copy = grid:copy()
    assert.equal("grid", wend.type(copy))
    assert.equal(grid_text(grid), grid_text(copy))
    assert.equal(grid:encode(), copy:encode())
  end)

  it("is independent of the original", function()
    local grid = file_reference.small_grid()
    local before = grid:encode()
    local copy = grid:copy()
    copy:set(1, 1, false):wall(1, 2, 1, 3, false):unlink(1, 1, 4, 3):link(1, 1, 2, 2):set(2, 2, "new")
    assert.equal(before, grid:encode())
    local text = grid_text(copy)
    grid:fill(false)
    assert.equal(text, grid_text(copy))
    free(grid)
    assert.equal(text, grid_text(copy))
  end)

  it("has its own paths #tools", function()
    local grid = wend.grid(4, 1)
    local copy, path = grid:copy(), grid:path(1, 1, 4, 1)
    copy:set(2, 1, false)
    assert.equal(true, path:valid())
    assert.equal(grid, path.map)
    assert.is_nil((copy:path(1, 1, 4, 1)))
    raises("path must be one of this grid", copy.text, copy, { path = path })
  end)

  it("copies a grid with more than 65,536 kinds of cells #slow", function()
    local grid = wend.grid(300, 240):map(function(x, y) return x + y * 300 end)
    assert.equal(grid:encode(), grid:copy():encode())
  end)
end)
