-- SPDX-License-Identifier: MIT
-- The options per_turn, rest and pass_only, and tags that end a turn.
local grid_reference = require "spec.support.grid_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local NAN = 0 / 0

local function row(text)
  return wend.parse_grid({ text }, { z = "zone", a = "ally" }, { diagonals = "never" })
end

local function across(grid, opts) return grid:path(1, 1, grid:width(), 1, opts) end

-- "cost turns_used: the turns" of a path.
local function show(path)
  return ("%g %d: %s"):format(path.cost, path.turns_used, table.concat(path:turns(), " "))
end

local zone = wend.costs { zone = { ends_turn = true } }

describe("per_turn", function()
  it("begins a turn where a step does not fit into the last one", function()
    local grid = row "......."
    assert.equal("6 2: 5 7", show(across(grid, { per_turn = 4 })))
    assert.equal("6 2: 4 7", show(across(grid, { per_turn = 3 })))
    grid:set(3, 1, 3)
    assert.equal("8 2: 3 7", show(across(grid, { per_turn = 4 })))
  end)

  it("finds the path that arrives first, which may cost more points", function()
    local grid = wend.parse_grid([[
      .3.3.
      .....
    ]], { ["3"] = 3 }, { diagonals = "never" })
    assert.equal("6 2: 6 7", show(grid:path(1, 1, 5, 1, { per_turn = 5 })))
    grid:close(3, 2)
    grid:close(2, 2)
    grid:close(4, 2)
    assert.equal("8 2: 3 5", show(grid:path(1, 1, 5, 1, { per_turn = 4 })))
    assert.equal("8 2: 2 5", show(grid:path(1, 1, 5, 1, { per_turn = 5, rest = 3 })))
  end)

  it("begins with rest, and loses it if no step fits", function()
    local grid = row "....."
    assert.equal("4 2: 2 5", show(across(grid, { per_turn = 3, rest = 1 })))
    assert.equal("4 2: 1 4 5", show(across(grid, { per_turn = 3, rest = 0 })))
    assert.equal("4 2: 1 4 5", show(across(grid, { per_turn = 3, rest = 0.5 })))
  end)

  it("takes a rest from which costs were subtracted, with their rounding errors", function()
    local grid = wend.grid(7, 7, { diagonal_length = 1.4 })
    local rest = 7
    for i = 1, 5 do
      local path = assert(grid:path(i, i, i + 1, i + 1, { per_turn = 7, rest = rest }))
      assert.equal("1.4 1: 2", show(path))
      rest = rest - path.cost
    end
    assert.is_true(rest < 0)
    assert.equal("1.4 1: 1 2", show(grid:path(6, 6, 7, 7, { per_turn = 7, rest = rest })))
    assert.equal("1.4 1: 2", show(grid:path(6, 6, 7, 7, { per_turn = 7, rest = 7 - rest })))
  end)

  it("takes no turn from a place to itself", function()
    assert.equal("0 0: ", show(row("..."):path(1, 1, 1, 1, { per_turn = 3, rest = 0 })))
  end)

  it("closes a step that costs more than a turn", function()
    local grid = row "..."
    local path, _, code = across(grid, { per_turn = 0.9 })
    assert.is_nil(path)
    assert.equal("no_path", code)
    assert.equal("2 2: 2 3", show(across(grid, { per_turn = 1 })))
    assert.is_nil(grid:field(1, 1, { per_turn = 0.9 }):cost(2, 1))
  end)

  it("counts max_cost in turns", function()
    local grid = row "......"
    assert.equal("budget", select(3, across(grid, { per_turn = 4, max_cost = 1.2 })))
    assert.equal("5 2: 5 6", show(across(grid, { per_turn = 4, max_cost = 1.25 })))
    assert.equal("budget", select(3, across(grid, { per_turn = 4, rest = 2, max_cost = 1.25 })))
    local near = across(grid, { per_turn = 4, max_cost = 1, partial = true })
    assert.equal("4 1: 5", show(near))
  end)

  it("is an option of searches in slices, which read the map as it was, and of queues", function()
    local grid = row "......"
    local search = grid:search(1, 1, 6, 1, { per_turn = 4 })
    search:step(1)
    grid:set(6, 1, 2)
    repeat until search:step(1) ~= "running"
    assert.equal("5 2: 5 6", show(search:result()))
    local queue = wend.queue()
    local request = queue:path(grid, 1, 1, 6, 1, { per_turn = 4 })
    local field = queue:field(grid, 1, 1, { per_turn = 4, outward = true })
    queue:step(1000)
    assert.equal("6 2: 5 6", show(request.result))
    assert.equal(1.5, field.result:cost(6, 1))
  end)

  it("counts the step onto a closed goal", function()
    local grid = row(".....")
    grid:close(5, 1)
    assert.equal("4 2: 4 5", show(across(grid, { per_turn = 3, closed_goal = true })))
    assert.equal(4 / 3, grid:field(5, 1, { per_turn = 3, closed_goal = true }):cost(1, 1))
  end)

  it("cost on a closed goal what the covered cells of an agent with a size cost", function()
    local grid = wend.parse_grid([[
      .3
      ..
      ..
      ..
      ..
    ]], { ["3"] = 3 }):close(1, 1)
    local options = { size = 2, closed_goal = true }
    assert.equal(5, grid:path(1, 4, 1, 1, options).cost)
    options.per_turn = 4
    assert.equal("5 2: 3 4", show(grid:path(1, 4, 1, 1, options)))
    assert.equal("5 2: 3 4", show(grid:field(1, 1, options):path(1, 4)))
  end)

  it("counts on graphs, by edges and nodes", function()
    local graph = wend.graph()
    local a, b, c = graph:add_node(0, 0), graph:add_node(2, 0, { tag = "zone" }), graph:add_node(4, 0)
    graph:add_edges { a, b, b, c }
    assert.equal("4 1: 3", show(graph:path(a, c, { per_turn = 4, costs = wend.costs {} })))
    assert.equal("4 2: 2 3", show(graph:path(a, c, { per_turn = 4, costs = zone })))
    graph:set_node_tag(b)
    graph:set_tag(1, "zone")
    assert.equal("4 2: 2 3", show(graph:path(a, c, { per_turn = 4, costs = zone })))
    assert.equal(2, graph:field(a, { per_turn = 4, costs = zone, outward = true }):cost(c) * 4 - 4)
  end)

  it("leaves nothing in a table that is used again", function()
    local grid, into = row ".....", {}
    across(grid, { per_turn = 2, into = into })
    assert.equal(2, into.turns_used)
    across(grid, { into = into })
    assert.is_nil(into.turns_used)
    helper.raises("self must be a path that was found with per_turn", function() into:turns() end)
    local list = { 9, 9, 9, 9 }
    assert.same({ 3, 5 }, across(grid, { per_turn = 2, into = into }):turns { into = list })
    assert.same({ 3, 5 }, list)
  end)
end)

describe("last_step = 'any'", function()
  local function any(rest, per_turn) return { per_turn = per_turn or 2, rest = rest, last_step = "any" } end
  local hill = wend.parse_grid({ "..H.." }, { H = { weight = 2, tag = "hill" } }, { diagonals = "never" })

  it("lets a step that does not fit into the rest of a turn end it", function()
    assert.equal("5 2: 3 5", show(across(hill, any())))
    assert.equal("5 3: 2 3 5", show(across(hill, { per_turn = 2, last_step = "fits" })))
    assert.equal("5 3: 2 3 5", show(across(hill, { per_turn = 2 })))
    assert.equal("5 3: 2 3 5", show(across(hill, any(1))))
    assert.equal("5 2: 1 3 5", show(across(hill, any(0))))
  end)

  it("takes a whole turn for a step that costs more than one", function()
    local jungle = wend.parse_grid({ ".J.J." }, { J = 30 }, { diagonals = "never" })
    assert.equal("62 4: 2 3 4 5", show(across(jungle, any(nil, 1))))
    assert.equal("62 3: 2 4 5", show(across(jungle, any(nil, 2))))
    assert.equal("62 4: 1 2 3 4 5", show(across(jungle, any(0, 1))))
    assert.equal(nil, (across(jungle, { per_turn = 29 })))
  end)

  it("finds the path that arrives first, which may cost more points", function()
    local grid = wend.parse_grid([[
      .9.
      ...
    ]], { ["9"] = 9 }, { diagonals = "never" })
    assert.equal("10 2: 2 3", show(grid:path(1, 1, 3, 1, any(nil, 1))))
    assert.equal("4 1: 5", show(grid:path(1, 1, 3, 1, any(nil, 4))))
    assert.equal("4 2: 4 5", show(grid:path(1, 1, 3, 1, any(nil, 3))))
  end)

  it("counts anything that is left, but not what rounding leaves", function()
    local grid = wend.parse_grid({ ".." }, {}, { diagonals = "never" }):set(2, 1, 5)
    assert.equal("5 1: 2", show(across(grid, any(0.01))))
    assert.equal("5 1: 1 2", show(across(grid, any(1e-10))))
  end)

  it("ends the turn at the same time as a tag, and is no further turn", function()
    local grid = row("..z..")
    grid:set(3, 1, 2, "zone")
    local options = any()
    options.costs = zone
    assert.equal("5 2: 3 5", show(across(grid, options)))
  end)

  it("counts the step onto a closed goal", function()
    local grid = row "...."
    grid:set(4, 1, { weight = 9, closed = true })
    local options = any(nil, 3)
    options.closed_goal = true
    assert.equal("11 1: 4", show(across(grid, options)))
    options.per_turn = 2
    assert.equal("11 2: 3 4", show(across(grid, options)))
  end)

  it("counts max_cost in turns, of which the last one is full", function()
    local options = any()
    options.max_cost = 1
    assert.equal("3 1: 3", show(hill:path(1, 1, 3, 1, options)))
    options.max_cost = 1.49
    assert.equal("budget", select(3, hill:path(1, 1, 4, 1, options)))
    options.max_cost = 1.5
    assert.equal("4 2: 3 4", show(hill:path(1, 1, 4, 1, options)))
  end)

  it("is an option of ranges, searches in slices, queues and outward fields, and is saved with them", function()
    local options = any()
    options.within = 1
    assert.equal("4 2: 3 4", show(across(hill, options)))
    local search = hill:search(1, 1, 5, 1, any())
    repeat until search:step(1) ~= "running"
    assert.equal("5 2: 3 5", show(search:result()))
    local queue = wend.queue()
    local request = queue:path(hill, 1, 1, 5, 1, any())
    queue:step(1000)
    assert.equal("5 2: 3 5", show(request.result))
    assert.equal("5 2: 3 5", show(wend.decode(request.result:encode(), { map = hill })))
    local outward = any()
    outward.outward = true
    local field = hill:field(1, 1, outward)
    for _, made in ipairs { field, wend.decode(field:encode(), { map = hill }) } do
      assert.equal(1, made:cost(3, 1))
      assert.equal(2, made:cost(5, 1))
      assert.equal("5 2: 3 5", show(made:path(5, 1)))
    end
    assert.equal(field:encode(), wend.decode(field:encode(), { map = hill }):encode())
  end)

  it("counts on graphs", function()
    local graph = wend.graph()
    graph:add_nodes { 0, 0, 1, 0, 9, 0 }
    graph:add_edges { 1, 2, 2, 3 }
    assert.equal("9 1: 3", show(graph:path(1, 3, any())))
    assert.equal("9 2: 2 3", show(graph:path(1, 3, any(nil, 1))))
  end)
end)

describe("ends_turn", function()
  it("ends the turn on cells of a tag, and only with per_turn", function()
    local grid = row "..z..."
    assert.equal("5 2: 3 6", show(across(grid, { per_turn = 5, costs = zone })))
    assert.equal("5 1: 6", show(across(grid, { per_turn = 5 })))
    assert.equal(5, across(grid, { costs = zone }).cost)
  end)

  it("ends it along a link", function()
    local grid = row "..#.."
    grid:link(2, 1, 4, 1, { tag = "zone" })
    assert.equal("3 2: 3 4", show(across(grid, { per_turn = 5, costs = zone })))
  end)

  it("ends no turn of which nothing is used: a step that costs 0 is free between two turns", function()
    local grid = row ".zz.."
    local costs = wend.costs { zone = { times = 0, ends_turn = true } }
    local options = { per_turn = 2, costs = costs }
    assert.equal("2 1: 5", show(across(grid, options)))
    assert.equal(1, grid:field(1, 1, { per_turn = 2, costs = costs, outward = true }):cost(5, 1))
    options.rest = 1
    assert.equal("2 2: 3 5", show(across(grid, options)))
    options.rest = 0
    assert.equal("2 2: 3 5", show(across(grid, options)))
  end)

  it("is inherited, replaced, and set by mods and by default", function()
    local grid = row "..z.."
    local function turns(costs) return across(grid, { per_turn = 9, costs = costs }).turns_used end
    local heir = wend.costs(nil, { base = zone })
    assert.equal(2, turns(heir))
    heir:rule("slow", "zone", function(_, times) return times * 2 end)
    assert.equal(2, turns(heir))
    assert.equal(1, turns(wend.costs({ zone = 1 }, { base = zone })))
    assert.equal(2, turns(wend.costs(nil, { default = { ends_turn = true } })))
    local modded = wend.costs {}
    assert.equal(1, turns(modded))
    modded:mod("watch"):set("zone", { ends_turn = true })
    assert.equal(2, turns(modded))
    assert.same({ ends_turn = true }, zone:get "zone")
    assert.same({ times = 1, plus = 0, ends_turn = true }, zone:readonly():get "zone")
  end)

  it("makes results out of date when it changes", function()
    local grid, costs = row "..z..", wend.costs { zone = 1 }
    local path = across(grid, { per_turn = 9, costs = costs })
    costs:set("zone", { ends_turn = false })
    assert.is_true(path:valid())
    costs:set("zone", { ends_turn = true })
    assert.is_false(path:valid())
  end)

  it("counts for an agent with a size if one of its cells is in the zone", function()
    local grid = wend.grid(8, 3, { diagonals = "never" }):set(4, 2, 1, "zone")
    local options = { per_turn = 9, size = 2, costs = zone }
    assert.equal(3, grid:path(1, 1, 7, 1, options).turns_used)
    assert.equal(1, grid:path(1, 1, 7, 1, { per_turn = 9, size = 2 }).turns_used)
  end)
end)

describe("pass_only", function()
  local allies = { "ally", "nobody" }

  it("forbids a goal, and nothing else, without per_turn", function()
    local grid = row "..a.."
    assert.equal(4, across(grid, { pass_only = allies }).cost)
    helper.fails("no path from (1,1) to (3,1): pass_only forbids the goal (tag 'ally')", "no_path",
      grid.path, grid, 1, 1, 3, 1, { pass_only = allies })
    assert.equal("no_path", select(3, grid:path(3, 1, 3, 1, { pass_only = allies })))
    assert.equal(2, grid:path(3, 1, 1, 1, { pass_only = allies }).cost)
    assert.equal(3, grid:path(1, 1, { 3, 1, 4, 1 }, { pass_only = allies }).cost)
    local partial = grid:path(1, 1, 3, 1, { pass_only = allies, partial = true })
    assert.equal("1,1 2,1", grid_reference.text(partial))
  end)

  it("goes with per_turn in a field of the moves of one turn, which end on none of the places", function()
    local grid = row "..aaa..a"
    local function costs(options)
      options.pass_only, options.outward, options.max_cost = allies, true, options.max_cost or 1
      local field, list = grid:field(1, 1, options), {}
      for x = 1, 8 do list[x] = field:cost(x, 1) and ("%g"):format(field:cost(x, 1)) or "-" end
      return table.concat(list, " "), field
    end
    local text, field = costs { per_turn = 8 }
    assert.equal("0 0.125 - - - 0.625 0.75 -", text)
    assert.equal("5 1: 6", show(field:path(6, 1)))
    assert.equal("no_path", select(3, field:path(4, 1)))
    assert.equal("0 0.25 - - - - - -", (costs { per_turn = 4 }))
    assert.equal("0.375 0.5 - - - 1 - -", (costs { per_turn = 8, rest = 5 }))
    assert.equal("0.375 0.5 - - - - - -", (costs { per_turn = 8, rest = 5, max_cost = 0.9 }))
    -- The last step need not fit, but it may not lead to an ally.
    grid:set(5, 1, 9, "ally"):set(2, 1, 9)
    assert.equal("0 1 - - - - - -", (costs { per_turn = 8, last_step = "any" }))
    grid:set(2, 1, 1):set(6, 1, 9):set(5, 1, 1, "ally")
    assert.equal("0 0.125 - - - 1 - -", (costs { per_turn = 8, last_step = "any" }))
  end)

  it("ends no turn by a tag of a place that can only be passed", function()
    local grid = row ".z."
    local options = { per_turn = 9, pass_only = { "zone" }, costs = zone, outward = true, max_cost = 1 }
    assert.is_nil(grid:field(1, 1, options):cost(3, 1))
    grid:set(3, 1, 0) -- a step that costs nothing is no turn of its own
    assert.is_nil(grid:field(1, 1, options):cost(3, 1))
    options.costs = nil
    assert.equal(1 / 9, grid:field(1, 1, options):cost(3, 1))
    grid:set(2, 1, 10, "zone")
    options.last_step = "any"
    assert.is_nil(grid:field(1, 1, options):cost(3, 1))
  end)

  it("counts within a turn on graphs, and for an agent with a size", function()
    local graph = wend.graph()
    for x = 0, 3 do graph:add_node(x, 0, { tag = x > 0 and x < 3 and "ally" or nil }) end
    graph:add_edges { 1, 2, 2, 3, 3, 4 }
    local options = { per_turn = 3, pass_only = allies, outward = true, max_cost = 1 }
    local field = graph:field(1, options)
    assert.equal(1, field:cost(4))
    assert.is_nil(field:cost(3))
    assert.equal("3 1: 4", show(field:path(4)))
    local grid = wend.grid(6, 2, { diagonals = "never" }):set(3, 2, 1, "ally")
    options.size, options.per_turn = 2, 4
    field = grid:field(1, 1, options)
    assert.is_nil(field:cost(3, 1))
    assert.equal(0.75, field:cost(4, 1))
  end)

  it("does not end a path at a goal that is next to another, closed one", function()
    local grid = wend.parse_grid("..a#", { a = "ally" }, { diagonals = "never" })
    local path = grid:path(1, 1, { 3, 1, 4, 1 }, { pass_only = { "ally" }, closed_goal = true })
    assert.same({ 2, 3 }, { path.goal, path.cost })
  end)

  it("leads over allies onto a closed goal", function()
    local grid = row "..aa."
    grid:close(5, 1)
    local options = { pass_only = allies, closed_goal = true }
    assert.equal(4, across(grid, options).cost)
    grid:set(5, 1, { tag = "ally", closed = true })
    assert.equal("no_path", select(3, across(grid, options)))
  end)

  -- Cells in range that are only reached over others in range are no ends of other searches.
  it("leads over allies in range of the goal to a place next to them", function()
    local options = { pass_only = allies, within = 2 }
    local function ends(map, ...)
      local path = assert(map:path(...))
      return ("%d: %g"):format(path[map.width and #path - 1 or #path], path.cost)
    end
    assert.equal("4: 3", ends(row "..a..", 1, 1, 5, 1, options))
    assert.equal("3: 1", ends(row "#a..#", 2, 1, 4, 1, options))
    options.within = 3
    assert.equal("5: 2", ends(row ".#aa...", 3, 1, 7, 1, options))
    assert.equal("3: 1", ends(row ".a....#", 2, 1, 5, 1, options))
    local graph = wend.graph()
    for x = 0, 2 do graph:add_node(x, 0, { tag = x == 1 and "ally" or nil }) end
    graph:add_edges { 1, 2, 2, 3 }
    assert.equal("1 2 3", table.concat(graph:path(1, 3, { pass_only = allies, within = 1 }), " "))
  end)

  it("counts for an agent with a size if it covers such a cell", function()
    local grid = wend.grid(6, 2, { diagonals = "never" }):set(3, 2, 1, "ally")
    assert.equal("no_path", select(3, grid:path(1, 1, 3, 1, { size = 2, pass_only = allies })))
    assert.equal(4, grid:path(1, 1, 5, 1, { size = 2, pass_only = allies }).cost)
  end)

  it("leaves the places out of fields: they have a cost only as a start", function()
    local grid = row "..a.."
    local field = grid:field(1, 1, { pass_only = allies, outward = true })
    assert.is_nil(field:cost(3, 1))
    assert.equal(3, field:cost(4, 1))
    local each = {}
    for x in field:each() do each[#each + 1] = x end
    assert.same({ 1, 2, 4, 5 }, each)
    assert.equal("no_path", select(3, field:path(3, 1)))
    assert.equal(3, field:path(4, 1).cost)
    local back = grid:field(1, 1, { pass_only = allies })
    assert.equal(2, back:cost(3, 1))
    each = {}
    for x in back:each() do each[#each + 1] = x end
    assert.same({ 1, 2, 4, 5 }, each)
    assert.is_nil(grid:field(3, 1, { pass_only = allies }):cost(1, 1))
  end)
end)

describe("what was counted in turns", function()
  it("is saved with a path", function()
    local grid = row "..z...."
    for _, opts in ipairs { { per_turn = 3, costs = zone }, { per_turn = 3, rest = 0 } } do
      local path = across(grid, opts)
      local loaded = wend.decode(path:encode(), { map = grid })
      assert.equal(show(path), show(loaded))
      path[#path], path[#path - 1] = nil, nil
      helper.raises("the path was changed: its list has not the cells that were found", function() path:encode() end)
    end
    local still = grid:path(1, 1, 1, 1, { per_turn = 3 })
    assert.equal("0 0: ", show(wend.decode(still:encode(), { map = grid })))
    assert.is_nil(wend.decode(across(grid):encode(), { map = grid }).turns_used)
  end)

  it("is saved with a field", function()
    local grid = row "..z.a.."
    for _, opts in ipairs { { per_turn = 3, costs = zone, outward = true, rest = 1 }, { per_turn = 3, costs = zone },
      { per_turn = 9, costs = zone, pass_only = { "ally" }, outward = true, max_cost = 1 },
      { pass_only = { "ally" } } } do
      local field = grid:field(1, 1, opts)
      local loaded = wend.decode(field:encode(), { map = grid, costs = opts.costs, pass_only = opts.pass_only })
      assert.equal(field:encode(), loaded:encode())
      for x = 1, 7 do assert.equal(field:cost(x, 1), loaded:cost(x, 1)) end
      local path, other = field:path(2, 1), loaded:path(2, 1)
      if opts.per_turn then assert.equal(show(path), show(other)) end
      if opts.per_turn then helper.raises("a field with per_turn cannot be relaxed", function() loaded:relax() end) end
    end
  end)

  it("stays when path:valid looks through the path again", function()
    local grid = row "............"
    local path = across(grid, { per_turn = 3 })
    for _ = 1, 4 do
      grid:set(1, 1, 1)
      assert.is_true(path:valid())
    end
    assert.same({ 4, 7, 10, 12 }, path:turns())
  end)
end)

describe("a field with per_turn", function()
  it("has paths, which are stale once the map has changed", function()
    local grid = row "...z..."
    local to, from = grid:field(7, 1, { per_turn = 4, costs = zone }),
      grid:field(1, 1, { per_turn = 4, rest = 1, outward = true, costs = zone })
    assert.equal("6 2: 4 7", show(to:path(1, 1)))
    assert.equal("6 3: 2 4 7", show(from:path(7, 1)))
    assert.equal(1.75, to:cost(1, 1))
    assert.equal(2.75, from:cost(7, 1))
    assert.equal(2, to:next(1, 1))
    grid:set(2, 1, 2)
    assert.equal("stale", select(3, to:path(1, 1)))
  end)

  it("may have a window, and be made by threads of a queue", function()
    local grid = row "........"
    assert.is_nil(grid:field(1, 1, { per_turn = 2, window = 3 }):cost(6, 1))
    assert.equal(1.5, grid:field(1, 1, { per_turn = 2, window = 3 }):cost(4, 1))
  end)
end)

describe("turns: Errors", function()
  local grid, g, costs = row "..a..", wend.graph(), wend.costs {}
  g:add_node(0, 0)
  local function path(opts) return function() grid:path(1, 1, 5, 1, opts) end end
  local function field(opts) return function() grid:field(1, 1, opts) end end
  local POINTS = "per_turn must be a finite number > 0, got "
  local BOTH = "per_turn and pass_only go together in fields with outward and max_cost <= 1 only, the moves of one "
    .. "turn: leave one of the two options out"

  helper.all_raise(it, {
    POINTS .. "0", path { per_turn = 0 },
    POINTS .. "-1", path { per_turn = -1 },
    POINTS .. "nan", path { per_turn = NAN },
    POINTS .. "inf", path { per_turn = math.huge },
    POINTS .. "'5'", field { per_turn = "5" },
    "rest must be a number in 0 .. 5, got 6", path { per_turn = 5, rest = 6 },
    "rest must be a number in 0 .. 5, got -1", path { per_turn = 5, rest = -1 },
    "rest must be a number in 0 .. 5, got nan", path { per_turn = 5, rest = NAN },
    "rest is what is left of a turn: it needs the option per_turn", path { rest = 1 },
    "rest is an option of outward fields: the costs to a goal are those of full turns",
    field { per_turn = 5, rest = 1 },
    "last_step is about the last step of a turn: it needs the option per_turn", path { last_step = "any" },
    "last_step is about the last step of a turn: it needs the option per_turn", field { last_step = "fits" },
    "last_step must be one of: fits, any, got 'all'", path { per_turn = 5, last_step = "all" },
    "last_step must be one of: fits, any, got true", path { per_turn = 5, last_step = true },
    "last_step = 'any' is an option of outward fields: the costs to a goal are those of steps that fit",
    field { per_turn = 5, last_step = "any" },
    "pass_only must be a list of tags, got 'ally'", path { pass_only = "ally" },
    "pass_only must be a list of tags, got the key 'ally'", path { pass_only = { ally = true } },
    "pass_only[2] must be a tag, got 7", path { pass_only = { "ally", 7 } },
    "per_turn and variation do not go together: leave one of the two options out",
    path { per_turn = 5, variation = 0.1, seed = 1 },
    "per_turn and corners do not go together: leave one of the two options out", path { per_turn = 5, corners = true },
    "per_turn and values do not go together: leave one of the two options out", field { per_turn = 5, values = { 1 } },
    BOTH, path { per_turn = 5, pass_only = { "ally" } },
    BOTH, path { per_turn = 5, pass_only = {}, max_cost = 1 },
    BOTH, field { per_turn = 5, pass_only = { "ally" } },
    BOTH, field { per_turn = 5, pass_only = { "ally" }, max_cost = 1 },
    BOTH, field { per_turn = 5, pass_only = { "ally" }, outward = true },
    BOTH, field { per_turn = 5, pass_only = { "ally" }, outward = true, max_cost = 1.001 },
    BOTH, function() grid:search(1, 1, 5, 1, { per_turn = 5, pass_only = { "ally" } }) end,
    BOTH, function() wend.queue():path(grid, 1, 1, 5, 1, { per_turn = 5, pass_only = { "ally" } }) end,
    BOTH, function() wend.queue():field(grid, 1, 1, { per_turn = 5, pass_only = { "ally" } }) end,
    "a field with per_turn has no paths if an edge rule or influence is given: ask the grid for the path",
    function() grid:field(1, 1, { per_turn = 5, cost = function() return 1 end }):next(2, 1) end,
    "a field with per_turn cannot be relaxed", function() grid:field(1, 1, { per_turn = 5 }):scale(2):relax() end,
    "self must be a path that was found with per_turn", function() grid:path(1, 1, 5, 1):turns() end,
    "the cost of tag 'zone': ends_turn must be true or false, got 1",
    function() costs:set("zone", { ends_turn = 1 }) end,
    "share cannot be combined with the option 'per_turn'",
    function() wend.queue():path(grid, 1, 1, 5, 1, { per_turn = 5, share = true }) end,
  })

  it("other calls do not have the options", function()
    for _, call in ipairs { grid.why_not, grid.can_reach, grid.route } do
      assert.is_truthy(select(2, pcall(call, grid, 1, 1, 5, 1, { per_turn = 5 })):find "unknown option 'per_turn'")
    end
    local _, message = pcall(grid.paths, grid, { 1, 1, 5, 1 }, { per_turn = 5 })
    assert.is_truthy(message:find "unknown option 'per_turn'")
  end)
end)
