-- SPDX-License-Identifier: MIT
-- Pages stay short and plain: their words are counted, some words are not used, and no cell is a list to search in.
local helper = require "spec.support.helper"

local read, files = helper.read, helper.files

local PAGES = files "README.md doc/*.md doc/api/*.md"

-- Pages about hosts and maps that the limit does not count.
local NOT_COUNTED = { ["doc/luanti.md"] = true, ["doc/surface.md"] = true, ["doc/api/surface.md"] = true }

-- All words of these pages, as wc -w counts them: with programs and tables.
local MOST_WORDS = 72200

-- Names that a cell of options or fields lists at most. More are the names of a table, and one link leads there.
local MOST_NAMES = 8

-- Words about people that are not used for things, and words without a name beside them.
local FORBIDDEN = {
  "[Oo]ne that ", "[Tt]hat of those", "[Ww]hoever ", "of which many", "one of its own", "[Ww]hat is expected to",
}

local NEGATIONS = {}
for word in ("No Not Never Nothing Nobody None Neither Without Cannot"):gmatch "%a+" do NEGATIONS[word] = true end

-- A page without programs, as lines.
local function prose(text)
  local lines, inside = {}, false
  for line in (text .. "\n"):gmatch "(.-)\n" do
    local fence = line:find "^%s*```" ~= nil
    if not inside and not fence then lines[#lines + 1] = line end
    inside = inside ~= fence
  end
  return lines
end

describe("the words of pages", function()
  it("are few", function()
    local count = 0
    for _, page in ipairs(PAGES) do
      if not NOT_COUNTED[page] then count = count + select(2, read(page):gsub("%S+", "")) end
    end
    assert.is_true(count <= MOST_WORDS, ("%d words, at most %d"):format(count, MOST_WORDS))
  end)

  for _, page in ipairs(PAGES) do
    it("are plain: " .. page, function()
      local text = table.concat(prose(read(page)), " ")
      for _, pattern in ipairs(FORBIDDEN) do
        local at = text:find(pattern)
        assert.falsy(at, ("%s: %s"):format(page, at and text:sub(math.max(1, at - 40), at + 40) or ""))
      end
    end)

    it("do not begin five sentences in a row with a negation: " .. page, function()
      local text, row = table.concat(prose(read(page)), "\n"):gsub("\n%s*%- ", ". "):gsub("%s+", " "), 0
      for first in (". " .. text):gmatch "[.:] +(%a+)" do
        row = NEGATIONS[first] and row + 1 or 0
        assert.is_true(row < 5, page .. ": five sentences begin with a negation, the last one with " .. first)
      end
    end)

    it("have no cell of options with many names: " .. page, function()
      local options = false
      for _, line in ipairs(prose(read(page))) do
        if not line:find "^|" then options = false end
        options = options or line:find "^| option of " ~= nil or line:find "^| field of " ~= nil
        local names = select(2, (options and line:match "^|([^|]*)|" or ""):gsub("`[^`]+`", ""))
        assert.is_true(names <= MOST_NAMES, ("%s: %d names: %s"):format(page, names, line:sub(1, 60)))
      end
    end)
  end

  it("lead from a task to each recipe", function()
    local tasks = read("doc/api/README.md"):match "\n## By task\n(.-)\n## "
    for title in table.concat(prose(read "doc/recipes.md"), "\n"):gmatch "\n## ([^\n]+)" do
      local anchor = title:lower():gsub("[^%w%- ]", ""):gsub(" ", "-")
      assert.truthy(tasks:find("recipes.md#" .. anchor .. ")", 1, true), "By task does not name the recipe " .. title)
    end
  end)
end)
