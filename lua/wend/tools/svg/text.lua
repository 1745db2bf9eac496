-- SPDX-License-Identifier: MIT
-- wend.svg: templates and text for the document.

local format = require "wend.format"

local text = {}

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")  -- 5.1 has the second, later ones the first

--- Fills in a template.
-- @param template a string with a %s for each value
-- @param ... strings, used as they are, and numbers, which are formatted
function text.fill(template, ...)
  local values, count = { ... }, select("#", ...)
  for i = 1, count do
    if type(values[i]) == "number" then values[i] = format.decimals(values[i]) end
  end
  return template:format(unpack(values, 1, count))
end

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&apos;" }
local UNKNOWN = "\239\191\189" -- U+FFFD
-- Patterns of the characters that both UTF-8 and XML allow.
local CHARACTERS = {
  "^[\9\10\32-\126]",
  "^[\194-\223][\128-\191]",
  "^\224[\160-\191][\128-\191]",
  "^[\225-\236\238][\128-\191][\128-\191]",
  "^\237[\128-\159][\128-\191]",
  "^\239[\128-\190][\128-\191]",
  "^\239\191[\128-\189]",
  "^\240[\144-\191][\128-\191][\128-\191]",
  "^[\241-\243][\128-\191][\128-\191][\128-\191]",
  "^\244[\128-\143][\128-\191][\128-\191]",
}

--- The valid character that begins at a byte; nil: there is none.
local function character_at(name, at)
  for _, pattern in ipairs(CHARACTERS) do
    local character = name:match(pattern, at)
    if character then return character end
  end
end

--- Escapes a name for XML. Each byte that is not part of a valid character becomes U+FFFD.
function text.escaped(name)
  if name:find "[%z\1-\31\127-\255]" then
    local parts, at = {}, 1
    while at <= #name do
      local character = character_at(name, at)
      parts[#parts + 1] = character or UNKNOWN
      at = at + (character and #character or 1)
    end
    name = table.concat(parts)
  end
  return (name:gsub("[&<>\"']", ENTITIES))
end

--- The approximate width in pixels of a text in UTF-8, with letters of this size.
function text.width(line, size)
  return format.width(line) * size * 0.58
end

return text
