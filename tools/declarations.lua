-- SPDX-License-Identifier: MIT
-- Writes TypeScript declarations for TypeScriptToLua: lua tools/declarations.lua lua/wend/meta.lua > dist/wend.d.ts
--
-- The source is the annotations of meta.lua. A class becomes an interface, an alias a type, a function of the module a
-- function. What it does not understand raises: nothing is left out silently.
--
--   integer, number       number
--   nil                   undefined
--   T[], { [integer]: T }  an array: TypeScriptToLua counts from 0 and adds 1 in Lua
--   several results       LuaMultiReturn<[...]>
--   an iterator           LuaIterable<...>

local input = assert(io.open(assert(arg[1], "usage: lua tools/declarations.lua META"), "rb"))
local source = input:read "*a"
input:close()

local RESERVED = { export = true, ["in"] = true, ["function"] = true, default = true, ["delete"] = true, new = true,
  class = true, var = true, with = true, this = true }

-- Types ------------------------------------------------------------------------------------------------------------

local NAMES = { integer = "number", number = "number", string = "string", boolean = "boolean", any = "any",
  ["nil"] = "undefined", table = "object", userdata = "object",
  ["function"] = "((this: void, ...values: any[]) => any)", ["true"] = "true", ["false"] = "false", self = "this" }

local used = {} -- names of classes and aliases

local Parser = {}
Parser.__index = Parser

local function parser(text) return setmetatable({ text = text, at = 1 }, Parser) end

function Parser:fail(wanted)
  error(("%s expected at '%s' in '%s'"):format(wanted, self.text:sub(self.at), self.text), 0)
end

--- Takes what the pattern matches here, after spaces unless tight.
function Parser:take(pattern, tight)
  local first, last, found = self.text:find((tight and "^" or "^%s*") .. "(" .. pattern .. ")", self.at)
  if not first then return nil end
  self.at = last + 1
  return found
end

function Parser:want(pattern) return self:take(pattern) or self:fail(pattern) end

local function undefined(type) return type:find "undefined" and type or type .. " | undefined" end

local function several(types)
  return #types == 1 and types[1] or "LuaMultiReturn<[" .. table.concat(types, ", ") .. "]>"
end

--- fun(name?: T, ...: T): R, R    Returns the parameters and the list of results. Without self: this is said apart.
function Parser:signature()
  local parameters, results, self_type = {}, {}, false
  self:want "%("
  while not self:take "%)" do
    local name = self:take "%.%.%." or self:want "[%a_][%w_]*"
    local optional = self:take "%?" ~= nil
    local type = self:take ":" and self:type() or "any"
    if name == "self" then
      self_type = true
    elseif name == "..." then
      parameters[#parameters + 1] = { "...values", "(" .. type .. ")[]" }
    else
      if RESERVED[name] then name = name .. "_" end
      parameters[#parameters + 1] = { name, type, optional }
    end
    self:take ","
  end
  if self:take ":" then
    local group = self:take "%("
    repeat results[#results + 1] = self:type() until not self:take ","
    if group then self:want "%)" end
  end
  return parameters, results, self_type
end

--- Parameters as TypeScript has them: one may be left out only if all after it may.
local function parameter_list(parameters, this)
  local list, may = {}, true
  for i = #parameters, 1, -1 do
    local name, type, optional = parameters[i][1], parameters[i][2], parameters[i][3]
    local rest = name:find "^%.%.%." ~= nil
    if not rest then may = may and optional end
    if optional and not may then type = undefined(type) end
    table.insert(list, 1, ("%s%s: %s"):format(name, optional and may and "?" or "", type))
  end
  if this then table.insert(list, 1, "this: " .. this) end
  return table.concat(list, ", ")
end

--- One type without a union.
function Parser:single()
  local text
  local word = self:take '"[^"]*"' or self:take "%-?%d+" or self:take "[%a_][%w_.]*"
  if not word then
    if self:take "%(" then
      text = "(" .. self:type() .. ")"
      self:want "%)"
    elseif self:take "{" then
      local fields, item = {}
      while not self:take "}" do
        if self:take "%[" then
          local key = self:type()
          self:want "%]"
          self:want ":"
          if key ~= "number" then self:fail "an integer key" end
          item = self:type()
        else
          local name = self:want "[%a_][%w_]*"
          local optional = self:take "%?" ~= nil
          self:want ":"
          local value = self:type()
          -- A function in a table that takes self is a method.
          fields[#fields + 1] = name .. (optional and "?" or "") .. ": " .. value
        end
        self:take ","
      end
      text = item and "(" .. item .. ")[]" or "{ " .. table.concat(fields, "; ") .. " }"
      if item and #fields > 0 then self:fail "a list or fields, not both," end
    else
      self:fail "a type"
    end
  elseif word == "fun" then
    local parameters, results, takes_self = self:signature()
    local list = parameter_list(parameters, takes_self and "any" or "void")
    if #results > 1 then -- a function may return the first result alone
      text = ("((%s) => %s) | ((%s) => %s)"):format(list, undefined(results[1]), list, several(results))
    else
      text = ("(%s) => %s"):format(list, results[1] or "void")
    end
    text = "(" .. text .. ")"
  elseif word == "table" and self:take "<" then
    local key = self:type()
    self:want ","
    local value = self:type()
    self:want ">"
    if key:find "number" and not key:find "string" then
      text = "LuaTable<" .. key .. ", " .. value .. ">"
    else
      text = "{ [key: string]: " .. value .. " }"
    end
  elseif word:find "^[\"%d-]" then
    text = word
  else
    local name = word:match "^wend%.([%a_]+)$"
    text = NAMES[word] or name or self:fail("a known type instead of " .. word)
    if name then used[#used + 1] = name end
  end
  while self:take("%[%]", true) do text = text .. "[]" end
  if self:take("%?", true) then text = undefined(text) end
  return text
end

function Parser:type()
  local parts = { self:single() }
  while self:take "|" do parts[#parts + 1] = self:single() end
  return table.concat(parts, " | ")
end

-- The annotations --------------------------------------------------------------------------------------------------

local output, indented = {}, ""
local function put(text, ...) output[#output + 1] = indented .. (select("#", ...) > 0 and text:format(...) or text) end

--- A comment for what follows: lines of text, and a line for each parameter with a description.
local function comment(lines)
  for i = 1, #lines do lines[i] = lines[i]:gsub("%*/", "* /") end
  if #lines == 1 then
    put("/** %s */", lines[1])
  elseif #lines > 1 then
    put("/**")
    for _, line in ipairs(lines) do put(" * %s", line) end
    put(" */")
  end
end

local classes, order = {}, {} -- by name: { name, bases, item, members, comment }
local aliases, functions = {}, {}
local class_of_local = {}

local block -- the annotations since the last line of code
local function reset() block = { text = {}, parameters = {}, results = {}, overloads = {} } end
reset()

--- What a block says of a function: a list of signatures.
local function signatures(name, is_method)
  local list = { { block.parameters, block.results } }
  for _, overload in ipairs(block.overloads) do
    local p = parser(overload)
    p:want "fun"
    local parameters, results = p:signature()
    list[#list + 1] = { parameters, results }
  end
  local lines, this = block.text, not is_method and "void" or nil
  for _, parameter in ipairs(block.parameters) do
    if parameter[4] then lines[#lines + 1] = ("@param %s %s"):format(parameter[1]:gsub("^%.+", ""), parameter[4]) end
  end
  if block.returns then lines[#lines + 1] = "@returns " .. block.returns end
  local made = { comment = lines }
  for _, one in ipairs(list) do
    local iterated = one[2].iterated
    local result = iterated and "LuaIterable<" .. several(iterated) .. ">" or #one[2] == 0 and "void" or several(one[2])
    made[#made + 1] = ("%s(%s): %s"):format(name, parameter_list(one[1], this), result)
  end
  return made
end

local number, current, alias = 0, nil, nil
local ok, message = pcall(function()
  for line in (source .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    local tag, rest = line:match "^%-%-%-@(%l+)%s*(.*)$"
    if alias and line:find "^%-%-%-| " then -- the next line of an alias
      alias.type = alias.type .. (alias.type ~= "" and " | " or "") .. parser(line:sub(6)):type()
    elseif tag == "meta" or line:find "^%-%- SPDX" then
      reset()
    elseif tag == "alias" then
      local name, type = rest:match "^wend%.(%a+)%s*(.*)$"
      alias = { name = assert(name, "an alias of wend"), comment = block.text }
      alias.type = type ~= "" and parser(type):type() or ""
      aliases[#aliases + 1] = alias
      reset()
    elseif tag == "class" then
      local name, base = rest:match "^([%a.]+):?%s*(.*)$"
      current = { name = name:match "^wend%.(%a+)$" or name, members = {}, comment = block.text, bases = {} }
      if base ~= "" then
        local type = parser(base):type()
        current.item = type:match "^%((.*)%)%[%]$"
        current.bases[1] = not current.item and type or nil
      end
      classes[current.name] = current
      order[#order + 1] = current
      reset()
    elseif tag == "field" then
      local name, optional, type = rest:match "^([%a_][%w_]*)(%??)%s+(.*)$"
      assert(name, "a field with a name")
      local p = parser(type)
      local member
      if p:take "fun%f[^%w]" then
        local parameters, results, takes_self = p:signature()
        if takes_self then
          local iterates = name == "each" and results[1]
          local result = iterates and "LuaIterable<LuaMultiReturn<[number, number, number]>>"
            or #results > 0 and several(results) or "void"
          member = ("%s(%s): %s"):format(name, parameter_list(parameters), result)
        end
      end
      if not member then
        p = parser(type)
        member = ("%s%s: %s"):format(name, optional, p:type())
      end
      local description = p.text:sub(p.at):gsub("^%s+", "")
      table.insert(current.members, { member, comment = { description ~= "" and description or nil } })
    elseif tag == "param" then
      local name, optional, type = rest:match "^([%w_.]+)(%??)%s+(.*)$"
      local p = parser(type)
      local parsed = p:type()
      local description = p.text:sub(p.at):gsub("^%s+", "")
      if name == "..." then
        name, parsed = "...values", "(" .. parsed .. ")[]"
      elseif RESERVED[name] then
        name = name .. "_"
      end
      table.insert(block.parameters, { name, parsed, optional == "?", description ~= "" and description or nil })
    elseif tag == "return" then
      local p = parser(rest)
      if #block.results == 0 and p:take "fun%f[^%w]" then -- an iterator
        local _, results = p:signature()
        block.results.iterated = results
      elseif rest:find "^wend%.CellIterator" then
        block.results.iterated = { "number", "number", "number" }
      elseif not block.results.iterated then
        table.insert(block.results, p:type())
        local description = p.text:sub(p.at):gsub("^%s+", "")
        if #block.results == 1 and description:find " " then block.returns = description end
      end
    elseif tag == "overload" then
      table.insert(block.overloads, rest)
    elseif tag then
      error("cannot translate @" .. tag, 0)
    elseif line:find "^%-%-%- " then
      table.insert(block.text, line:sub(5))
    elseif line:find "^local %a+ = {}$" then
      class_of_local[line:match "^local (%a+)"] = current
      alias = nil
      reset()
    elseif line:find "^function " then
      local owner, kind, name = line:match "^function (%a+)([.:])([%a_]+)%("
      local class = assert(class_of_local[owner], "a function of a known class")
      if class.name == "wend" then
        functions[#functions + 1] = signatures(RESERVED[name] and name .. "_" or name, false)
        functions[#functions].name, functions[#functions].reserved = name, RESERVED[name]
      else
        table.insert(class.members, signatures(name, kind == ":"))
      end
      reset()
    elseif line == "" then
      alias = nil
      reset()
    end
  end
end)
if ok then
  local declared = {}
  for _, list in ipairs { order, aliases } do
    for _, one in ipairs(list) do declared[one.name] = true end
  end
  for _, name in ipairs(used) do
    if not declared[name] then ok, message = false, "no class and no alias: wend." .. name end
  end
end
if not ok then
  io.stderr:write(("%s:%d: %s\n"):format(arg[1], number, tostring(message)))
  os.exit(1)
end

put("// SPDX-License-Identifier: MIT")
put("// The interface of wend for TypeScriptToLua. Generated from lua/wend/meta.lua; do not edit.")
put("// tsconfig.json of the project: \"types\": [\"@typescript-to-lua/language-extensions\"]")
put("")
put("/** @noResolution */")
put('declare module "wend" {')
indented = "  "
for _, one in ipairs(aliases) do
  comment(one.comment)
  put("export type %s = %s;", one.name, one.type)
  put("")
end
for _, class in ipairs(order) do
  if class.name ~= "wend" then
    -- A list with fields. It cannot extend an array: some of them have a field `map`, and arrays have a method `map`.
    if class.item then
      comment(class.comment)
      put("export type %s = readonly (%s)[] & %sFields;", class.name, class.item, class.name)
      put("")
    else
      comment(class.comment)
    end
    put("export interface %s%s {", class.name .. (class.item and "Fields" or ""),
      class.bases[1] and " extends " .. table.concat(class.bases, ", ") or "")
    indented = "    "
    for _, member in ipairs(class.members) do
      comment(member.comment)
      for _, one in ipairs(member) do put("%s;", one) end
    end
    indented = "  "
    put("}")
    put("")
  end
end
for _, member in ipairs(classes.wend.members) do
  comment(member.comment)
  put("export const %s;", member[1])
end
for _, one in ipairs(functions) do
  put("")
  comment(one.comment)
  for _, signature in ipairs(one) do put("%sfunction %s;", one.reserved and "" or "export ", signature) end
  if one.reserved then put("export { %s_ as %s };", one.name, one.name) end
end
indented = ""
put("}")
io.write(table.concat(output, "\n"), "\n")
