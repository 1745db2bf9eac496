-- SPDX-License-Identifier: MIT
-- Translates a C file into C++: Defold's builder passes every source to clang++, also those that end in .c.
--
--   lua tools/defold/cast.lua IN.c OUT.cpp FLAG...        flags for clang++, such as -I
--
-- C converts void pointers to other pointers and numbers to enumerations, and C++ does not. clang++ says where, and a
-- cast is put there, until it finds no more. Names that are words of C++ get an underscore, and NULL becomes nullptr.
-- Anything else that is not C++ is an error here: change the source.

local WORDS = { "new", "delete", "class", "this", "template", "namespace", "operator", "private", "public", "typename",
  "virtual", "friend", "using", "export", "explicit", "mutable", "throw", "try", "catch", "and", "or", "not", "xor" }
local ROUNDS_MAX = 20

local input, output = arg[1], arg[2]
local flags = {}
for i = 3, #arg do flags[#flags + 1] = "'" .. arg[i] .. "'" end

local function fail(...)
  io.stderr:write(string.format(...), "\n")
  os.exit(1)
end

local function read(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

--- The text with its code changed, and comments, strings and lines of the preprocessor as they were.
local function each_code(text, change)
  local parts, at = {}, 1
  while at <= #text do
    local first = text:find("[\"'/#]", at) or #text + 1
    parts[#parts + 1] = change(text:sub(at, first - 1))
    local rest = text:sub(first, first + 1)
    local last
    if rest == "/*" then
      last = select(2, text:find("*/", first + 2, true))
    elseif rest:find "^[\"']" then
      last = first + 1
      while text:sub(last, last) ~= rest:sub(1, 1) do
        last = last + (text:sub(last, last) == "\\" and 2 or 1)
      end
    else
      last = first
    end
    parts[#parts + 1] = text:sub(first, last or #text)
    at = (last or #text) + 1
  end
  return table.concat(parts)
end

--- Where argument number `wanted` of the call whose name begins at a place of a text is: its first character, and the
--- one after its last.
local function argument_at(text, place, wanted)
  local at, depth, number = text:find("(", place, true), 0, 1
  local first = at + 1
  for i = at, #text do
    local character = text:sub(i, i)
    if character:find "[%(%[{]" then
      depth = depth + 1
    elseif character:find "[%)%]}]" then
      depth = depth - 1
    end
    if depth == 0 or depth == 1 and character == "," then
      if number == wanted then return text:find("%S", first), i end
      number, first = number + 1, i + 1
      if depth == 0 then fail("%s: too few arguments", input) end
    end
  end
end

local words = {}
for _, word in ipairs(WORDS) do words[word] = word .. "_" end
words.NULL, words.restrict = "nullptr", "__restrict"
local text = each_code(read(input), function(code) return (code:gsub("[%a_][%w_]*", words)) end)

for round = 1, ROUNDS_MAX do
  local file = assert(io.open(output, "wb"))
  assert(file:write(text))
  file:close()
  local pipe = assert(io.popen(("clang++ -fsyntax-only -ferror-limit=0 -Wno-everything -Werror=c++11-narrowing "
    .. "-fno-caret-diagnostics -fdiagnostics-print-source-range-info %s '%s' 2>&1"):format(table.concat(flags, " "),
    output)))
  local starts = { 1 } -- where each line begins
  for at in text:gmatch "\n()" do starts[#starts + 1] = at end
  local function place(line, column) return starts[tonumber(line)] + tonumber(column) - 1 end
  local casts, open = {}, nil -- casts: { first, last, type }; open: where a call begins that does not fit
  for said in pipe:lines() do
    local line, column, ranges, message = said:match ":(%d+):(%d+):(%S*) error: (.*)$"
    if line then
      local type, from = message:match "of type '([^']*)' .*value of type '([^']*)'"
      if not type then type, from = message:match "assigning to '([^']*)' .*from incompatible type '([^']*)'" end
      if not type then from, type = message:match "narrowed from type '([^']*)' .*to '([^']*)'" end
      if type and not from:find "void %*%l*$" and not from:find "int%d*_?t?$" and from ~= "bool" then type = nil end
      local line1, column1, line2, column2 = ranges:match "{(%d+):(%d+)%-(%d+):(%d+)}:$"
      open = message:find "^no matching function" and place(line, column) or nil
      if type and line1 then
        casts[#casts + 1] = { place(line1, column1), place(line2, column2), type }
      elseif not open then
        fail("%s", said)
      end
    elseif open then
      local converted, number = said:match " to '([^']*)' .*for (%d+)%a%a argument"
      if converted then
        local first, last = argument_at(text, open, tonumber(number))
        casts[#casts + 1], open = { first, last, converted }, nil
      end
    end
  end
  pipe:close()
  if open then fail("%s: this call is not C++: %s", output, text:sub(open, open + 60)) end
  if #casts == 0 then
    print(("%s: %d rounds"):format(output, round))
    return
  end
  table.sort(casts, function(a, b) return a[1] > b[1] end) -- from the end, so that places stay what they are
  local parts, before = {}, #text + 1
  for _, cast in ipairs(casts) do
    local first, last = cast[1], cast[2]
    if last <= before then -- one around another cast waits for the next round
      parts[#parts + 1] = text:sub(last, before - 1)
      parts[#parts + 1] = ("(%s)(%s)"):format(cast[3], text:sub(first, last - 1))
      before = first
    end
  end
  parts[#parts + 1] = text:sub(1, before - 1)
  for i = 1, #parts / 2 do parts[i], parts[#parts + 1 - i] = parts[#parts + 1 - i], parts[i] end
  text = table.concat(parts)
end
fail("%s: no end after %d rounds", input, ROUNDS_MAX)
