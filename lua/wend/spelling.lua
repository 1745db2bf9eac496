-- SPDX-License-Identifier: MIT
-- The nearest spelling of a word: for tags that a profile names and a map does not have.
--
-- Two words that differ by k edits become equal when at most k bytes are removed from each (W. Garbe, "Symmetric delete
-- spelling correction algorithm", 2012). So the index lists each word under all that is left of it when up to EDITS
-- bytes are removed, and only words that a word shares such a key with are compared.

local huge, min = math.huge, math.min

local spelling = {}

local EDITS = 2             -- more edits are another word
local SHORT = 6             -- a word of fewer bytes may differ by one edit
local LONGEST = 32          -- bytes: of longer words only capital letters may differ, because they have too many keys
local LISTED = 16           -- words under one key: of more, the first count

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

--- Calls visit(key) for a word, and for what is left of it when up to `edits` bytes from index `from` on are removed.
local function each_key(word, edits, from, visit)
  visit(word)
  if edits > 0 and #word <= LONGEST then
    for i = from, #word do
      each_key(word:sub(1, i - 1) .. word:sub(i + 1), edits - 1, i, visit)
    end
  end
end

--- An index of words.
-- @param words a sorted list
function spelling.index(words)
  local keys = {}
  for i, word in ipairs(words) do
    each_key(word:lower(), EDITS, 1, function(key)
      local list = keys[key] or {}
      if #list < LISTED and list[#list] ~= i then
        keys[key], list[#list + 1] = list, i
      end
    end)
  end
  return { words = words, keys = keys }
end

--- The word of an index that is spelt most like a word. Capital letters do not matter.
-- @return a word, of equally near ones the first; nil: none is near
function spelling.nearest(word, index)
  local lower, best, least = word:lower(), nil, (#word < SHORT and 1 or EDITS) + 1
  local compared = {}
  each_key(lower, least - 1, 1, function(key)
    for _, i in ipairs(index.keys[key] or {}) do
      if not compared[i] then
        compared[i] = true
        local distance = spelling.distance(lower, index.words[i]:lower(), least)
        if distance < least or distance == least and best and i < best then
          best, least = i, distance
        end
      end
    end
  end)
  return index.words[best]
end

return spelling
