-- SPDX-License-Identifier: MIT
-- Paths as bytes. file_spec.lua has the other objects, spec/move/saved_spec.lua damaged files.

local wend = require "wend"

local function square()
  local g = wend.graph()
  g:add_nodes { 0, 0, 30, 40, 60, 0, 100, 0 }
  g:set_name(1, "gate"):set_name(4, "keep")
  g:add_edges({ 1, 2, 2, 3 }, { tag = "road" })
  g:add_edge(3, 4, { tag = "swamp" })
  return g
end

--- Encodes and decodes an object. The new one gives the same bytes.
local function again(object, options)
  local bytes = object:encode()
  local made = assert(wend.decode(bytes, options))
  assert.equal(bytes, made:encode())
  return made
end

describe("path:encode", function()
  it("keeps all of a path over a graph", function()
    local g = square()
    local costs = wend.costs { swamp = 3 }
    local path = g:path("gate", { 3, "keep" }, { costs = costs, agent = { boots = true } })
    local made = again(path, { map = g, costs = costs, agent = path.agent })
    assert.equal("path", wend.type(made))
    assert.equal(tostring(path), tostring(made))
    for i, node in path:each() do assert.equal(node, made[i]) end
    assert.same({ path.cost, path.goal }, { made.cost, made.goal })
    assert.same(path:points(), made:points())
    assert.same(path:edges(), made:edges())
    assert.same(path:explain(), made:explain())
    assert.equal(costs, made.costs)
    assert.equal(g, made.map)
    assert.is_true(made:valid())
  end)

  it("keeps straight legs and partial paths", function()
    local grid = wend.grid(9, 5):fill(5, 1, 5, 5, false):set(5, 3, 1)
    local path = grid:straighten(grid:path(1, 1, 9, 1))
    local made = again(path, { map = grid })
    assert.same(path:explain(), made:explain())
    assert.is_true(made:valid())
    assert.is_false((grid:close(4, 2) and made):valid())
    grid:open(4, 2):close(5, 3)
    path = grid:path(1, 1, 9, 1, { partial = true })
    made = again(path, { map = grid })
    assert.is_true(made.partial)
  end)

  it("gives a path that notices later changes of the map and of the costs", function()
    local g, costs = square(), wend.costs { swamp = 3, lava = 2 }
    local path = g:path("gate", "keep", { costs = costs })
    local made = again(path, { map = g, costs = costs })
    costs:set("lava", 5)
    assert.is_true(made:valid())
    costs:set("swamp", 2)
    assert.is_false(made:valid())
    costs:set("swamp", 3)
    path = g:path("gate", "keep", { costs = costs })
    made = again(path, { map = g, costs = costs })
    g:add_node(5, 5)
    assert.is_true(made:valid())
    g:close(2)
    assert.is_false(made:valid())
  end)

  it("keeps a path that is out of date as out of date", function()
    local g = square()
    local path = g:path("gate", "keep")
    g:remove_node(2)
    local made = again(path, { map = g })
    assert.is_false(made:valid())
    assert.same(path:edges(), made:edges())
    assert.equal(4, #made)
    assert.is_true(g:path(3, 4, { into = made }):valid())
    path = g:path(3, 4)
    path[2] = 99
    made = again(path, { map = g })
    assert.equal(99, made[2])
    assert.is_false(made:valid())
  end)

  it("keeps the nodes that names in the list mean", function()
    local g = square()
    local path = g:path("gate", "keep")
    path[1] = "gate"
    assert.equal(1, again(path, { map = g })[1])
  end)

  it("belongs to a map by its content: a loaded copy will do", function()
    local g = square()
    local bytes = g:path("gate", "keep"):encode()
    local copy = wend.decode(g:encode())
    assert.equal(copy, wend.decode(bytes, { map = copy }).map)
    assert.equal(140, wend.decode(bytes, { map = g:copy() }).cost)
    g:close(2):open(2)
    assert.is_truthy(wend.decode(bytes, { map = g }))
  end)

  it("needs little time for many paths of one map", function()
    local grid = wend.grid(400, 400)
    local path = grid:path(1, 1, 3, 3)
    path:encode()
    local before = os.clock()
    for _ = 1, 300 do path:encode() end
    local many = os.clock() - before
    before = os.clock()
    for _ = 1, 10 do grid:encode() end
    assert.is_true(many < 10 * (os.clock() - before), "300 paths take as long as 100 encodings")
  end)

  it("is saved to a file like other objects #move", function()
    local g, name = square(), os.tmpname()
    local f = wend.follow(g:path(1, 4), { on_point = print })
    assert.is_true(g:path(1, 4):save(name))
    assert.equal(140, wend.load(name, { map = g }).cost)
    assert.is_true(f:save(name))
    assert.equal("follower", wend.type(wend.load(name, { map = g, on_point = print })))
    os.remove(name)
  end)
end)
