-- SPDX-License-Identifier: MIT
-- A description of the module for Defold's editor, which completes calls of wend with it: YAML, as
-- https://defold.com/manuals/extensions-script-api says. It has the functions of the module. The editor does not know
-- which object a variable holds, so it cannot complete methods.

-- The types that the format has, by those of the annotations.
local TYPES = { integer = "number", number = "number", string = "string", boolean = "boolean", ["true"] = "boolean",
  ["false"] = "boolean", table = "table", userdata = "table", ["function"] = "function" }
local KINDS = { list = "table", map = "table", fields = "table", fun = "function" }
local ALL = { "table", "string", "boolean", "number", "function" }

--- Collects the types of the format that a type may be.
local function collect(type, aliases, found)
  if type.kind == "union" then
    for _, one in ipairs(type) do collect(one, aliases, found) end
  elseif type.kind == "optional" or type.kind == "group" then
    collect(type.type, aliases, found)
  elseif type.kind == "literal" then
    found[type.text:find "^[\"']" and "string" or "number"] = true
  elseif aliases[type.name] then
    collect(aliases[type.name].type, aliases, found)
  elseif type.name == "any" then
    for _, name in ipairs(ALL) do found[name] = true end
  elseif type.name ~= "nil" then
    found[KINDS[type.kind] or TYPES[type.name] or "table"] = true
  end
  return found
end

--- A text in quotes, as YAML reads it.
local function quoted(text) return '"' .. text:gsub("[\\\"]", "\\%0"):gsub("\n", " ") .. '"' end

local function translate(model)
  local aliases, lines = {}, {}
  for _, alias in ipairs(model.aliases) do aliases[alias.name] = alias end
  local function add(indent, text, ...) lines[#lines + 1] = (" "):rep(indent) .. text:format(...) end
  local function add_type(indent, type)
    local found, names = collect(type, aliases, {}), {}
    for _, name in ipairs(ALL) do
      if found[name] then names[#names + 1] = name end
    end
    add(indent, "type: %s", #names == 1 and names[1] or "[" .. table.concat(names, ", ") .. "]")
  end
  add(0, "# Made from the annotations of wend: do not edit.")
  add(0, "- name: wend")
  add(2, "type: table")
  add(2, "desc: Navigation for games. The module is a global.")
  add(2, "members:")
  for _, one in ipairs(model.functions) do
    add(2, "- name: %s", one.name)
    add(4, "type: function")
    add(4, "desc: %s", quoted(table.concat(one.comment, " ")))
    for i, parameter in ipairs(one.parameters) do
      if i == 1 then add(4, "parameters:") end
      add(4, "- name: %s", quoted(parameter.name))
      add_type(6, parameter.type)
      local about = (parameter.optional and "Optional. " or "") .. (parameter.text or "")
      if about ~= "" then add(6, "desc: %s", quoted((about:gsub(" $", "")))) end
    end
    for i, result in ipairs(one.forms[1].results or {}) do
      if i == 1 then add(4, "returns:") end
      add(4, "- name: %s", quoted("result" .. (i > 1 and i or "")))
      add_type(6, result)
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

return translate
