-- A level as data: a fen between a gate and a keep. Capital letters are nodes; the rest only decorates the map.
--   = causeway   ~ swamp   # toll bridge   : river   ^ crag, with a drop that leads only down

local map = {
  "....M=================T===========================C.......",
  "...=............................................^^|^^^....",
  "..=.......~~~~~~~~~~~~~~~~~~~~~~~...............^^v^^^.P..",
  "..=.....~~~~~~~~~~~~~~~~~~~~~~~~~H~~~~............S.......",
  ".=....~~~~~~~~~~~~~I~~~~~~~~~~~~~~~~~~~~..................",
  ".=...~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~................",
  "G...R~~~~~~~~~~~~~~~~~~~~~~~~~~O~~~~~~~~~~E....D...K......",
  ".......~~~~~~~~~~~L~~~~~~~~~~~~~~~~~~~~~..................",
  "..F..........~~~~~~~~~~~~~~~~~~~.......W....N.............",
  ".............B:########:A.................................",
  "..............::::::::::..................................",
}

local names = {
  G = "gate", M = "mill", T = "tower", C = "crag", P = "pass", S = "shore", K = "keep", D = "door", E = "east bank",
  O = "oak", H = "hut", I = "islet", L = "lily pool", R = "reeds", F = "farm", B = "bridge", A = "arches",
  W = "well", N = "inn",
}

-- The edges: two letters; optionally a tag; optionally "one way".
local ways = {
  { "GM", "road" }, { "MT", "road" }, { "TC", "road" }, { "CP" }, { "PK" }, { "CS", "drop", "one way" }, { "SK" },
  { "GR" }, { "RI", "swamp" }, { "IO", "swamp" }, { "OE", "swamp" }, { "TH", "swamp" }, { "HO", "swamp" },
  { "HE", "swamp" }, { "RL", "swamp" }, { "IL", "swamp" }, { "LO", "swamp" }, { "LA", "swamp" }, { "ED" }, { "DK" },
  { "ES" }, { "GF" }, { "FB" }, { "BA", "toll" }, { "AW" }, { "WN" }, { "WE" }, { "NK" },
}

local fen = {}

--- Makes the graph of the level. A character is twice as high as wide, so rows are 2 apart.
function fen.build(wend)
  local graph = wend.graph()
  for row, line in ipairs(map) do
    for column, letter in line:gmatch "()(%u)" do
      graph:add_node(column, row * 2, { name = names[letter] })
    end
  end
  for _, way in ipairs(ways) do
    local a, b = way[1]:match "(.)(.)"
    graph:add_edge(names[a], names[b], { tag = way[2], directed = way[3] == "one way" })
  end
  return graph
end

--- Returns the map as text, with a path drawn into it.
function fen.draw(path)
  local cells = {}
  for row, line in ipairs(map) do
    cells[row] = {}
    for character in line:gmatch "." do
      table.insert(cells[row], character)
    end
  end
  local points = path:points()
  for i = 1, #points - 3, 2 do
    local x, y, x2, y2 = points[i], points[i + 1] / 2, points[i + 2], points[i + 3] / 2
    local steps = math.max(math.abs(x2 - x), math.abs(y2 - y))
    for step = 0, steps do
      local column = math.floor(x + (x2 - x) * step / steps + 0.5)
      local row = math.floor(y + (y2 - y) * step / steps + 0.5)
      if not cells[row][column]:find "%u" then
        cells[row][column] = "*"
      end
    end
  end
  for row, characters in ipairs(cells) do
    cells[row] = "  " .. table.concat(characters)
  end
  return table.concat(cells, "\n")
end

return fen
