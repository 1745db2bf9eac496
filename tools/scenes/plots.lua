-- SPDX-License-Identifier: MIT
-- Plots of the figures of doc/performance.md. The figures are read from the page, so a plot shows what the page says.

local scenes = {}
local ROW, LEFT, FONT = 26, 150, 12 -- the height of a bar, the room for labels, the size of letters

local function page()
  local file = assert(io.open("doc/performance.md", "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function figure(text) return assert(tonumber((text:gsub(",", "")))) end

---A panel of bars on a scale from 0, or on a logarithmic one from 1. Each row is { label, text, least, most }: with
---most, the bar is pale from least on.
local function bars(rows, caption, logarithmic)
  local top = 1
  for _, row in ipairs(rows) do top = math.max(top, row[4] or row[3]) end
  return { caption = caption, body = function(wide)
    local room = wide - LEFT - 90
    local function long(value)
      return logarithmic and math.max(2, math.log(value) / math.log(top) * room) or value / top * room
    end
    local out = {}
    local function add(...) out[#out + 1] = string.format(...) end
    for i, row in ipairs(rows) do
      local y = (i - 1) * ROW + 8
      add('<text x="4" y="%g" font-size="%d" fill="#2b2f3a">%s</text>', y + 14, FONT, row[1])
      if row[4] then
        add('<rect x="%d" y="%g" width="%.4g" height="18" fill="#30a4c2" opacity="0.5"/>', LEFT, y, long(row[4]))
      end
      add('<rect x="%d" y="%g" width="%.4g" height="18" fill="#2079b4"/>', LEFT, y, long(row[3]))
      add('<text x="%.5g" y="%g" font-size="%d" fill="#2b2f3a">%s</text>', LEFT + long(row[4] or row[3]) + 6, y + 14,
        FONT, row[2])
    end
    return table.concat(out, "\n") .. "\n", #rows * ROW + 12
  end }
end

scenes["plot-sizes"] = function()
  local sentence = "take N µs on 1,000 random points, N µs on 10,000, N µs on 100,000 and N ms on 1,000,000"
  local small, larger, large, largest = page():gsub("%s+", " "):match((sentence:gsub("N", "([%%d.]+)")))
  return { title = "Time of a trip by the size of the graph", wide = 560, bars({
    { "1,000 nodes", small .. " µs", figure(small) },
    { "10,000 nodes", larger .. " µs", figure(larger) },
    { "100,000 nodes", large .. " µs", figure(large) },
    { "1,000,000 nodes", largest .. " ms", figure(largest) * 1000 },
  }, "Time of a random trip. The scale is logarithmic", true) }
end

scenes["plot-callbacks"] = function()
  local size, row
  for side, rest in page():gmatch "\n| grid (%d+ x %d+), terrain |([^\n]+)" do size, row = side, rest end
  local cells = {}
  for cell in assert(row, "performance.md has no row of terrain"):gmatch "[^|]+" do
    cells[#cells + 1] = cell:match "^%s*(.-)%s*$"
  end
  local rows = {}
  for i, label in ipairs { "tag function", "promise, few costs", "promise, all costs", "no promise" } do
    local least, most = cells[i]:match "^(%S+) to (%S+)$"
    rows[i] = { label, cells[i], figure(least or cells[i]), most and figure(most) }
  end
  return { title = "Time of a search with functions", wide = 560,
    bars(rows, "Times the search without functions, " .. size .. " cells") }
end

scenes["plot-edits"] = function()
  local small, times, more = page():match(
    "after one edit in the open[^|]*| ([%d.]+) µs / .-a new field ([%d,]+) / ([%d,]+)")
  return { title = "Time to mend a field", wide = 560, bars({
    { "field:update", small .. " µs", figure(small) },
    { "new, 512 x 512", times .. " times", figure(small) * figure(times) },
    { "new, 2048 x 2048", more .. " times", figure(small) * figure(more) },
  }, "One edit: field:update, and a new field. The scale is logarithmic", true) }
end

return scenes
