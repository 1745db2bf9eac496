-- SPDX-License-Identifier: MIT
-- The same points and trips, with ids in good order and shuffled. wend should take the same time, because it sorts
-- nodes.

local common, graphs = require "common", require "graphs"

local function measure(n, count)
  local good, shuffled = graphs.geometric(n), graphs.geometric(n, true)
  local trips, same_trips = good:mix(count), {}
  for i, node in ipairs(trips) do same_trips[i] = shuffled.ids[node] end
  local reference, wend = good:reference(), good:wend()
  local reference_shuffled, wend_shuffled = shuffled:reference(), shuffled:wend()
  good:release()
  shuffled:release()
  shuffled.ids = nil

  local expected = reference:costs(trips)
  common.agree("good order", common.costs(wend, trips), expected)
  common.agree("shuffled", common.costs(wend_shuffled, same_trips), expected)
  local seconds = common.race {
    { "reference", common.native_run(reference, trips) },
    { "reference shuffled", common.native_run(reference_shuffled, same_trips) },
    { "wend", common.run(wend, trips) },
    { "wend shuffled", common.run(wend_shuffled, same_trips) },
  }
  local row = { good.name, count }
  for _, name in ipairs { "reference", "wend" } do
    row[#row + 1] = common.round(seconds[name] / count * 1e6, 0)
    row[#row + 1] = common.round(seconds[name .. " shuffled"] / count * 1e6, 0)
    row[#row + 1] = common.round(seconds[name .. " shuffled"] / seconds[name])
  end
  return row
end

return {
  name = "order",
  title = "Ids in good order and shuffled (the reference takes them as they come)",
  run = function()
    local rows = { measure(100000, 40) }
    if not common.quick then rows[2] = measure(1000000, 20) end
    common.print_table({
      "input", "trips", "reference µs", "shuffled µs", "ratio", "wend µs", "shuffled µs", "ratio",
    }, rows)
  end,
}
