-- SPDX-License-Identifier: MIT
-- Graphs and grids as bytes: encoding, decoding and loading files, compared with reading a file and computing its
-- checksum.

local common, graphs, grids = require "common", require "graphs", require "grids"
local reference = require "wend_bench_reference_bytes"

-- Raises unless the trips on the decoded map cost the same, to the last bit, as those on the encoded one.
local function same_costs(name, costs, expected)
  for i = 1, #expected do
    if costs[i] ~= expected[i] then
      error(("%s: trip %d costs %.17g, and %.17g before it was written"):format(name, i, costs[i], expected[i]), 0)
    end
  end
end

local function check(name, x, trips, file)
  local wend = require "wend"
  local bytes, read = x:encode(), assert(wend.load(file))
  if assert(wend.decode(bytes)):encode() ~= bytes or read:encode() ~= bytes then
    error(name .. ": other bytes when written again", 0)
  end
  local at = 17
  while at < #bytes do -- section by section; each ends with its checksum
    local size = ("<I8"):unpack(bytes, at + 4) + 16
    if reference.sum(bytes:sub(at, at + size - 1)) ~= ("<I4"):unpack(bytes, at + size - 4) then
      error(name .. ": a sum is not that of the reference", 0)
    end
    at = at + size
  end
  if reference.read(file) ~= reference.sum(bytes) then
    error(name .. ": the sum of the file is not that of its bytes", 0)
  end
  same_costs(name, common.costs(read, trips), common.costs(x, trips))
end

local function race(name, x, trips)
  local wend, file = require "wend", os.tmpname()
  assert(x:save(file))
  check(name, x, trips, file)
  local bytes = x:encode()
  local contestants = {
    { "encode", function(repeats) for _ = 1, repeats do x:encode() end end },
    { "decode", function(repeats)
      for _ = 1, repeats do
        wend.decode(bytes)
        collectgarbage() -- otherwise the garbage of one contestant would be collected in the turn of another
      end
    end },
    { "load", function(repeats)
      for _ = 1, repeats do
        wend.load(file)
        collectgarbage()
      end
    end },
    { "collector", function(repeats) for _ = 1, repeats do collectgarbage() end end },
    { "read and sum", function(repeats) reference.read(file, repeats) end },
  }
  local seconds = common.race(contestants)
  os.remove(file)
  local load, both = seconds.load - seconds.collector, seconds["read and sum"]
  local function milli(taken) return common.round(taken * 1e3, 2) end
  return {
    name, common.round(#bytes / 1e6), milli(seconds.encode), milli(seconds.decode - seconds.collector), milli(load),
    milli(both), common.round(load / both),
  }
end

local function of_graph(input)
  local g, trips = input:wend(), input:mix(20)
  local name = input.name
  input:release()
  return race(name, g, trips)
end

-- different: each cell has its own weight, so there are more kinds than a palette can have.
local function of_grid(input, different)
  local trips = input:trips(20)
  if different then
    math.randomseed(graphs.seed)
    for i, weight in ipairs(input.weights) do input.weights[i] = weight * (1 + math.random()) end
    input.name = input.name .. ", all different"
  end
  local grid = input:wend()
  local name = input.name
  input:release()
  return race(name, grid, trips)
end

return {
  name = "files",
  title = "Files (reading and summing: CRC-32 in C by eight tables)",
  run = function()
    local rows = {}
    for _, n in ipairs(common.quick and { 10000 } or { 10000, 100000 }) do
      rows[#rows + 1] = of_graph(graphs.geometric(n))
    end
    for _, name in ipairs(graphs.file_names()) do rows[#rows + 1] = of_graph(graphs.from_file(name)) end
    for _, name in ipairs(common.quick and {} or { "bg512/AR0300SR", "street/NewYork_0_1024" }) do
      local input = grids.from_file(name)
      if input then rows[#rows + 1] = of_grid(input) end
    end
    for _, side in ipairs(common.quick and { 512 } or { 512, 1024 }) do
      local input = grids.made(side)
      local terrain = input:terrain()
      rows[#rows + 1] = of_grid(input)
      rows[#rows + 1] = of_grid(terrain)
      rows[#rows + 1] = of_grid(grids.made(side), true)
    end
    common.print_table({
      "map", "MB", "encode ms", "decode ms", "load ms", "read and sum ms", "load / read and sum",
    }, rows)
  end,
}
