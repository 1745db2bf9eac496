-- SPDX-License-Identifier: MIT
-- Checks the rendered site: lua spec/site.lua FOLDER. Every link leads to a file of the folder, and to a heading that
-- is there; no page loads anything from elsewhere; no Markdown is left over in the text.

local folder = assert(arg[1], "usage: lua spec/site.lua FOLDER")

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read "*a"
  if file then file:close() end
  return text
end

local function resolved(page, target)
  local path = ((page:match "^.*/" or "") .. target):gsub("/%./", "/"):gsub("^%./", "")
  while path:find "[^/.][^/]*/%.%./" do path = path:gsub("[^/.][^/]*/%.%./", "", 1) end
  return path
end

local problems, links, pages = {}, 0, {}
local function problem(...) problems[#problems + 1] = string.format(...) end

local pipe = assert(io.popen(("cd '%s' && find . -name '*.html' ! -path './playground/*'"):format(folder)))
for path in pipe:lines() do pages[path:sub(3)] = assert(read(folder .. "/" .. path)) end
pipe:close()
assert(pages["index.html"], "no index.html")

local ids = {}
local function has_id(page, id)
  if not ids[page] then
    ids[page] = {}
    for found in (pages[page] or read(folder .. "/" .. page)):gmatch '%sid="([^"]*)"' do ids[page][found] = true end
  end
  return ids[page][id]
end

local known = {}
for page, html in pairs(pages) do
  for tag, attributes in html:gmatch "<(%a+)(%s[^>]*)>" do
    local target = attributes:match '%shref="([^"]*)"' or attributes:match '%ssrc="([^"]*)"'
    local outside = target and (target:find "^%a+:" or target:find "^//")
    if outside and tag ~= "a" and attributes:match 'rel="([^"]*)"' ~= "canonical" then
      problem("%s loads %s", page, target)
    elseif target and not outside and page ~= "404.html" then
      links = links + 1
      local path, id = target:match "^([^#?]*)%??[^#]*#?(.*)$"
      local file = path == "" and page or resolved(page, path)
      if file == "." then file = "" end
      if file == "" or file:find "/$" then file = file .. "index.html" end
      if known[file] == nil then known[file] = read(folder .. "/" .. file) ~= nil end
      if not known[file] then
        problem("%s links to %s", page, target)
      elseif id ~= "" and file:find "%.html$" and pages[file] and not has_id(file, id) then
        problem("%s links to %s", page, target)
      end
    end
  end
  -- What is left of Markdown, outside of code: a list, a table or a fence that was not read as one.
  local text = html:gsub("<pre.-</pre>", ""):gsub("<code.-</code>", ""):gsub("<script.-</script>", "")
  for paragraph in text:gmatch "<p>(.-)</p>" do
    for line in ("\n" .. paragraph):gmatch "\n([^\n]*)" do
      -- A number at the begin of a line may end a sentence; "1." does not.
      if line:find "^[-*] " or line:find "^1%. " or line:find "^|" or line:find "```" or line:find "%]%(" then
        problem("%s: this was not rendered: %s", page, line)
      end
    end
  end
end

table.sort(problems)
for _, one in ipairs(problems) do io.stderr:write(one, "\n") end
if #problems > 0 then os.exit(1) end
print(("site: %d links lead where they should"):format(links))
