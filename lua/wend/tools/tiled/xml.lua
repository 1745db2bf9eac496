-- SPDX-License-Identifier: MIT
--- Parses XML (W3C, Extensible Markup Language 1.0) as programs write data in it: elements, attributes, text, CDATA and
--- comments. Entities other than the five of XML and characters by number are refused. So is anything that is not
--- well-formed. The time is linear in the length of the text, also where it is damaged: maps come from anybody.

local check = require "wend.check"
local foreign = require "wend.tools.tiled.foreign"

local xml = {}

local DEPTH_MAX = 100               -- nested elements
local SHOWN_MAX = 40                -- bytes of the text in a message

local ENTITIES = { lt = "<", gt = ">", amp = "&", quot = '"', apos = "'" }
local ENCODINGS = { ["utf-8"] = true, ["us-ascii"] = true }
local ASIDES = { -- what is skipped: how it begins, as a pattern; how it ends; its name for messages
  { "^<!%-%-", "-->", "a comment" }, { "^<%?", "?>", "a processing instruction" },
  { "^<!DOCTYPE[^<>%[]*>", ">", "a document type" },
}

---Parses a text. Returns its outermost element: { tag =, attributes = by name, text =, and the elements in it }. A
---defect is a failure with the code "format".
---@param place string the file, for messages; or ""
function xml.parse(text, place)
  local at, root = 1, nil
  local open = {}                                     -- the elements that have not ended yet, the outermost first
  local pieces = {}                                   -- the texts of each of them, as a list

  local function fail(...) foreign.bad_at(place, text, at, ...) end

  --- The beginning of a piece of the text, for messages.
  local function beginning(piece)
    return (piece:sub(1, SHOWN_MAX):gsub("[%c\128-\255]", "?"))
  end

  local function shown(from)
    local piece = text:sub(from, from + SHOWN_MAX - 1):match "^[^\r\n]*"
    return piece == "" and "the end" or check.describe(beginning(piece))
  end

  --- Replaces entities.
  local function plain(raw)
    if not raw:find("&", 1, true) then return raw end
    return (raw:gsub("&([^;&]*)(;?)", function(name, stop)
      local code = tonumber(name:match "^#x(%x%x?%x?%x?%x?%x?)$" or name:match "^#(%d%d?%d?%d?%d?%d?%d?)$" or "",
        name:find "^#x" and 16 or 10)
      local character = code and foreign.utf8(code) or ENTITIES[name]
      if not character or stop == "" then fail("unknown entity &%s", beginning(name)) end
      return character
    end))
  end

  --- The position after a mark. `what` has no end without it.
  local function after(mark, from, what)
    local _, stop = text:find(mark, from, true)
    if not stop then fail("%s without an end", what) end
    return stop + 1
  end

  --- Skips what is no element and no text. false: none is here.
  local function skip_aside()
    for _, aside in ipairs(ASIDES) do
      if text:find(aside[1], at) then
        at = after(aside[2], at + 2, aside[3])
        return true
      end
    end
    return false
  end

  local function end_element()
    local tag, next_at = text:match("^</([%w_:.-]+)%s*>()", at)
    local element = open[#open]
    if not element then fail("expected an element, got %s", shown(at)) end
    if tag ~= element.tag then fail("expected </%s>, got %s", beginning(element.tag), shown(at)) end
    element.text = table.concat(pieces[#open])
    open[#open], pieces[#open], at = nil, nil, next_at
  end

  local function begin_element()
    local tag, next_at = text:match("^<([%a_][%w_:.-]*)()", at)
    if not tag or not open[1] and root then
      fail("expected %s, got %s", root and not open[1] and "the end" or "an element", shown(at))
    end
    if #open >= DEPTH_MAX then fail("elements nested more than %d deep", DEPTH_MAX) end
    local element = { tag = tag, attributes = {}, text = "" }
    at = next_at
    local name, quote, first = text:match("^%s+([%a_][%w_:.-]*)%s*=%s*([\"'])()", at)
    while name do
      next_at = after(quote, first, "a value in quotes")
      if element.attributes[name] then fail("two attributes %s", beginning(name)) end
      element.attributes[name] = plain(text:sub(first, next_at - 2))
      at = next_at
      name, quote, first = text:match("^%s+([%a_][%w_:.-]*)%s*=%s*([\"'])()", at)
    end
    local slash
    slash, next_at = text:match("^%s*(/?)>()", at)
    if not slash then fail("expected an attribute or '>', got %s", shown(at)) end
    at, root = next_at, root or element
    if open[1] then table.insert(open[#open], element) end
    if slash == "" then open[#open + 1], pieces[#open + 1] = element, {} end
  end

  local encoding = text:match "^[\239\187\191]*<%?xml%s[^<>]-encoding%s*=%s*[\"']([%w_.-]+)"
  if encoding and not ENCODINGS[encoding:lower()] then
    fail("the encoding is %s, expected UTF-8", check.describe(encoding))
  end
  if text:sub(1, 3) == "\239\187\191" then at = 4 end
  while at <= #text do
    local start = text:find("<", at, true) or #text + 1
    if start > at then
      if open[1] then
        table.insert(pieces[#open], plain(text:sub(at, start - 1)))
      else
        at = math.min(text:find("%S", at) or start, start)
        if at < start then fail("expected an element, got %s", shown(at)) end
      end
      at = start
    elseif text:find("^<!%[CDATA%[", at) and open[1] then
      local stop = after("]]>", at, "CDATA")
      table.insert(pieces[#open], text:sub(at + 9, stop - 4))
      at = stop
    elseif text:find("^</", at) then
      end_element()
    elseif not skip_aside() then
      begin_element()
    end
  end
  if open[1] then fail("expected </%s>, got the end", beginning(open[#open].tag)) end
  return root or fail "expected an element, got the end"
end

return xml
