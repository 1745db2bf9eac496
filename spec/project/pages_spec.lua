-- SPDX-License-Identifier: MIT
-- Pages have pictures where people would rather look than read, and the site shows every page.
local helper = require "spec.support.helper"

local read, files = helper.read, helper.files

-- How many drawings a page has at least.
local PICTURES = {
  ["doc/guide.md"] = 10, ["doc/crowds.md"] = 2, ["doc/why.md"] = 2, ["doc/modding.md"] = 1, ["doc/recipes.md"] = 7,
  ["doc/api/finding.md"] = 3, ["doc/api/field.md"] = 1, ["doc/api/follower.md"] = 1, ["doc/api/curve.md"] = 1,
  ["doc/api/influence.md"] = 1, ["doc/api/overlay.md"] = 2, ["doc/api/check.md"] = 2, ["doc/api/grid.md"] = 1,
  ["doc/api/pictures.md"] = 1, ["doc/performance.md"] = 3,
}

describe("pages", function()
  it("have their pictures, and each picture has a page", function()
    local shown = {}
    for _, page in ipairs(files "README.md doc/*.md doc/api/*.md tools/site/first.md") do
      local count = 0
      for alt, name in read(page):gmatch "!%[([^%]]*)%]%([%./%w]*pictures/([%w-]+)%.svg%)" do
        assert.is_true(#alt > 10, page .. ": " .. name .. " has no description")
        shown[name], count = true, count + 1
      end
      assert.is_true(count >= (PICTURES[page] or 0), ("%s has %d pictures"):format(page, count))
    end
    for _, file in ipairs(files "doc/pictures/*.svg") do
      local picture = read(file)
      assert.is_true(#picture < 30000, file .. " is large")
      assert.truthy(picture:find("prefers-color-scheme:dark", 1, true), file .. " does not follow dark mode")
      assert.truthy(shown[file:match "([%w-]+)%.svg$"], file .. " is on no page")
    end
  end)

  it("have programs of at most 90 columns, which the site shows whole", function()
    for _, page in ipairs(files "README.md doc/*.md doc/api/*.md") do
      local language, number = nil, 0
      for line in (read(page) .. "\n"):gmatch "(.-)\n" do
        number = number + 1
        local fence = line:match "^%s*```(.*)$"
        if fence then
          language = not language and fence or nil
        elseif language and language:find "^lua" then
          assert.is_true(#line <= 90, ("%s:%d: %d columns"):format(page, number, #line))
        end
      end
    end
  end)

  it("are in the navigation of the site, in an order", function()
    local site = read "tools/site.lua"
    for _, page in ipairs(files "doc/*.md doc/api/*.md") do
      assert.truthy(site:find('"' .. page .. '"', 1, true), page .. " is not in NAV of tools/site.lua")
    end
  end)
end)
