-- SPDX-License-Identifier: MIT
-- Declarations for TypeScriptToLua. A class becomes an interface, an alias a type, a function of the module a function.
--
--   integer, number       number
--   nil                   undefined
--   T[], { [integer]: T }  an array: TypeScriptToLua counts from 0 and adds 1 in Lua
--   several results       LuaMultiReturn<[...]>
--   an iterator           LuaIterable<...>

local RESERVED = { export = true, ["in"] = true, ["function"] = true, default = true, ["delete"] = true, new = true,
  class = true, var = true, with = true, this = true }
local NAMES = { integer = "number", number = "number", string = "string", boolean = "boolean", any = "any",
  ["nil"] = "undefined", table = "object", userdata = "object",
  ["function"] = "((this: void, ...values: any[]) => any)", ["true"] = "true", ["false"] = "false", self = "this" }

local text_of

local function undefined(type) return type:find "undefined" and type or type .. " | undefined" end

local function texts_of(types)
  local list = {}
  for i, type in ipairs(types) do list[i] = text_of(type) end
  return list
end

local function several(types)
  local list = texts_of(types)
  return #list == 1 and list[1] or "LuaMultiReturn<[" .. table.concat(list, ", ") .. "]>"
end

local function safe(name) return RESERVED[name] and name .. "_" or name end

--- Parameters as TypeScript has them: one may be left out only if all after it may.
local function parameter_list(parameters, this)
  local list, may = {}, true
  for i = #parameters, 1, -1 do
    local one = parameters[i]
    local type = text_of(one.type)
    if one.name == "..." then
      table.insert(list, 1, ("...values: (%s)[]"):format(type))
    else
      may = may and one.optional
      if one.optional and not may then type = undefined(type) end
      table.insert(list, 1, ("%s%s: %s"):format(safe(one.name), one.optional and may and "?" or "", type))
    end
  end
  if this then table.insert(list, 1, "this: " .. this) end
  return table.concat(list, ", ")
end

local KINDS = {}
function KINDS.name(type)
  return type.ours and type.name or NAMES[type.name] or error("an unknown type: " .. type.name, 0)
end
function KINDS.literal(type) return type.text end
function KINDS.list(type) return (type.bracketed and "(%s)[]" or "%s[]"):format(text_of(type.item)) end
function KINDS.group(type) return "(" .. text_of(type.type) .. ")" end
function KINDS.optional(type) return undefined(text_of(type.type)) end
function KINDS.union(type) return table.concat(texts_of(type), " | ") end
function KINDS.map(type)
  local key, value = text_of(type.key), text_of(type.value)
  if key:find "number" and not key:find "string" then return "LuaTable<" .. key .. ", " .. value .. ">" end
  return "{ [key: string]: " .. value .. " }"
end
function KINDS.fields(type)
  local list = {}
  for i, field in ipairs(type) do
    list[i] = field.name .. (field.optional and "?: " or ": ") .. text_of(field.type)
  end
  return "{ " .. table.concat(list, "; ") .. " }"
end
function KINDS.fun(type)
  local list, results = parameter_list(type.parameters, type.takes_self and "any" or "void"), type.results
  if #results > 1 then -- a function may return the first result alone
    return ("(((%s) => %s) | ((%s) => %s))"):format(list, undefined(text_of(results[1])), list, several(results))
  end
  return ("((%s) => %s)"):format(list, results[1] and text_of(results[1]) or "void")
end

function text_of(type) return KINDS[type.kind](type) end

---The file, of a model of tools/declarations/annotations.lua.
return function(model)
  local output, indented = {}, ""
  local function put(text, ...)
    output[#output + 1] = indented .. (select("#", ...) > 0 and text:format(...) or text)
  end

  --- A comment for what follows.
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

  --- The comment of a function, with a line for each parameter that has a description, and its signatures.
  local function signatures(one, name)
    local lines = {}
    for i, line in ipairs(one.comment) do lines[i] = line end
    for _, parameter in ipairs(one.parameters) do
      if parameter.text then
        local label = parameter.name == "..." and "values" or safe(parameter.name)
        lines[#lines + 1] = ("@param %s %s"):format(label, parameter.text)
      end
    end
    if one.returns then lines[#lines + 1] = "@returns " .. one.returns end
    local made = { comment = lines }
    for i, form in ipairs(one.forms) do
      local result = form.iterated and "LuaIterable<" .. several(form.iterated) .. ">"
        or #form.results == 0 and "void" or several(form.results)
      local list = parameter_list(form.parameters, not one.is_method and "void" or nil)
      made[i] = ("%s(%s): %s"):format(name, list, result)
    end
    return made
  end

  local function field(one)
    local made = { comment = { one.text } }
    if one.type.kind == "fun" and one.type.takes_self then -- a method
      local results = one.type.results
      local result = one.name == "each" and results[1] and "LuaIterable<LuaMultiReturn<[number, number, number]>>"
        or #results > 0 and several(results) or "void"
      made[1] = ("%s(%s): %s"):format(one.name, parameter_list(one.type.parameters), result)
    else
      made[1] = ("%s%s: %s"):format(one.name, one.optional and "?" or "", text_of(one.type))
    end
    return made
  end

  put("// SPDX-License-Identifier: MIT")
  put("// The interface of wend for TypeScriptToLua. Generated from lua/wend/meta.lua; do not edit.")
  put("// tsconfig.json of the project: \"types\": [\"@typescript-to-lua/language-extensions\"]")
  put("")
  put("/** @noResolution */")
  put('declare module "wend" {')
  indented = "  "
  for _, one in ipairs(model.aliases) do
    comment(one.comment)
    put("export type %s = %s;", one.name, text_of(one.type))
    put("")
  end
  for _, class in ipairs(model.classes) do
    if class.name ~= "wend" then
      -- A list with fields. It cannot extend an array: some of them have a field `map`, and arrays have a method `map`.
      comment(class.comment)
      if class.item then
        put("export type %s = readonly (%s)[] & %sFields;", class.name, text_of(class.item), class.name)
        put("")
      end
      put("export interface %s%s {", class.name .. (class.item and "Fields" or ""),
        class.base and " extends " .. text_of(class.base) or "")
      indented = "    "
      for _, member in ipairs(class.members) do
        local made = member.forms and signatures(member, member.name) or field(member)
        comment(made.comment)
        for _, one in ipairs(made) do put("%s;", one) end
      end
      indented = "  "
      put("}")
      put("")
    end
  end
  for _, member in ipairs(model.classes.wend.members) do
    local made = field(member)
    comment(made.comment)
    put("export const %s;", made[1])
  end
  for _, one in ipairs(model.functions) do
    local made = signatures(one, safe(one.name))
    put("")
    comment(made.comment)
    for _, signature in ipairs(made) do put("%sfunction %s;", RESERVED[one.name] and "" or "export ", signature) end
    if RESERVED[one.name] then put("export { %s as %s };", safe(one.name), one.name) end
  end
  indented = ""
  put("}")
  return table.concat(output, "\n") .. "\n"
end
