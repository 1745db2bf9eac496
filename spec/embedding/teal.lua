-- SPDX-License-Identifier: MIT
-- Checks dist/wend.d.tl, as far as that is possible without Teal: lua spec/embedding/teal.lua FILE
--
-- It reads the part of the grammar of Teal that declarations use: records, enums, types, and functions in them. Then it
-- checks that every type is declared, that no union has two types that Teal could not tell apart, and that everything
-- in the module wend is there. What it cannot see: whether Teal accepts all of this, and whether programs fit it.

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true until
  while]]):gmatch "%l+" do KEYWORDS[word] = true end
local BASIC = { integer = "number", number = "number", string = "string", boolean = "boolean", any = "any",
  ["nil"] = "nil" }

local function tokens_of(text)
  local list, line, at = {}, 1, 1
  while at <= #text do
    local first, last = text:find("^%s+", at)
    if not first then first, last = text:find("^%-%-[^\n]*", at) end
    if first then
      line = line + select(2, text:sub(first, last):gsub("\n", ""))
    else
      for _, pattern in ipairs { "^[%a_][%w_]*", '^"[^"\n]*"', "^%.%.%.", "^[%[%]{}():,|?=.]" } do
        first, last = text:find(pattern, at)
        if first then break end
      end
      assert(first, ("line %d: no token: %s"):format(line, text:sub(at, at + 20)))
      list[#list + 1] = { text = text:sub(first, last), line = line }
    end
    at = last + 1
  end
  list[#list + 1] = { text = "<end>", line = line }
  return list
end

---Parses a file. Returns the record of the module: { fields = { [name] = types }, types = { [name] = type } }.
local function parsed(text)
  local tokens, at, nominals, unions = tokens_of(text), 1, {}, {}
  local function fail(wanted)
    error(("line %d: %s expected, not %s"):format(tokens[at].line, wanted, tokens[at].text), 0)
  end
  local function take(word)
    if tokens[at].text ~= word then return false end
    at = at + 1
    return true
  end
  local function want(word) return take(word) or fail(word) end
  local function name()
    local word = tokens[at].text
    if not word:find "^[%a_]" or KEYWORDS[word] then fail "a name" end
    at = at + 1
    return word
  end
  local function quoted()
    local word = tokens[at].text
    if not word:find '^"' then fail "a word in quotes" end
    at = at + 1
    return word
  end
  local type_of

  local function function_type()
    want "("
    while not take ")" do
      if take "..." then
        want ":"
        type_of()
      else
        name()
        take "?"
        want ":"
        type_of()
        if tokens[at].text ~= ")" then want "," end
      end
    end
    if take ":" then
      want "("
      repeat
        type_of()
        take "..."
      until not take ","
      want ")"
    end
    return { kind = "function" }
  end

  local function base_type()
    if take "{" then
      type_of()
      if take ":" then type_of() end
      want "}"
      return { kind = "table" }
    elseif take "function" then
      return function_type()
    elseif take "nil" then
      return { kind = "nil" }
    end
    local word = name()
    if BASIC[word] then return { kind = BASIC[word] } end
    local found = { kind = "nominal", name = word, line = tokens[at].line }
    nominals[#nominals + 1] = found
    return found
  end

  function type_of()
    if take "(" then
      local found = type_of()
      want ")"
      return found
    end
    local first = base_type()
    if tokens[at].text ~= "|" then return first end
    local union = { kind = "union", line = tokens[at].line, first }
    while take "|" do union[#union + 1] = base_type() end
    unions[#unions + 1] = union
    return union
  end

  local function enum()
    local seen = {}
    repeat
      local word = quoted()
      assert(not seen[word], "twice in an enum: " .. word)
      seen[word] = true
    until take "end"
    return { kind = "enum" }
  end

  local function record()
    local found = { kind = "table", fields = {}, types = {} }
    local function declare(label, type)
      if found.types[label] then error(("line %d: declared twice: %s"):format(tokens[at].line, label), 0) end
      found.types[label] = type
    end
    if tokens[at].text == "is" and tokens[at + 1].text == "{" then
      at = at + 2
      type_of()
      want "}"
    end
    while not take "end" do
      local word, follows = tokens[at].text, tokens[at + 1].text
      if follows:find "^[%a_]" and (word == "record" or word == "enum" or word == "type") then
        at = at + 1
        local label = name()
        if word == "type" then want "=" end
        -- A record may refer to itself.
        declare(label, word == "record" and record() or word == "enum" and enum() or type_of())
      else
        local label
        if take "[" then
          label = quoted():sub(2, -2)
          want "]"
        else
          label = name()
        end
        want ":"
        local type, known = type_of(), found.fields[label]
        if known and not (known.kind == "function" and type.kind == "function") then
          error(("line %d: a field twice, and not as functions: %s"):format(tokens[at].line, label), 0)
        end
        found.fields[label] = type
      end
    end
    return found
  end

  want "local"
  want "record"
  local module = name()
  local found = record()
  want "return"
  want(module)
  want "<end>"

  -- All types that are named are in the record of the module.
  for _, one in ipairs(nominals) do
    if not found.types[one.name] then error(("line %d: no such type: %s"):format(one.line, one.name), 0) end
  end
  local function kind_of(type)
    while type.kind == "nominal" do type = found.types[type.name] end
    return type.kind == "enum" and "string" or type.kind
  end
  for _, union in ipairs(unions) do
    local seen = {}
    for _, type in ipairs(union) do
      local kind = kind_of(type)
      if seen[kind] or kind == "any" or kind == "union" then
        error(("line %d: Teal cannot tell the types of this union apart: %s"):format(union.line, kind), 0)
      end
      seen[kind] = true
    end
  end
  return found
end

local file = assert(io.open(assert(arg[1], "usage: lua spec/embedding/teal.lua FILE"), "rb"))
local text = file:read "*a"
file:close()
local found = parsed(text)
for name in pairs(require "wend") do
  assert(found.fields[name], arg[1] .. " does not declare wend." .. name)
end

-- It does find what is wrong.
for wrong, message in pairs {
  ["local record a x: number y return a"] = ": expected, not return",
  ["local record a x: function(end: number) end return a"] = "a name expected, not end",
  ["local record a x: number x: string end return a"] = "a field twice",
  ["local record a x: B end return a"] = "no such type: B",
  ["local record a record B end x: B | {number} end return a"] = "cannot tell the types of this union apart: table",
  ["local record a enum B \"b\" end x: string | B end return a"] = "cannot tell the types of this union apart: string",
  ["local record a type B = integer type B = string end return a"] = "declared twice: B",
  ["local record a end return b"] = "a expected, not b",
} do
  local ok, problem = pcall(parsed, wrong)
  assert(not ok and tostring(problem):find(message, 1, true), wrong .. ": " .. tostring(problem))
end
local types = 0
for _ in pairs(found.types) do types = types + 1 end
print(("Teal: %d types; no compiler for Teal has read them"):format(types))
