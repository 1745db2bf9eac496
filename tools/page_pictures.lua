-- SPDX-License-Identifier: MIT
-- Writes the pictures of pages: lua tools/page_pictures.lua [--check]
--
-- It runs the program of each recipe of doc/recipes.md that shows a picture ![...](pictures/NAME.svg), and draws its
-- last grid with the last field and the paths of it. The other pictures are scenes: tools/scenes has a function for
-- each, which returns a list of panels. --check fails if a picture is not what it would write.

local wend = require "wend"
local panels = require "tools.scenes.panels"

local function read(name)
  local file = io.open(name, "rb")
  if not file then return nil end
  local text = file:read "*a"
  file:close()
  return text
end

---Runs a program, without what it prints. Returns its last grid, its last field, and its paths over that grid.
local function run(program, name)
  local grids, fields, paths = {}, {}, {}
  local function note(list, make)
    return function(self, ...)
      local made, message, code = make(self, ...)
      if made then list[#list + 1] = { made = made, of = self } end
      return made, message, code
    end
  end
  local methods = debug.getmetatable(wend.grid(1, 1)).__index
  local kept = { overlay = methods.overlay, field = methods.field, path = methods.path }
  local mine = setmetatable({ grid = note(grids, wend.grid), parse_grid = note(grids, wend.parse_grid) },
    { __index = wend })
  local env = setmetatable({
    require = function(module) return module == "wend" and mine or require(module) end,
    print = function() end,
    io = setmetatable({ write = function() end }, { __index = io }),
  }, { __index = _G })
  methods.overlay, methods.field = note(grids, kept.overlay), note(fields, kept.field)
  methods.path = note(paths, kept.path)
  local ok, problem = pcall(assert(load(program, "=" .. name, "t", env)))
  for key, method in pairs(kept) do methods[key] = method end
  assert(ok, problem)
  local grid, field, over = assert(grids[#grids], name .. " has no grid").made, nil, {}
  for _, one in ipairs(fields) do
    if one.of == grid then field = one.made end
  end
  for _, one in ipairs(paths) do
    if one.of == grid then over[#over + 1] = one.made end
  end
  return grid, field, #over > 0 and over or nil
end

local check, differ = arg[1] == "--check", false

---Writes a picture, or compares it with the file.
local function put(name, picture)
  local file = "doc/pictures/" .. name .. ".svg"
  picture = panels.with_dark_mode(picture)
  if read(file) == picture then return end
  if check then
    io.stderr:write(file, " is out of date: make page-pictures\n")
    differ = true
  else
    local out = assert(io.open(file, "wb"))
    out:write(picture)
    out:close()
  end
end

local page = read "doc/recipes.md"
local at = 1
while true do
  local first, last = page:find("\n## [^\n]+\n", at)
  if not first then break end
  local text = page:sub(last, (page:find("\n## ", last) or #page + 1) - 1)
  at = last
  local name = text:match "!%[[^%]]*%]%(pictures/([%w-]+)%.svg%)"
  if name then
    local grid, field, paths = run(assert(text:match "\n```lua\n(.-)```\n", name), name)
    put(name, wend.svg(grid, { path = paths, field = field, width = 420 }))
  end
end
for _, part in ipairs { "paths", "fields", "moves", "levels", "plots" } do
  for name, scene in pairs(require("tools.scenes." .. part)) do put(name, panels.draw(scene())) end
end
if differ then os.exit(1) end
