-- SPDX-License-Identifier: MIT
-- The open list: buckets or a heap, in the same search in C; and wend.

local common, graphs = require "common", require "graphs"

local function measure(input, count)
  local trips = input:mix(count)
  local reference, wend = input:reference(), input:wend()
  input:release()

  local expected = reference:costs(trips, "heap")
  common.agree(input.name .. ", buckets", reference:costs(trips), expected)
  common.agree(input.name .. ", wend", common.costs(wend, trips), expected)
  local seconds = common.race {
    { "buckets", common.native_run(reference, trips, "bucket") },
    { "heap", common.native_run(reference, trips, "heap") },
    { "wend", common.run(wend, trips) },
  }
  local _, least = reference:run(trips, "heap")
  local _, expanded = reference:run(trips, "bucket")
  return {
    input.name, common.round(seconds.buckets / count * 1e6, 1), common.round(seconds.heap / seconds.buckets),
    common.round(seconds.wend / seconds.buckets), common.round(expanded / least),
    common.round(common.expanded(wend, trips) / least),
  }
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
  title = "Open lists (time as a share of the bucket queue; nodes expanded as a share of a heap's)",
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
    common.print_table({ "input", "buckets µs", "heap", "wend", "expanded: buckets", "wend" }, rows)
  end,
}
