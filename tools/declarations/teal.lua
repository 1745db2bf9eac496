-- SPDX-License-Identifier: MIT
-- Declarations for Teal 0.24 or later. Everything is in the record that the module returns: wend.Graph is a type.
--
--   a class                     a record; a list with fields is one that `is {T}`
--   a method with overloads     a field for each form
--   words in quotes             an enum, where an alias names them; elsewhere string
--   { a: T } without a name     a record With..., with the names of its fields
--   T|nil, T?                   T: every Teal type has nil
--   a union that Teal cannot tell apart when it runs (two tables, two functions)    any

local RESERVED = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true until
  while]]):gmatch "%l+" do RESERVED[word] = true end
-- Words with a meaning in records: as keys they stand in brackets.
local IN_RECORDS = {}
for word in ("enum embed interface is macroexp metamethod record type userdata where"):gmatch "%l+" do
  IN_RECORDS[word] = true
end
local NAMES = { integer = "integer", number = "number", string = "string", boolean = "boolean", any = "any",
  table = "{any:any}", userdata = "any", ["function"] = "function(...: any): (any...)", ["true"] = "boolean",
  ["false"] = "boolean" }
-- What Teal tells apart by type().
local GROUPS = { integer = "number", number = "number", string = "string", boolean = "boolean" }

---The file, of a model of tools/declarations/annotations.lua.
return function(model)
  local aliases, anonymous = {}, {}
  for _, one in ipairs(model.aliases) do aliases[one.name] = one.type end

  local text_of

  ---The types of a union, without nil and without aliases of unions.
  local function parts_of(type, list)
    list = list or {}
    local alias = type.kind == "name" and type.ours and aliases[type.name]
    if type.kind == "union" then
      for _, part in ipairs(type) do parts_of(part, list) end
    elseif type.kind == "group" or type.kind == "optional" then
      parts_of(type.type, list)
    elseif alias and alias.kind == "union" then
      parts_of(alias, list)
    elseif type.name ~= "nil" then
      list[#list + 1] = type
    end
    return list
  end

  ---Whether all types are words in quotes.
  local function are_words(parts)
    for _, part in ipairs(parts) do
      if part.kind ~= "literal" or not part.text:find '^"' then return false end
    end
    return #parts > 0
  end

  local function union(type)
    local alias = type.ours and aliases[type.name]
    if alias and alias.kind == "union" then return type.name end
    local parts, groups, list = parts_of(type), {}, {}
    for _, part in ipairs(parts) do
      local text = text_of(part)
      local target = part.ours and aliases[part.name] or part
      local group = GROUPS[text] or (target.kind == "fun" or text:find "^function") and "function" or "table"
      if text == "any" then return "any" end
      if not groups[group] then
        groups[group] = text
        list[#list + 1] = group
      elseif groups[group] ~= text then
        if group == "table" or group == "function" then return "any" end
        groups[group] = group -- integer and number: number
      end
    end
    for i, group in ipairs(list) do list[i] = groups[group] end
    return #list > 0 and table.concat(list, " | ") or "nil"
  end

  ---A key of a record.
  local function key(name) return (RESERVED[name] or IN_RECORDS[name]) and ('["%s"]'):format(name) or name end

  ---Parameters: one may be left out only if all after it may.
  local function parameter_list(parameters, this)
    local list, may = {}, true
    for i = #parameters, 1, -1 do
      local one = parameters[i]
      if one.name == "..." then
        table.insert(list, 1, "...: " .. text_of(one.type))
      else
        may = may and one.optional
        local name = RESERVED[one.name] and one.name .. "_" or one.name
        table.insert(list, 1, ("%s%s: %s"):format(name, may and "?" or "", text_of(one.type)))
      end
    end
    if this then table.insert(list, 1, "self: " .. this) end
    return table.concat(list, ", ")
  end

  local function result_list(results)
    local list = {}
    for i, result in ipairs(results) do list[i] = text_of(result) end
    return #list > 0 and ": (" .. table.concat(list, ", ") .. ")" or ""
  end

  local function function_text(form, this)
    local results = form.iterated and ": (function()" .. result_list(form.iterated) .. ")" or result_list(form.results)
    return ("function(%s)%s"):format(parameter_list(form.parameters, this), results)
  end

  ---The record of a table without a name of its own.
  local function record_of(fields)
    local names = {}
    for i, field in ipairs(fields) do names[i] = field.name:sub(1, 1):upper() .. field.name:sub(2) end
    local name, list = "With" .. table.concat(names), {}
    for i, field in ipairs(fields) do list[i] = ("%s: %s"):format(key(field.name), text_of(field.type)) end
    local known = anonymous[name]
    local whole = table.concat(list, "\n")
    assert(not known or known.whole == whole, "two tables with the fields of " .. name)
    if not known then
      anonymous[name] = { whole = whole, lines = list }
      anonymous[#anonymous + 1] = name
    end
    return name
  end

  function text_of(type)
    local kind = type.kind
    if kind == "name" then
      return type.ours and type.name or NAMES[type.name] or type.name == "nil" and "nil"
        or error("an unknown type: " .. type.name, 0)
    elseif kind == "literal" then
      return type.text:find '^"' and "string" or "integer"
    elseif kind == "list" then
      return "{" .. text_of(type.item) .. "}"
    elseif kind == "map" then
      return ("{%s:%s}"):format(text_of(type.key), text_of(type.value))
    elseif kind == "fields" then
      return record_of(type)
    elseif kind == "fun" then
      return function_text(type, type.takes_self and "any" or nil)
    end
    return union(type)
  end

  local output, indented = {}, ""
  local function put(text, ...)
    output[#output + 1] = text ~= "" and indented .. (select("#", ...) > 0 and text:format(...) or text) or ""
  end
  local function comment(lines)
    for _, line in ipairs(lines) do put("-- %s", line) end
  end

  ---A field, or a function with all its forms.
  local function member(one, class)
    if one.forms then
      comment(one.comment)
      for _, parameter in ipairs(one.parameters) do
        if parameter.text then put("-- %s: %s", parameter.name, parameter.text) end
      end
      if one.returns then put("-- returns %s", one.returns) end
      local seen = {}
      for _, form in ipairs(one.forms) do
        local text = function_text(form, one.is_method and class or nil)
        if not seen[text] then put("%s: %s", key(one.name), text) end
        seen[text] = true
      end
      return
    end
    comment { one.text }
    local text = text_of(one.type)
    if one.type.kind == "fun" and one.type.takes_self then text = function_text(one.type, class) end
    put("%s: %s", key(one.name), text)
  end

  put "-- SPDX-License-Identifier: MIT"
  put "-- The interface of wend for Teal. Generated from lua/wend/meta.lua; do not edit."
  put ""
  put "local record wend"
  for _, one in ipairs(model.aliases) do
    local parts = parts_of(one.type)
    indented = "   "
    comment(one.comment)
    if are_words(parts) then
      put("enum %s", one.name)
      for _, part in ipairs(parts) do put("   %s", part.text) end
      put "end"
    else
      put("type %s = %s", one.name, text_of(one.type))
    end
    put ""
  end
  for _, class in ipairs(model.classes) do
    if class.name ~= "wend" then
      indented = "   "
      comment(class.comment)
      put("record %s%s", class.name, class.item and " is {" .. text_of(class.item) .. "}" or "")
      indented = "      "
      assert(not class.base, "a record inherits from no record: " .. class.name)
      for _, one in ipairs(class.members) do member(one, class.name) end
      indented = "   "
      put "end"
      put ""
    end
  end
  for _, one in ipairs(model.classes.wend.members) do member(one) end
  for _, one in ipairs(model.functions) do
    put ""
    member(one)
  end
  for _, name in ipairs(anonymous) do
    put ""
    put("record %s", name)
    for _, line in ipairs(anonymous[name].lines) do put("   %s", line) end
    put "end"
  end
  indented = ""
  put "end"
  put ""
  put "return wend"
  return table.concat(output, "\n") .. "\n"
end
