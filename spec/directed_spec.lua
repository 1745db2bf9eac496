-- SPDX-License-Identifier: MIT
-- Directed walls: ledges and one-way streets. The random specs compare them with the plain model, in all searches.
local file_reference = require "spec.support.file_reference"
local helper = require "spec.support.helper"
local wend = require "wend"

local SQRT2 = math.sqrt(2)

describe("grid:wall with directed", function()
  local ONE_WAY = { directed = true }

  local function walls_of(grid)
    local list = {}
    for x1, y1, x2, y2, directed in grid:walls() do
      list[#list + 1] = ("%d,%d %d,%d %s"):format(x1, y1, x2, y2, tostring(directed))
    end
    return table.concat(list, " | ")
  end

  it("closes the step from the first cell to the second alone, and gives the grid back", function()
    local grid = wend.grid(2, 1)
    assert.equal(grid, grid:wall(1, 1, 2, 1, true, ONE_WAY))
    assert.same({ nil, 1 }, { (grid:path(1, 1, 2, 1)), grid:path(2, 1, 1, 1).cost })
    assert.same({ false, true }, { grid:can_reach(1, 1, 2, 1), grid:can_reach(2, 1, 1, 1) })
    assert.same({ false, true }, { grid:clear(1, 1, 2, 1), grid:clear(2, 1, 1, 1) })
    assert.same({ nil, 1 }, { grid:field(2, 1):cost(1, 1), grid:field(1, 1):cost(2, 1) })
    grid:wall(1, 1, 2, 1, false, ONE_WAY)
    assert.equal(1, grid:path(1, 1, 2, 1).cost)
    assert.equal("", walls_of(grid))
  end)

  it("is listed with the step that it closes", function()
    local grid = wend.grid(3, 2):wall(2, 1, 1, 1, true, ONE_WAY):wall(2, 1, 3, 1, nil, ONE_WAY):wall(3, 2, 2, 1)
    assert.equal("2,1 1,1 true | 2,1 3,1 true | 2,1 3,2 false", walls_of(grid))
  end)

  it("changes nothing where a wall is, and opens one way of it", function()
    local grid = wend.grid(2, 1):wall(1, 1, 2, 1):wall(2, 1, 1, 1, true, ONE_WAY)
    assert.equal("1,1 2,1 false", walls_of(grid))
    assert.equal("1,1 2,1 true", walls_of(grid:wall(2, 1, 1, 1, false, ONE_WAY)))
    assert.equal("1,1 2,1 true", walls_of(grid:wall(2, 1, 1, 1, false, ONE_WAY)))
  end)

  it("makes a wall of two, and a wall without the option replaces one, or removes it", function()
    local grid = wend.grid(2, 1):wall(1, 1, 2, 1, true, ONE_WAY)
    assert.is_true(grid:sees(1, 1, 2, 1) and grid:sees(2, 1, 1, 1))
    grid:wall(2, 1, 1, 1, true, ONE_WAY)
    assert.equal("1,1 2,1 false", walls_of(grid))
    assert.is_false(grid:sees(1, 1, 2, 1))
    grid:wall(2, 1, 1, 1, false):wall(2, 1, 1, 1, true, ONE_WAY)
    assert.equal("1,1 2,1 false", walls_of(grid:copy():wall(1, 1, 2, 1)))
    assert.equal("", walls_of(grid:copy():wall(1, 1, 2, 1, false)))
  end)

  it("closes the diagonals whose ways round the corner take the step", function()
    for policy, cost in pairs { both_open = 2, one_open = SQRT2, always = SQRT2 } do
      local grid = wend.grid(2, 2, { diagonals = policy }):wall(1, 1, 2, 1, true, ONE_WAY)
      assert.equal(cost, grid:path(1, 1, 2, 2).cost)
      assert.equal(SQRT2, grid:path(2, 2, 1, 1).cost)
      grid:wall(1, 2, 2, 2, true, ONE_WAY) -- both ways
      assert.same({ nil, SQRT2 }, { (grid:path(1, 1, 2, 2)), grid:path(2, 2, 1, 1).cost })
    end
  end)

  it("lets an agent with a size cross from one side, and not turn round on it", function()
    local grid = wend.grid(6, 2)
    for y = 1, 2 do grid:wall(3, y, 4, y, true, ONE_WAY) end
    assert.same({ nil, 4 }, { (grid:path(1, 1, 5, 1, { size = 2 })), grid:path(5, 1, 1, 1, { size = 2 }).cost })
    assert.same({ nil, 2 }, { (grid:path(3, 1, 5, 1, { size = 2 })), grid:path(3, 1, 1, 1, { size = 2 }).cost })
    assert.equal("wall", grid:explain({ 3, 1, 4, 1 }, { size = 2 })[1].cause)
    local wall = grid:why_not(1, 1, 5, 1, { size = 2 }).obstacles[1]
    assert.same({ "wall", 3, 4 }, { wall.cause, wall.x, wall.to_x })
  end)

  it("is a cause, an obstacle, and a change for paths and watches", function()
    local grid = wend.grid(3, 1)
    local path, field = grid:path(1, 1, 3, 1), grid:field(3, 1)
    grid:wall(2, 1, 1, 1, true, ONE_WAY)
    assert.is_true(path:valid())
    grid:wall(1, 1, 2, 1, true, ONE_WAY)
    grid:wall(2, 1, 1, 1, false, ONE_WAY)
    assert.is_false(path:valid())
    field:update()
    assert.is_nil(field:cost(1, 1))
    assert.equal("wall", grid:explain({ 1, 1, 2, 1 })[1].cause)
    local wall = grid:why_not(1, 1, 3, 1).obstacles[1]
    assert.same({ "wall", 1, 2 }, { wall.cause, wall.x, wall.to_x })
    assert.equal(2, #grid:check().components)
  end)

  it("may be what first_cut has to go against", function()
    local grid = wend.grid(3, 3)
    assert.is_nil((grid:first_cut({ 2, 2, 2, 2 }, { 1, 1 }, { 3, 3 })))
    grid:wall(2, 1, 3, 1, true, ONE_WAY):wall(2, 3, 3, 3, true, ONE_WAY)
    assert.equal(1, (grid:first_cut({ 2, 2, 2, 2 }, { 1, 1 }, { 3, 3 })))
    assert.is_nil((grid:first_cut({ 2, 2, 2, 2 }, { 3, 3 }, { 1, 1 })))
  end)

  it("is saved, and hidden and reset in overlays", function()
    local grid = wend.grid(3, 2):wall(1, 1, 2, 1, true, ONE_WAY):wall(3, 2, 2, 1, true, ONE_WAY)
    local bytes = grid:encode()
    assert.equal(walls_of(grid), walls_of(assert(wend.decode(bytes))))
    assert.equal(bytes, wend.decode(bytes):encode())
    local overlay = grid:overlay():wall(1, 1, 2, 1, false, ONE_WAY):wall(1, 2, 2, 2, true, ONE_WAY)
    assert.equal("1,2 2,2 true | 3,2 2,1 true", walls_of(overlay))
    local saved = overlay:encode()
    overlay = assert(wend.decode(saved, { map = grid }))
    assert.equal(saved, overlay:encode())
    assert.equal("1,2 2,2 true | 3,2 2,1 true", walls_of(overlay))
    assert.equal(walls_of(grid), walls_of(overlay:reset()))
    local known = grid:overlay { unknown = 1 }:reveal(1, 1)
    assert.equal("1,1 2,1 true", walls_of(known))
    assert.equal("1,1 2,1 true", walls_of(assert(wend.decode(known:encode(), { map = grid }))))
  end)

  it("in a damaged file, whose sums are right, is refused, or is what another grid has", function()
    local grid = wend.grid(3, 2):wall(1, 1, 2, 1, true, ONE_WAY):wall(3, 2, 2, 1, true, ONE_WAY):wall(1, 1, 1, 2)
    local overlay = grid:overlay():wall(1, 2, 2, 2, true, ONE_WAY):wall(2, 1, 3, 1):wall(2, 2, 3, 2, false)
    local fog = grid:overlay { unknown = 1 }:reveal(1, 1, 2, 2)
    for _, bytes in ipairs { grid:encode(), overlay:encode(), fog:encode() } do
      local refused = 0
      for i, section in ipairs(file_reference.sections(bytes)) do
        for at = 1, section[1] == "DWAL" and #section[2] or 0 do
          for byte = 0, 255 do
            local sections = file_reference.sections(bytes)
            sections[i][2] = file_reference.patch(section[2], at, string.char(byte))
            local other = file_reference.pack(bytes:sub(1, 8), sections)
            local read, _, code = wend.decode(other, { map = grid })
            if read then assert.equal(other, read:encode()) else refused = refused + (code == "format" and 1 or 0) end
          end
        end
      end
      assert.truthy(refused > 1000, refused)
    end
  end)

  it("is a thin line with a tooth in pictures #tools", function()
    local grid = wend.grid(2, 2):wall(1, 1, 2, 1, true, ONE_WAY):wall(2, 1, 2, 2, true, ONE_WAY)
    local text = wend.svg(grid)
    assert.truthy(text:find('d="M1 1h1m-0.5 0v-0.25M1 0v1m0 -0.5h-0.25"', 1, true), text)
    assert.truthy(text:find("directed wall", 1, true))
  end)

  it("checks its options", function()
    local grid = wend.grid(2, 1)
    helper.raises("directed must be true or false, got 1", grid.wall, grid, 1, 1, 2, 1, true, { directed = 1 })
    helper.raises("unknown option 'oneway' (expected one of: directed)", grid.wall, grid, 1, 1, 2, 1, true,
      { oneway = true })
    assert.equal("", walls_of(grid))
  end)
end)
