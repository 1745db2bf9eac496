-- SPDX-License-Identifier: MIT
-- Writes the single-file form of the sources: lua tools/amalgamate.lua [--small] FOLDER FILE...
--
-- --small: the Lua files without lines of comments and without indentation.
--
-- FILE: all of src/core/*/*.c, src/move/*/*.c, src/lua/*.c, src/lua/*/*.c and the Lua files under lua/. It runs in the
-- root of a checkout and writes
--
--   FOLDER/wend.h        src/wend.h
--   FOLDER/wend_move.h   src/wend_move.h
--   FOLDER/wend.c        the core and movement
--   FOLDER/wend_lua.c    the binding and all Lua files, with luaopen_wend (tools/embedded.c) and luaopen_wend_core
--
-- An include of a project file is replaced by the file: a header once, an .inl file at each include. Macros that a .c
-- file defines end with it; macros of the private headers end with the output. So do GCC's and clang's options that
-- pragmas in the files set. A name that a header makes a macro means nothing else in a file before it, or this fails.
-- `make check-amalgamation` checks all of this.

local small = arg[1] == "--small" and table.remove(arg, 1) ~= nil
local out = table.remove(arg, 1)
local sources = { core = {}, lua = {}, helpers = {} }
sources.move = sources.core
for _, path in ipairs(arg) do
  local kind = path:match "^src/(%l+)/" or path:match "^lua/wend/" and "helpers"
  table.insert(assert(sources[kind], "neither a C source nor a Lua file of wend: " .. path), path)
end
assert(out and #sources.core > 0 and #sources.lua > 0 and #sources.helpers > 0,
  "usage: lua tools/amalgamate.lua [--small] FOLDER FILE...")

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read "*a"
  file:close()
  return text
end

local function write(name, text)
  local file = assert(io.open(out .. "/" .. name, "wb"))
  assert(file:write(text))
  assert(file:close())
end

-- C ------------------------------------------------------------------------------------------------------------------

local PUBLIC, MOVE = "src/wend.h", "src/wend_move.h"

--- A path without FOLDER/.. in it.
local function resolved(path)
  local count
  repeat path, count = path:gsub("[^/.]+/%.%./", "") until count == 0
  return path
end

--- The file that an #include "..." means: beside the file that includes it, else under src. nil: not of this project.
local function included(from, name)
  for _, folder in ipairs { from:match "^.*/", "src/" } do
    local path = resolved(folder .. name)
    if read(path) then return path end
  end
end

local Unit = {}
Unit.__index = Unit

--- A translation unit that grows: the lines of it, the headers in it, the macros that its headers define, the words in
--- it with a file of each.
local function unit() return setmetatable({ lines = {}, seen = {}, header_macros = {}, words = {} }, Unit) end

function Unit:add(...)
  for i = 1, select("#", ...) do self.lines[#self.lines + 1] = (select(i, ...)) end
end

--- Appends a file with what it includes. macros: the list that the macros it defines go into.
function Unit:file(path, macros)
  local text = assert(read(path), path)
  self:add("", ("/* ---- %s ---- */"):format(path), "")
  local first, ended = true, false
  for line in text:gmatch "([^\n]*)\n" do
    ended = true
    local name = line:match '^%s*#%s*include%s+"([^"]+)"'
    local other = name and included(path, name)
    local defined, undefined = line:match "^%s*#%s*define%s+([%w_]+)", line:match "^%s*#%s*undef%s+([%w_]+)"
    local skipped = first and line:find "SPDX" or other == PUBLIC or other == MOVE -- the output begins with these
    if other and not skipped and other:find "%.inl$" then
      self:file(other, macros)
    elseif other and not skipped then
      if not self.seen[other] then
        self.seen[other] = true
        self:file(other, self.header_macros)
        self:add("", ("/* ---- %s, continued ---- */"):format(path), "")
      end
    elseif not skipped then
      assert(not name, ("%s includes %s, which is not there"):format(path, tostring(name)))
      self:add(line)
    end
    if defined then
      local other_file = macros == self.header_macros and macros[defined] == nil and self.words[defined]
      assert(not other_file, ("%s is a macro of %s, and %s uses the name"):format(defined, path, tostring(other_file)))
      if not macros[defined] then macros[#macros + 1] = defined end
      macros[defined] = true
    elseif undefined then
      macros[undefined] = false
    end
    first = false
  end
  assert(ended and text:sub(-1) == "\n", path .. " does not end with a newline")
  for word in text:gsub("/%*.-%*/", " "):gmatch "[%a_][%w_]*" do self.words[word] = self.words[word] or path end
end

--- Ends macros.
function Unit:undefine(macros)
  local any = false
  for _, name in ipairs(macros) do
    if macros[name] then
      if not any then self:add "" end
      any = true
      self:add("#undef " .. name)
      macros[name] = false
    end
  end
end

--- Appends a .c file, and ends its macros.
function Unit:source(path)
  local macros = {}
  self:file(path, macros)
  self:undefine(macros)
end

function Unit:text() return table.concat(self.lines, "\n") .. "\n" end

local version = assert(read(PUBLIC):match '#define%s+WEND_VERSION%s+"([^"]+)"', "wend.h names no version")

--- The comment at the top of each output.
local function opening(what)
  local licence = assert(read "LICENSE", "LICENSE"):gsub("%s+$", ""):gsub("\n", "\n * "):gsub(" +\n", "\n")
  return "/* SPDX-License-Identifier: MIT */\n" ..
    ("/* wend %s: %s\n * Generated by `make amalgamation`; do not edit.\n *\n * %s */\n"):format(version, what, licence)
end

-- Lua files in C -----------------------------------------------------------------------------------------------------

local ESCAPES = { ["\\"] = "\\\\", ['"'] = '\\"', ["\t"] = "\\t", ["\r"] = "\\r", ["\n"] = "\\n" }

--- A line as a C string. No ?? stays: C11 has trigraphs.
local function quoted(line)
  line = line:gsub('[%c\128-\255\\"]', function(char) return ESCAPES[char] or ("\\%03o"):format(char:byte()) end)
  return '"' .. line:gsub("%?%?", "?\\?"):gsub("%?%?", "?\\?") .. '"'
end

--- Lua without lines of comments and without indentation, as C strings that hold many lines each.
local function small_lines(text, path)
  local list, length = {}, math.huge
  for line in text:gmatch "[^\n]*\n?" do
    line = line:gsub("^[ \t]+", "")
    if not line:find "^%-%-" and line:find "%S" then
      local code = line:gsub('"[^"]*"', "")
      assert(not code:find "%[=*%[", path .. " has a long string: its lines may begin with spaces or dashes")
      if length + #line > 2000 then -- C11 promises strings of 4095 bytes
        list[#list + 1], length = "    ", 0
      end
      list[#list], length = list[#list] .. quoted(line), length + #line
    end
  end
  for i = 1, #list do list[i] = list[i] .. "," end
  return list
end

--- What require calls the file: "lua/wend/tools/svg/init.lua" is wend.tools.svg.
local function module_name(path)
  return (path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", "."))
end

--- The list that tools/embedded.c includes.
local function embedded_files()
  local lines, list = {}, {}
  for i, path in ipairs(sources.helpers) do
    local text = assert(read(path), path)
    assert(not text:find "%z", path .. " holds a zero byte")
    lines[#lines + 1] = ("static const char *const embedded_lines_%d[] = { /* %s */"):format(i, path)
    if small then
      for _, line in ipairs(small_lines(text, path)) do lines[#lines + 1] = line end
    else
      for line in text:gmatch "[^\n]*\n?" do
        if line ~= "" then lines[#lines + 1] = "    " .. quoted(line) .. "," end
      end
    end
    lines[#lines + 1] = "    NULL};"
    list[#list + 1] = ('    {"%s", "@%s", embedded_lines_%d},'):format(module_name(path), path:gsub("^lua/", ""), i)
  end
  lines[#lines + 1] = "static const embedded_file embedded_files[] = {"
  lines[#lines + 1] = table.concat(list, "\n")
  lines[#lines + 1] = "};"
  return lines
end

-- The files -----------------------------------------------------------------------------------------------------------

local core = unit()
core:add(opening "the core. C11; needs wend.h and wend_move.h beside it, and the math library.")
core:add(
  '#include "wend_move.h"',
  "",
  "/* Options that the pragmas below set end with this file. */",
  "#if defined(__GNUC__) && !defined(__clang__)",
  "#pragma GCC push_options",
  "#endif"
)
for _, path in ipairs(sources.core) do core:source(path) end
core:undefine(core.header_macros)
core:add(
  "",
  "#if defined(__clang__)",
  "#pragma STDC FP_CONTRACT DEFAULT",
  "#elif defined(__GNUC__)",
  "#pragma GCC pop_options",
  "#endif"
)

local binding = unit()
binding:add(opening("the binding to Lua and its Lua files. C11; needs wend.h, wend_move.h and Lua's headers; " ..
  "link it with wend.c."))
binding:add('#include "wend_move.h"')
for _, path in ipairs(sources.lua) do binding:source(path) end
local end_macros = {}
binding:file("tools/embedded.c", end_macros)
for i = #binding.lines, 1, -1 do
  if binding.lines[i]:find "^/%* EMBEDDED FILES %*/$" then
    binding.lines[i] = table.concat(embedded_files(), "\n")
    break
  end
  assert(i > 1, "tools/embedded.c does not say where the files go")
end
binding:undefine(end_macros)
binding:undefine(binding.header_macros)

write("wend.h", opening "graphs, grids, costs and cheapest paths: the interface in C." .. "\n" ..
  read(PUBLIC):gsub("^/%* SPDX[^\n]*\n", ""))
write("wend_move.h", opening "curves, followers and crowds: the interface in C." .. "\n" ..
  read(MOVE):gsub("^/%* SPDX[^\n]*\n", ""))
write("wend.c", core:text())
write("wend_lua.c", binding:text())
