-- SPDX-License-Identifier: MIT
-- The open list: heap or buckets, duplicates or decrease-key, in the same search in C; and wend.

local common, graphs = require "common", require "graphs"

local names = { "bucket", "bucket_decrease", "heap_lazy", "heap_decrease" }

local function measure(input, count, width)
  local trips = input:mix(count)
  local reference, wend = input:reference(), not width and input:wend()
  if width then reference:set_width(width) end
  input:release()

  local expected, contestants = reference:costs(trips, "heap_decrease"), {}
  for _, name in ipairs(names) do
    common.agree(input.name .. ", " .. name, reference:costs(trips, name), expected)
    contestants[#contestants + 1] = { name, common.native_trips(reference, trips, name) }
  end
  if wend then
    common.agree(input.name .. ", wend", common.wend_costs(wend, trips), expected)
    contestants[#contestants + 1] = { "wend", common.wend_trips(wend, trips) }
  end
  local seconds = common.race(contestants)

  local row = { input.name, common.round(seconds.bucket / count * 1e6, 1) }
  for i = 2, #names do row[#row + 1] = common.round(seconds[names[i]] / seconds.bucket) end
  row[#row + 1] = common.round(wend and seconds.wend / seconds.bucket)
  local _, least = reference:run(trips, "heap_decrease")
  for i = 1, 2 do
    local _, expanded = reference:run(trips, names[i])
    row[#row + 1] = common.round(expanded / least)
  end
  row[#row + 1] = common.round(wend and common.wend_stats(wend, trips).expanded / least)
  return row
end

-- Inputs that are hard for a bucket queue.
local function hard_inputs()
  local base = graphs.geometric(10000)
  local random = math.random
  local function heavy(length)
    local normal = math.sqrt(-2 * math.log(1 - random())) * math.cos(2 * math.pi * random())
    return length * math.exp(1.5 * math.abs(normal))
  end
  return {
    base:reweighted("terrain x1 to x10", function(length) return length * random(10) end),
    base:reweighted("heavy-tailed weights", heavy),
    base:reweighted("half the weights 0", function(length) return random() < 0.5 and 0 or length end),
    base:reweighted("9 of 10 weights / 1000", function(length)
      return random() < 0.9 and length / 1000 or length
    end),
    base:with_teleporter("teleporter of 100 edges", 100, 1),
    base:with_teleporter("an edge of 1,000,000", 10, 100000),
  }
end

return {
  name = "queues",
  title = "Open lists (time as a share of the bucket queue with duplicates; nodes expanded as a share of a heap's)",
  run = function()
    local rows = {}
    for _, n in ipairs { 1000, 10000, 100000, 1000000 } do
      local count = math.max(20, math.min(100, 2000000 // n))
      if not (common.quick and n > 100000) then
        rows[#rows + 1] = measure(graphs.geometric(n), count)
        if n >= 100000 then rows[#rows + 1] = measure(graphs.geometric(n, true), count) end
      end
    end
    for _, name in ipairs(graphs.file_names()) do
      rows[#rows + 1] = measure(graphs.from_file(name), 100)
    end
    for _, input in ipairs(hard_inputs()) do rows[#rows + 1] = measure(input, 50) end
    local wide = graphs.geometric(10000)
    wide.name = "rgg10k, buckets 10x as wide"
    rows[#rows + 1] = measure(wide, 50, 1) -- instead of 0.1 mean weights
    common.print_table({
      "input", "bucket µs", "bucket decrease", "heap lazy", "heap decrease", "wend",
      "expanded: bucket", "bucket decrease", "wend",
    }, rows)
  end,
}
