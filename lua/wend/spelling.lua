-- SPDX-License-Identifier: MIT
-- The nearest spelling of a word: for tags that a profile names and a map does not have.

local floor, huge, max, min = math.floor, math.huge, math.max, math.min

local spelling = {}

local SHARE = 3             -- a word may differ in one of this many bytes, and in one byte in any case

--- The number of edits that turn a into b: a byte is added, removed or replaced, or two neighbours change places (the
--- optimal string alignment distance). math.huge: it is more than `most`.
function spelling.distance(a, b, most)
  local columns = #b
  if math.abs(#a - columns) > most then
    return huge
  end
  local before, last, row = {}, {}, {}
  for j = 0, columns do
    last[j] = j
  end
  for i = 1, #a do
    local least = i
    row[0] = i
    for j = 1, columns do
      local same = a:byte(i) == b:byte(j)
      local edits = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same and 0 or 1))
      if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
        edits = min(edits, before[j - 2] + 1)
      end
      row[j] = edits
      least = min(least, edits)
    end
    if least > most then
      return huge
    end
    before, last, row = last, row, before
  end
  return last[columns] <= most and last[columns] or huge
end

--- The word of a list that is spelt most like a word. Capital letters do not matter.
-- @param words a sorted list: of equally near ones the first counts
-- @return a word; nil: none is near
function spelling.nearest(word, words)
  local lower, best, least = word:lower(), nil, max(1, floor(#word / SHARE)) + 1
  for _, other in ipairs(words) do
    local distance = spelling.distance(lower, other:lower(), least - 1)
    if distance < least then
      best, least = other, distance
    end
  end
  return best
end

return spelling
