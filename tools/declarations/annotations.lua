-- SPDX-License-Identifier: MIT
-- Reads the annotations of lua/wend/meta.lua. What it does not understand raises: nothing is left out silently.
--
-- A type is a table with a field `kind`:
--
--   name                a type of Lua, or with `ours` one of wend
--   literal             `text`: "word" in quotes, or an integer
--   list, map           `item`; `key` and `value`. A list has `bracketed` where it is written { [integer]: T }
--   fields              { name, type, optional }, ...: a table without a name
--   fun                 `parameters`: { name, type, optional }, ...; "..." is the rest. `results`. `takes_self`
--   optional, group     `type`: T?, (T)
--   union               types

local Parser = {}
Parser.__index = Parser

local function parser(text, used) return setmetatable({ text = text, at = 1, used = used }, Parser) end

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

--- What is left, without spaces before it; nil: nothing.
function Parser:rest()
  local text = self.text:sub(self.at):gsub("^%s+", "")
  return text ~= "" and text or nil
end

--- (name?: T, ...: T): R, R    Self is not among the parameters.
function Parser:signature()
  local found = { kind = "fun", parameters = {}, results = {}, takes_self = false }
  self:want "%("
  while not self:take "%)" do
    local name = self:take "%.%.%." or self:want "[%a_][%w_]*"
    local optional = self:take "%?" ~= nil
    local type = self:take ":" and self:type() or { kind = "name", name = "any" }
    if name == "self" then
      found.takes_self = true
    else
      table.insert(found.parameters, { name = name, type = type, optional = optional })
    end
    self:take ","
  end
  if self:take ":" then
    local group = self:take "%("
    repeat table.insert(found.results, self:type()) until not self:take ","
    if group then self:want "%)" end
  end
  return found
end

--- { name?: T, ... } or { [integer]: T }
function Parser:braces()
  local fields, item = { kind = "fields" }, nil
  while not self:take "}" do
    if self:take "%[" then
      local key = self:type()
      self:want "%]"
      self:want ":"
      if key.name ~= "integer" and key.name ~= "number" then self:fail "an integer key" end
      item = self:type()
    else
      local name = self:want "[%a_][%w_]*"
      local optional = self:take "%?" ~= nil
      self:want ":"
      fields[#fields + 1] = { name = name, type = self:type(), optional = optional }
    end
    self:take ","
  end
  if item and #fields > 0 then self:fail "a list or fields, not both," end
  return item and { kind = "list", item = item, bracketed = true } or fields
end

--- One type without a union.
function Parser:single()
  local found
  local word = self:take '"[^"]*"' or self:take "%-?%d+" or self:take "[%a_][%w_.]*"
  if not word then
    if self:take "%(" then
      found = { kind = "group", type = self:type() }
      self:want "%)"
    elseif self:take "{" then
      found = self:braces()
    else
      self:fail "a type"
    end
  elseif word == "fun" then
    found = self:signature()
  elseif word == "table" and self:take "<" then
    found = { kind = "map", key = self:type() }
    self:want ","
    found.value = self:type()
    self:want ">"
  elseif word:find "^[\"%d-]" then
    found = { kind = "literal", text = word }
  else
    local name = word:match "^wend%.([%a_]+)$"
    if name then self.used[#self.used + 1] = name end
    found = { kind = "name", name = name or word, ours = name ~= nil }
  end
  while self:take("%[%]", true) do found = { kind = "list", item = found } end
  if self:take("%?", true) then found = { kind = "optional", type = found } end
  return found
end

function Parser:type()
  local parts = { kind = "union", self:single() }
  while self:take "|" do parts[#parts + 1] = self:single() end
  return #parts == 1 and parts[1] or parts
end

---Reads annotations.
---@param source string the text of meta.lua
---@return table model
---  aliases: { name, type, comment }; classes, by name too: { name, item, base, members, comment };
---  functions of the module: { name, comment, forms, returns, parameters }.
---  A member is a field { name, optional, type, text }, or a function: { name, is_method, ... } as those of the module.
---  A form is { parameters, results }; with `iterated` in place of results, it returns an iterator.
local function read(source)
  local model = { aliases = {}, classes = {}, functions = {} }
  local used, class_of_local = {}, {}
  local block -- the annotations since the last line of code
  local function reset() block = { comment = {}, parameters = {}, results = {}, overloads = {} } end
  reset()

  local function form_of(parameters, results)
    local first = results[1]
    if first and first.kind == "fun" then return { parameters = parameters, iterated = first.results } end
    if first and first.name == "CellIterator" then
      local number = { kind = "name", name = "number" }
      return { parameters = parameters, iterated = { number, number, number } }
    end
    return { parameters = parameters, results = results }
  end

  local function function_of(name, is_method)
    local found = { name = name, is_method = is_method, comment = block.comment, returns = block.returns,
      parameters = block.parameters, forms = { form_of(block.parameters, block.results) } }
    for i, overload in ipairs(block.overloads) do
      found.forms[i + 1] = { parameters = overload.parameters, results = overload.results }
    end
    return found
  end

  local number, current, alias = 0, nil, nil
  local function line_of(line)
    local tag, rest = line:match "^%-%-%-@(%l+)%s*(.*)$"
    if alias and line:find "^%-%-%-| " then -- the next line of an alias
      local more = parser(line:sub(6), used):type()
      for _, part in ipairs(more.kind == "union" and more or { more }) do table.insert(alias.type, part) end
    elseif tag == "meta" or line:find "^%-%- SPDX" then
      reset()
    elseif tag == "alias" then
      local name, type = rest:match "^wend%.(%a+)%s*(.*)$"
      alias = { name = assert(name, "an alias of wend"), comment = block.comment }
      alias.type = type ~= "" and parser(type, used):type() or { kind = "union" }
      table.insert(model.aliases, alias)
      reset()
    elseif tag == "class" then
      local name, base = rest:match "^([%a.]+):?%s*(.*)$"
      current = { name = name:match "^wend%.(%a+)$" or name, members = {}, comment = block.comment }
      if base ~= "" then
        local type = parser(base, used):type()
        if type.kind == "list" then current.item = type.item else current.base = type end
      end
      model.classes[current.name] = current
      table.insert(model.classes, current)
      reset()
    elseif tag == "field" then
      local name, optional, type = rest:match "^([%a_][%w_]*)(%??)%s+(.*)$"
      assert(name, "a field with a name")
      local p = parser(type, used)
      local found = p:type()
      table.insert(current.members, { name = name, optional = optional == "?", type = found, text = p:rest() })
    elseif tag == "param" then
      local name, optional, type = rest:match "^([%w_.]+)(%??)%s+(.*)$"
      local p = parser(type, used)
      local found = p:type()
      table.insert(block.parameters, { name = name, type = found, optional = optional == "?", text = p:rest() })
    elseif tag == "return" then
      local p = parser(rest, used)
      table.insert(block.results, p:type())
      local text = p:rest()
      if #block.results == 1 and text and text:find " " and block.results[1].kind ~= "fun" then block.returns = text end
    elseif tag == "overload" then
      local p = parser(rest, used)
      p:want "fun"
      table.insert(block.overloads, p:signature())
    elseif tag then
      error("cannot translate @" .. tag, 0)
    elseif line:find "^%-%-%- " then
      table.insert(block.comment, line:sub(5))
    elseif line:find "^local %a+ = {}$" then
      class_of_local[line:match "^local (%a+)"] = current
      alias = nil
      reset()
    elseif line:find "^function " then
      local owner, kind, name = line:match "^function (%a+)([.:])([%a_]+)%("
      local class = assert(class_of_local[owner], "a function of a known class")
      table.insert(class.name == "wend" and model.functions or class.members, function_of(name, kind == ":"))
      reset()
    elseif line == "" then
      alias = nil
      reset()
    end
  end
  for line in (source .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    local ok, message = pcall(line_of, line)
    if not ok then error(("%d: %s"):format(number, tostring(message)), 0) end
  end

  local declared = {}
  for _, list in ipairs { model.classes, model.aliases } do
    for _, one in ipairs(list) do declared[one.name] = true end
  end
  for _, name in ipairs(used) do
    if not declared[name] then error(number .. ": no class and no alias: wend." .. name, 0) end
  end
  return model
end

return read
