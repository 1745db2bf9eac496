-- SPDX-License-Identifier: MIT
-- Writes what mkdocs makes the site of: lua tools/site.lua FOLDER [--playground FOLDER] [--url URL] PAGE...
--
--   FOLDER/mkdocs.yml    the settings, and the list of pages
--   FOLDER/docs          the pages, at the places that they have in the checkout
--
-- The pages are written for readers of plain Markdown. What Python's Markdown reads otherwise is changed here. A file
-- that a page links to is copied if it is a picture, and shown on a page of its own if it is a text; of a folder there
-- is a list of files. Below each program of doc/recipes.md is a link that opens it in the playground.
-- tools/site has the first page, the style, and the templates. README.md is the page after the first.

-- The order of the pages. A page that is not here comes after the others of its part: those of doc/api are the
-- reference, other ones of doc are rules.
local NAV = {
  { "Use", "README.md", "doc/recipes.md", "doc/guide.md", "doc/guide-game.md", "doc/modding.md", "doc/why.md",
    "doc/crowds.md", "doc/surface.md", "doc/prepared.md", "doc/shipping.md", "doc/embedding.md", "doc/luanti.md",
    "doc/servers.md", "doc/playground.md" },
  { "Reference", "doc/api/README.md", "doc/api/graph.md", "doc/api/grid.md", "doc/api/surface.md",
    "doc/api/finding.md", "doc/api/path.md", "doc/api/search.md", "doc/api/check.md", "doc/api/costs.md",
    "doc/api/influence.md", "doc/api/overlay.md",
    "doc/api/field.md", "doc/api/routes.md", "doc/api/route.md", "doc/api/walls.md", "doc/api/curve.md",
    "doc/api/follower.md", "doc/api/crowd.md", "doc/api/queue.md", "doc/api/level.md", "doc/api/prepared.md",
    "doc/api/files.md", "doc/api/pictures.md", "doc/api/types.md", "doc/api/command.md", "doc/api/appendix.md" },
  { "Rules and figures", "doc/rules.md", "doc/limits.md", "doc/performance.md", "doc/FORMAT.md",
    "doc/format-results.md", "SECURITY.md" },
  { "Project", "CHANGELOG.md", "CONTRIBUTING.md", "doc/testing.md" },
}
local SETTINGS = [[
site_name: wend
site_description: Pathfinding for games scripted in Lua
docs_dir: docs
use_directory_urls: false
theme:
  name: material
  font: false
  custom_dir: theme
  logo: assets/icon.svg
  favicon: assets/icon.svg
  features: [navigation.tabs, navigation.top, search.highlight, search.suggest]
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
plugins:
  - search: { separator: '[\s\-,:.()]+' }
extra_css: [site.css]
markdown_extensions:
  - tables
  - attr_list
  - md_in_html
  - sane_lists
  - toc: { permalink: true, slugify: !!python/name:pymdownx.slugs.gfm }
  - pymdownx.highlight: { pygments_lang_class: true }
  - pymdownx.superfences
nav:
]]

local out = table.remove(arg, 1)
local playground, url
if arg[1] == "--playground" then playground = table.remove(arg, 2) table.remove(arg, 1) end
if arg[1] == "--url" then url = table.remove(arg, 2) table.remove(arg, 1) end
assert(out and #arg > 0, "usage: lua tools/site.lua FOLDER [--playground FOLDER] [--url URL] PAGE...")
local docs = out .. "/docs/"

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a" -- nil: a folder
  if file then file:close() end
  return text
end

local made = {}
local function write(path, text)
  local folder = path:match "^(.*)/"
  if folder and not made[folder] then
    made[folder] = true
    assert(os.execute(("mkdir -p '%s'"):format(folder)))
  end
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  file:close()
end

local function lines_of(command)
  local pipe, list = assert(io.popen(command)), {}
  for line in pipe:lines() do list[#list + 1] = line end
  pipe:close()
  return list
end

---The file that a link of a page leads to, from the root of the checkout.
local function resolved(page, target)
  local path = (page:match "^.*/" or "") .. target
  while path:find "[^/.][^/]*/%.%./" do path = path:gsub("[^/.][^/]*/%.%./", "", 1) end
  return (path:gsub("/$", ""))
end

-- mkdocs makes index.html of a README.md in the main folder, but that is the first page.
local function place_of(page) return page == "README.md" and "start.md" or page end

local pages = {}
for _, page in ipairs(arg) do pages[page] = true end

local PICTURES = { png = true, gif = true, svg = true }
local LANGUAGES = { lua = "lua", c = "c", cpp = "cpp", h = "c", ts = "ts" }
local shown = {} -- files and folders that have a page or a copy

---Where a link to a file of the checkout leads on the site.
local function shown_as(path)
  local ending = path:match "%.(%w+)$"
  local text = read(path)
  local name = text and (PICTURES[ending] and path or path .. ".md") or path .. "/files.md"
  if shown[path] then return name end
  shown[path] = true
  if not text then
    local list = {}
    for i, file in ipairs(lines_of(("git ls-files '%s' 2>/dev/null || find '%s' -type f"):format(path, path))) do
      list[i] = ("- `%s`"):format(file)
    end
    assert(#list > 0, "a link to nothing: " .. path)
    write(docs .. name, ("# %s\n\nThe files of this folder:\n\n%s\n"):format(path, table.concat(list, "\n")))
  elseif PICTURES[ending] then
    write(docs .. name, text)
  else
    local longest = "```"
    for fence in text:gmatch "`+" do longest = #fence >= #longest and fence .. "`" or longest end
    local title = path:match "[^/]*$"
    write(docs .. name, ("# %s\n\n%s%s\n%s\n%s\n"):format(title, longest, LANGUAGES[ending] or "text", text, longest))
  end
  return name
end

---A link of a page, as it is on the site.
local function link(page, target)
  local path, heading = target:match "^([^#]*)(#?.*)$"
  if path == "" or path:find "^%a+:" then return target end
  local file = resolved(page, path)
  if pages[file] then return path:gsub("[^/]+$", place_of(file):match "[^/]*$") .. heading end
  local up = ("../"):rep(select(2, page:gsub("/", "")))
  return up .. shown_as(file) .. heading
end

---A signature of more than 90 columns as two lines or more. Between names and types there are commas and arrows.
local function narrow(line)
  if #line <= 94 or not line:find "^    %S" then return line end
  local at
  for comma in line:sub(1, 94):gmatch "(), " do at = comma end
  for arrow in line:sub(1, 94):gmatch "() %->" do at = arrow - 1 end
  if not at or at < 20 then return line end
  return line:sub(1, at) .. "\n" .. narrow("      " .. line:sub(at + 1):gsub("^ ", ""))
end

---A line outside of fences.
local function prose(page, line)
  if line:find "^|" then
    -- In tables Markdown wants \| also inside of code, Python's does not.
    line = line:gsub("`[^`]*`", function(code) return (code:gsub("\\|", "|")) end)
  end
  return (line:gsub("%]%(([^%s)]+)%)", function(target) return "](" .. link(page, target) .. ")" end))
end

local function slug(title) return (title:lower():gsub("[^%w_ -]", ""):gsub(" ", "-")) end

local function converted(page, text)
  local result, fence, list, title, recipe = {}, nil, nil, nil, nil
  for line in (text:gsub("\n$", "") .. "\n"):gmatch "(.-)\n" do
    -- What belongs to an item of a list: Python's Markdown wants it four spaces to the right.
    local marker = not fence and (line:match "^%- " or line:match "^%d+%. ")
    if marker then
      if not list and result[#result] ~= "" then result[#result + 1] = "" end -- a paragraph ends before a list
      list = #marker
    elseif not fence and line:find "^%S" then
      list = nil
    end
    if list and not marker and line:sub(1, list) == (" "):rep(list) then line = (" "):rep(4 - list) .. line end
    local indent, ticks, info = line:match "^(%s*)(```+)(.*)$"
    if ticks and not fence then
      fence = ticks
      local language, name = info:match "^(%l+) (%S+)$"
      if name then line = ('%s%s%s title="%s"'):format(indent, ticks, language, name) end
      recipe = playground and page == "doc/recipes.md" and info == "lua" and title
    elseif ticks and fence == ticks then
      fence = nil
      if list then line = line .. "\n" end -- before the next item
      if recipe then
        line = ("%s\n\n[Open in the playground](../playground/index.html#recipe=%s)\n"):format(line, slug(recipe))
        title = nil -- one program of each recipe is in the playground: the first
      end
    elseif not fence then
      title = line:match "^## (.+)$" or title
      line = list and prose(page, line) or narrow(prose(page, line))
    end
    result[#result + 1] = line
  end
  assert(not fence, page .. ": a block is not closed")
  return table.concat(result, "\n") .. "\n"
end

for _, page in ipairs(arg) do
  local text = assert(read(page), page)
  assert(text:find "\n?# ", page .. " has no title")
  write(docs .. place_of(page), converted(page, text))
end

-- The first page. Its code is that of README.md.
local readme = read "README.md"
local first = read("tools/site/first.md"):gsub("{{code}}", function()
  return readme:match "```lua\n.-```\n" .. "\n" .. readme:match "```text\n.-```"
end)
first = converted("index.md", first)
write(docs .. "index.md", (first:gsub("playground:", playground and "playground/index.html" or "doc/playground.md")))

-- The list shows the titles.
local function title_of(page) return ("'%s'"):format(read(page):match "\n?# ([^\n]+)":gsub("'", "''"):gsub("`", "")) end

local listed, rest = {}, { Reference = {}, ["Rules and figures"] = {} }
for _, part in ipairs(NAV) do
  for i = 2, #part do listed[part[i]] = true end
end
for _, page in ipairs(arg) do
  local part = page:find "^doc/api/" and "Reference" or page:find "^doc/[^/]*$" and "Rules and figures"
  if part and not listed[page] then table.insert(rest[part], page) end
end
local settings = { url and ("site_url: %s\n"):format((url:gsub("/*$", "/"))) or "", SETTINGS, "  - wend: index.md\n" }
if playground then settings[#settings + 1] = "  - Playground: playground/index.html\n" end
for _, part in ipairs(NAV) do
  local list = {}
  for i = 2, #part do list[#list + 1] = pages[part[i]] and part[i] or nil end
  for _, page in ipairs(rest[part[1]] or {}) do list[#list + 1] = page end
  settings[#settings + 1] = ("  - %s:%s\n"):format(part[1], #part == 2 and " " .. list[1] or "")
  for i = 1, #part > 2 and #list or 0 do
    local title = list[i] == "README.md" and "Install and tour" or title_of(list[i])
    settings[#settings + 1] = ("    - %s: %s\n"):format(title, place_of(list[i]))
  end
end
write(out .. "/mkdocs.yml", table.concat(settings))
write(docs .. "site.css", read "tools/site/site.css")
write(out .. "/theme/main.html", read "tools/site/main.html")

-- The icon in all sizes, and the card that social networks show.
write(docs .. "assets/icon.svg", read "playground/icon.svg")
write(docs .. "card.svg", read "tools/site/card.svg")
for _, name in ipairs { "first-boots", "first-door", "first-mod" } do shown_as("doc/pictures/" .. name .. ".svg") end
local icons = {}
local function draw(name, svg, wide)
  assert(os.execute(("rsvg-convert -w %d -o '%sassets/%s' '%s%s'"):format(wide, docs, name, docs, svg)))
end
for i, size in ipairs { 16, 32, 180, 192, 512 } do
  draw(("icon-%d.png"):format(size), "assets/icon.svg", size)
  icons[i] = ('{ "src": "icon-%d.png", "sizes": "%dx%d", "type": "image/png" }'):format(size, size, size)
end
draw("card.png", "card.svg", 1200)
local MANIFEST = '{ "name": "wend", "start_url": "../index.html", "icons": [\n%s\n] }\n'
write(docs .. "assets/site.webmanifest", MANIFEST:format(table.concat(icons, ",\n")))

if playground then
  assert(os.execute(("cp -R '%s' '%splayground'"):format(playground, docs)))
end
