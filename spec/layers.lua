-- SPDX-License-Identifier: MIT
-- Checks that references between files point one way: lua spec/layers.lua [ROOT [OBJECTS [CORE]]]
-- ROOT: a checkout, by default this folder. OBJECTS: the folder with its object files, by default build/obj/5.4.
-- CORE: the folder with those of the core, by default OBJECTS.
--
--   1  src/core and src/move: a file refers only to its own folder and to folders earlier in FOLDERS. Files refer to
--      each other in no circle. They include no header of Lua and nothing of src/lua; neither do src/wend.h and
--      src/wend_move.h.
--   2  src/lua: a file includes only wend.h and wend_move.h, headers of src/lua, Lua's headers and those of the C
--      library, and BESIDE. It uses no symbol of the core that these do not declare. Files refer to each other in no
--      circle.
--   3  lua/wend: files require each other in no circle.
--   4  The three libraries: navigation refers to nothing of movement, in src/move, src/lua/move and lua/wend/move, and
--      movement to nothing of the tools, in lua/wend/tools. JOINS has the files that put them together.
--   5  No folder under src or lua has more than MOST_FILES files.
--
-- A reference is an include, or a symbol that one object file needs and another defines (by nm). FILE.c and FILE.h of
-- one folder are one unit. What an .inl file includes counts for each file that includes it.

-- The folders of src/core, the lowest first.
local FOLDERS = {
  "core/base", "core/space", "core/map", "core/cost", "core/views", "core/prepared", "core/turns", "core/search",
  "core/pathfinder", "core/lines", "core/field", "core/query", "core/batch", "core/check", "core/codec",
  "core/influence", "core/overlay", "core/surface", "move/follow", "move/crowd",
}
local MOST_FILES = 20

-- Headers that every file of the binding shares: they belong to no unit.
local SHARED = { ["src/wend.h"] = true, ["src/wend_move.h"] = true, ["src/lua/lwend.h"] = true }

-- Files that may refer to libraries on top of theirs.
local JOINS = { ["src/lua/module.c"] = true, ["lua/wend/init.lua"] = true, ["lua/wend/love.lua"] = true }

-- The header of the core that the binding may include, though it is no part of the C interface.
local BESIDE = "src/core/query/watch.h"

-- Circles of requires that are meant: ["FILE -> FILE"] = reason.
local MEANT = {}

local C_HEADERS, LUA_HEADERS = {}, {}
for name in ([[
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
    stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
  ]]):gmatch "%w+" do
  C_HEADERS[name .. ".h"] = true
end
C_HEADERS["pthread.h"] = true -- of POSIX, for the threads of a batch
C_HEADERS["dirent.h"], C_HEADERS["io.h"] = true, true -- of POSIX and Windows, to find the project of a map of Tiled
for name in ("lua lauxlib lualib luaconf luajit"):gmatch "%w+" do LUA_HEADERS[name .. ".h"] = true end

local root, objects = arg[1] or ".", arg[2] or "build/obj/5.4"
local core_objects = arg[3] or objects

local findings = 0
local function finding(...)
  findings = findings + 1
  print(string.format(...))
end

local function read(path)
  local file = io.open(root .. "/" .. path, "rb")
  if not file then return nil end
  local text = file:read "*a"
  file:close()
  return text
end

local function lines_of(command)
  local pipe, list = assert(io.popen(command)), {}
  for line in pipe:lines() do list[#list + 1] = line end
  pipe:close()
  return list
end

-- All files under src and lua, sorted; as a list and as a set. LuaRocks leaves its objects beside the sources.
local files, exists = lines_of(("cd '%s' && find src lua -type f ! -name '*.o' | LC_ALL=C sort"):format(root)), {}
for _, path in ipairs(files) do exists[path] = true end

local function folder_of(path) return path:match "^(.*)/[^/]*$" end

-- The library of a file: 1 navigation, 2 movement, 3 tools.
local function library_of(path)
  local movement = path == "src/wend_move.h" or path:find "^src/move/" or path:find "^src/lua/move/"
  return (movement or path:find "^lua/wend/move/") and 2 or path:find "^lua/wend/tools/" and 3 or 1
end

local function check_library(from, to, why)
  if library_of(to) > library_of(from) and not JOINS[from] then
    finding("a library above: %s -> %s: %s", from, to, why)
  end
end
local function is_public(path) return path == "src/wend.h" or path == "src/wend_move.h" end
local function is_core(path)
  return path:find("^src/core/") ~= nil or path:find("^src/move/") ~= nil or is_public(path)
end
local function is_binding(path) return path:find("^src/lua/") ~= nil end

-- FILE.c and FILE.h are the unit FILE; the headers that all share are none.
local function unit_of(path)
  if SHARED[path] then return nil end
  return (path:gsub("%.[ch]$", ""))
end

-- How high a file lies: its folder's place in FOLDERS; above them the binding: src/lua/base, src/lua/query, src/lua,
-- src/lua/move. nil: in no folder of the list.
local height_of_folder = {
  ["src/lua/base"] = #FOLDERS + 1, ["src/lua/query"] = #FOLDERS + 2, ["src/lua"] = #FOLDERS + 3,
  ["src/lua/move"] = #FOLDERS + 4,
}
for i, folder in ipairs(FOLDERS) do height_of_folder["src/" .. folder] = i end
local function height_of(path) return height_of_folder[folder_of(path)] end

----- circles

-- edges[from][to] = why, the first reason found.
local function add_edge(edges, from, to, why)
  if from == to then return end
  edges[from] = edges[from] or {}
  edges[from][to] = edges[from][to] or why
end

local function sorted_keys(set)
  local keys = {}
  for key in pairs(set or {}) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

-- The shortest way from a unit back to itself, as a list of units, or nil. Breadth first.
local function shortest_circle(edges, start)
  local before, queue, at = {}, { start }, 1
  while queue[at] do
    local unit = queue[at]
    for _, to in ipairs(sorted_keys(edges[unit])) do
      if to == start then
        local circle = { unit }
        while circle[1] ~= start do table.insert(circle, 1, before[circle[1]]) end
        return circle
      elseif not before[to] then
        before[to] = unit
        queue[#queue + 1] = to
      end
    end
    at = at + 1
  end
end

-- Reports a shortest circle for each unit that is not part of a circle reported before.
local function report_circles(edges)
  local told = {}
  for _, unit in ipairs(sorted_keys(edges)) do
    local circle = not told[unit] and shortest_circle(edges, unit)
    if circle then
      finding("circle of %d: %s", #circle, table.concat(circle, ", "))
      for i, from in ipairs(circle) do
        told[from] = true
        local to = circle[i % #circle + 1]
        print(("  %s -> %s: %s"):format(from, to, edges[from][to]))
      end
    end
  end
end

----- C: includes

-- Comments become spaces, so that lines keep their numbers.
local function without_comments(text)
  text = text:gsub("/%*.-%*/", function(comment) return (comment:gsub("[^\n]", " ")) end)
  return (text:gsub("//[^\n]*", ""))
end

-- The includes of a file: a list of { name, line, angle }.
local function includes_of(path)
  local list, number = {}, 0
  for line in (without_comments(read(path)) .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    local what = line:match "^%s*#%s*include%s*(.*)"
    if what then
      local quoted, angle = what:match '^"([^"]*)"', what:match "^<([^>]*)>"
      if quoted or angle then
        list[#list + 1] = { name = quoted or angle, line = number, angle = angle ~= nil }
      else
        finding("%s:%d: includes '%s', which this check cannot follow", path, number, what)
      end
    end
  end
  return list
end

-- The file that an include in quotes names: beside the including file, or under src. nil: there is none.
local function resolve(path, name)
  for _, start in ipairs { folder_of(path), "src" } do
    local candidate = (start .. "/" .. name):gsub("/%./", "/")
    while candidate:find "/[^/]+/%.%./" do candidate = candidate:gsub("/[^/]+/%.%./", "/", 1) end
    if exists[candidate] then return candidate end
  end
end

local edges, included = {}, {}

-- Checks one reference, and adds it to the graph of units.
local function refer(from, to, why)
  check_library(from, to, why)
  if SHARED[to] then return end
  local own, other = height_of(from), height_of(to)
  if own and other and other > own and not JOINS[from] then finding("upward: %s -> %s: %s", from, to, why) end
  local unit = unit_of(from)
  if unit and not to:find "%.inl$" then add_edge(edges, unit, unit_of(to), why) end
end

-- Checks the includes of `path` on behalf of `from`, which is the same file or includes it (an .inl file).
local function check_includes(from, path, seen)
  for _, include in ipairs(includes_of(path)) do
    local name, at = include.name, ("%s:%d"):format(path, include.line)
    local base = name:match "[^/]*$"
    local to = not include.angle and resolve(path, name)
    local why = ("includes %s at %s"):format(name, at)
    if is_core(path) and LUA_HEADERS[base] or base == "lua.hpp" then
      finding("%s: the core includes a header of Lua: %s", at, name)
    elseif is_core(path) and (name:find("^lua/") or to and is_binding(to)) then
      finding("%s: the core includes a file of the binding: %s", at, name)
    elseif is_binding(path) and include.angle and not (C_HEADERS[name] or LUA_HEADERS[name]) then
      finding("%s: the binding includes a header of neither C nor Lua: <%s>", at, name)
    elseif is_binding(path) and to and not (is_public(to) or is_binding(to) or to == BESIDE) then
      finding("%s: the binding includes a header other than wend.h and its own: %s", at, name)
    elseif not include.angle and not to and not LUA_HEADERS[name] then
      finding("%s: includes %s, which is not there", at, name)
    end
    if to and from ~= to then
      included[to] = true
      refer(from, to, why)
      if to:find "%.inl$" and not seen[to] then
        seen[to] = true
        check_includes(from, to, seen)
      end
    end
  end
end

local sources = {}
for _, path in ipairs(files) do
  if is_core(path) or is_binding(path) then
    if not height_of(path) and not SHARED[path] then
      finding("%s: its folder is not in the list of folders (%s)", path, table.concat(FOLDERS, ", "))
    end
    if path:find "%.[ch]$" then check_includes(path, path, {}) end
    if path:find "%.c$" then sources[#sources + 1] = path end
  end
end

for _, path in ipairs(files) do
  if path:find "%.inl$" and not included[path] then finding("%s: no .c or .h file includes it", path) end
end

----- C: symbols

-- Symbols that an object file defines and needs, as two sets.
local function symbols_of(object)
  local defined, needed = {}, {}
  for _, line in ipairs(lines_of(("nm -g '%s'"):format(object))) do
    local kind, name = line:match "(%a) ([%w_.$]+)%s*$"
    if kind == "U" or kind == "w" or kind == "v" then
      needed[name] = true
    elseif kind then
      defined[name] = true
    end
  end
  return defined, needed
end

local defined_in, needed_by = {}, {}
for _, path in ipairs(sources) do
  local object = ("%s/%s"):format(path:find "^src/lua/" and objects or core_objects, (path:gsub("c$", "o")))
  local handle = io.open(object, "rb")
  if handle then
    handle:close()
    local defined, needed = symbols_of(object)
    for name in pairs(defined) do defined_in[name] = path end
    needed_by[path] = needed
    if next(needed) == nil and next(defined) == nil then finding("%s: nm finds no symbols", object) end
  else
    finding("%s: %s is not there; build first", path, object)
  end
end

local declared = {}
for _, header in ipairs { "src/wend.h", "src/wend_move.h", BESIDE } do
  for name in without_comments(read(header) or ""):gmatch "[%a_][%w_]*" do declared[name] = true end
end

for _, path in ipairs(sources) do
  for _, name in ipairs(sorted_keys(needed_by[path])) do
    local to = defined_in[name]
    if to and to ~= path then
      refer(path, to, "needs " .. name)
      if is_binding(path) and is_core(to) and not (declared[name] or declared[name:gsub("^_", "")]) then
        finding("%s: needs %s of %s, which wend.h does not declare", path, name, to)
      end
    end
  end
end
report_circles(edges)

----- Lua: requires

-- Blanks comments. "--" within a string would end the line early; no module name stands behind one.
local function without_lua_comments(text)
  text = text:gsub("%-%-%[(=*)%[.-%]%1%]", function(comment) return (comment:gsub("[^\n]", " ")) end)
  return (text:gsub("%-%-[^\n]*", ""))
end

local module_files = {}
for _, path in ipairs(files) do
  local module = path:match "^lua/(.*)%.lua$"
  if module then module_files[module:gsub("/init$", ""):gsub("/", ".")] = path end
end

local required = {}
for _, path in ipairs(files) do
  if path:find "^lua/.*%.lua$" then
    local number = 0
    for line in (without_lua_comments(read(path)) .. "\n"):gmatch "(.-)\r?\n" do
      number = number + 1
      -- require "name", require("name"), pcall(require, "name")
      local code = line:find "^local require = require$" and "" or line
      for after in (" " .. code):gmatch "[^%w_.\"']require%f[^%w_]([^\n]*)" do
        local name = after:match "^%s*[(,]?%s*[\"']([%w_.]+)[\"']"
        local to = name and module_files[name]
        if not name then
          finding("%s:%d: requires a name that this check cannot read", path, number)
        elseif to and not MEANT[path .. " -> " .. to] then
          local why = ("requires %s at line %d"):format(name, number)
          check_library(path, to, why)
          add_edge(required, path, to, why)
        end
      end
    end
  end
end
report_circles(required)

----- sizes

local count = {}
for _, path in ipairs(files) do
  local folder = folder_of(path)
  count[folder] = (count[folder] or 0) + 1
end
for _, folder in ipairs(sorted_keys(count)) do
  if count[folder] > MOST_FILES then
    finding("%s has %d files; at most %d", folder, count[folder], MOST_FILES)
  end
end

if #sources == 0 then finding("no sources under %s/src", root) end
print(("%d files checked, %d findings"):format(#files, findings))
os.exit(findings == 0 and 0 or 1)
