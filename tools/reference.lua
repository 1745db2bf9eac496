-- SPDX-License-Identifier: MIT
-- Makes lua/wend/meta.lua from doc/api/*.md, and the parts of these pages that repeat others: make reference. What it
-- does not understand raises.
--
--   lua tools/reference.lua           writes the files
--   lua tools/reference.lua --check   fails if a file is not what it would write
--
-- It reads three things of a page; the rest is for people only.
--
--   Calls: an indented block, with a line for each form. The paragraph that follows describes it.
--
--       g:path(from: Node, to: Node|Node[], opts?: PathOptions) -> path: Path; fails: no_path, budget, stale
--
--     Types are those of the language server, without "wend.". A longer line continues with two more spaces.
--     `iterator(i: integer, node: integer)` is a result for loops. `x, y` and `x1, y1` (with `z`) also take one value:
--     the forms with `position` or `cell` are made from them. `[, z: number]` before other parameters makes two forms.
--     The object before the colon is in the list OBJECTS.
--
--   Tables of options and fields. Each is a class.
--
--       | option of `PointsOptions` | type | meaning |
--       |---|---|---|
--       | `jitter` | `number` | moves each point at random |
--       | `clear`, `clearance` | `Clear`, `number` | a type for each name, or one for all |
--       | `costs`, `agent` | of `AgentCosts` | all options of other tables. Make reference writes the first cell |
--
--     A later row replaces an earlier one of the same name. An option may be left out, unless its meaning begins with
--     "required:". A field may be nil if a question mark ends its name. "| field of `Path`: `{ [integer]: integer }` |"
--     names a base.
--
--   Types: an item "- `Name = type` meaning". A type `{ a: T, b?: T }` is a class; so is `Other & { a: T }`.

-- The pages, in the order of the index.
local PAGES = { "README", "graph", "grid", "surface", "finding", "path", "search", "check", "costs", "influence",
  "overlay", "field", "routes", "route", "walls", "curve", "follower", "crowd", "queue", "level", "prepared", "files",
  "pictures", "types", "appendix", "command" }

-- The variable of an object in signatures, its class, and how it is made. A module has no class of its own name.
local OBJECTS = {
  { "wend", "wend", 'require "wend"' }, { "g", "Graph", "wend.graph" }, { "grid", "Grid", "wend.grid" },
  { "path", "Path", "g:path" }, { "search", "Search", "g:search" }, { "costs", "Costs", "wend.costs" },
  { "mine", "Mod", "costs:mod" }, { "layer", "Influence", "wend.influence" },
  { "surface", "Surface", "wend.surface" }, { "field", "Field", "g:field" },
  { "routes", "Routes", "g:routes" }, { "walls", "Walls", "wend.walls" }, { "watch", "Watch", "wend.watch" },
  { "f", "Follower", "wend.follow" }, { "crowd", "Crowd", "wend.crowd" }, { "w", "Walker", "crowd:add" },
  { "q", "Queue", "wend.queue" }, { "request", "Request", "q:path" }, { "level", "Level", "wend.level" },
  { "preparation", "Preparation", "g:prepare" }, { "draw", "Love", 'require "wend.love"' },
  { "trace", "Trace", "wend.trace" }, { "step", "TraceStep", "trace[i]" }, { "core", "Core", "wend.core" },
}
local MODULES = { wend = true, core = true, draw = true }

local class_of = {}
for _, object in ipairs(OBJECTS) do class_of[object[1]] = object[2] end

-- Reading ----------------------------------------------------------------------------------------------------------

local function read(name)
  local file = io.open(name, "rb")
  if not file then return nil end
  local text = file:read "*a"
  file:close()
  return text
end

---Splits at a separator outside of brackets and strings.
local function split(text, separator)
  local parts, depth, first, at = {}, 0, 1, 1
  while at <= #text do
    local char = text:sub(at, at)
    if char == '"' then
      at = text:find('"', at + 1, true) or #text
    elseif char:find "[%(%[{<]" then
      depth = depth + 1
    elseif char:find "[%)%]}>]" and text:sub(at - 1, at) ~= "->" then
      depth = depth - 1
    elseif depth == 0 and text:sub(at, at + #separator - 1) == separator then
      parts[#parts + 1] = text:sub(first, at - 1)
      at = at + #separator - 1
      first = at + 1
    end
    at = at + 1
  end
  parts[#parts + 1] = text:sub(first)
  for i = 1, #parts do parts[i] = parts[i]:match "^%s*(.-)%s*$" end
  if #parts == 1 and parts[1] == "" then return {} end
  return parts
end

---"name?: type": a parameter or a field.
local function typed(text)
  local name, optional, type = text:match "^([%a_][%w_]*)(%??):%s*(.+)$"
  if not name then name, optional, type = text:match "^(%.%.%.)(%??):%s*(.+)$" end
  assert(name, "no type: " .. text)
  return { name = name, optional = optional == "?", type = type }
end

local function typed_list(text)
  local list = split(text, ",")
  for i = 1, #list do list[i] = typed(list[i]) end
  return list
end

---A line such as "g:path(from: Node, opts?: PathOptions) -> path: Path; fails: no_path, stale".
local function signature(line)
  local object, separator, name, parameters, rest = line:match "^([%a_]+)([.:])([%a_]+)(%b())%s*(.*)$"
  assert(object, "not a signature: " .. line)
  local class = assert(class_of[object], "no such object: " .. line)
  local found = { object = object, class = class, separator = separator, name = name, line = line,
    key = object .. separator .. name, results = {}, fails = {} }
  -- "[, z: number]" in the middle: a second form has it.
  found.with_z = parameters:find("[, z: number]", 1, true) ~= nil
  found.parameters = typed_list((parameters:gsub("%[, z: number%]", ""):sub(2, -2)))
  local parts = split(rest, ";")
  for i, part in ipairs(parts) do
    local results, fails = part:match "^%->%s*(.+)$", part:match "^fails:%s*(.+)$"
    if results and i == 1 then
      local iterated = results:match "^iterator(%b())$"
      if iterated then
        found.iterates = typed_list(iterated:sub(2, -2))
      else
        for j, result in ipairs(split(results, ",")) do
          local result_name, optional, type = result:match "^([%l.][%w_.]*)(%??):%s+(.+)$"
          found.results[j] = { name = result_name, type = result_name and type .. optional or result }
        end
      end
    elseif fails then
      found.fails = split(fails, ",")
    else
      error("neither results nor fails: " .. part)
    end
  end
  return found
end

---The cells of a line of a table, without the backslashes before bars.
local function cells_of(line)
  local cells = {}
  for cell in line:gsub("\\|", "\1"):gmatch "|([^|]*)" do
    cells[#cells + 1] = cell:gsub("\1", "|"):match "^%s*(.-)%s*$"
  end
  cells[#cells] = nil -- after the last bar
  return cells
end

---What stands between backquotes, with nothing but commas around.
local function quoted(cell)
  local list = {}
  for one in cell:gmatch "`([^`]+)`" do list[#list + 1] = one end
  assert(cell == (#list > 0 and "`" .. table.concat(list, "`, `") .. "`" or ""), "not a list of names: " .. cell)
  return list
end

---A row of a table: { text, groups } or { text, specs }. A spec has a name, a type, and `optional`.
local function row_of(line, noun)
  local cells = cells_of(line)
  assert(#cells == 3, "not a row of three cells: " .. line)
  local row = { text = cells[3] }
  if cells[2]:find "^of `" then
    row.groups = quoted(cells[2]:sub(4))
    return row
  end
  local names, types = quoted(cells[1]), quoted(cells[2])
  assert(#names > 0 and (#types == 1 or #types == #names), "one type, or one for each name: " .. line)
  row.specs = {}
  for i, name in ipairs(names) do
    local plain, mark = name:match "^([%a_][%w_]*)(%??)$"
    assert(plain, "not a name: " .. line)
    local optional = mark == "?"
    if noun == "options" then
      assert(not optional, "options may be left out: " .. line)
      optional = not row.text:find "^required:"
    end
    row.specs[i] = { name = plain, optional = optional, type = types[i] or types[1] }
  end
  return row
end

---A page as a list of parts: { kind = "text", lines }, { kind = "entry", signatures, lines },
---{ kind = "list", name, noun, base, rows, lines }. Lines of other kinds are text.
local function parse(source)
  local lines, parts, at = {}, {}, 1
  for line in (source .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  while lines[#lines] == "" do lines[#lines] = nil end
  local function text(line)
    local part = parts[#parts]
    if not part or part.kind ~= "text" then
      part = { kind = "text", lines = {} }
      parts[#parts + 1] = part
    end
    part.lines[#part.lines + 1] = line
  end
  while at <= #lines do
    local line = lines[at]
    if line:find "^```" then
      repeat
        text(lines[at])
        at = at + 1
      until lines[at]:find "^```$"
      text(lines[at])
      at = at + 1
    elseif line:find "^    %S" then
      local part = { kind = "entry", signatures = {}, lines = {} }
      local whole = {}
      while lines[at] and lines[at]:find "^    " do
        part.lines[#part.lines + 1] = lines[at]
        if lines[at]:find "^      " then
          whole[#whole] = whole[#whole] .. " " .. lines[at]:match "^%s*(.*)$"
        else
          whole[#whole + 1] = lines[at]:sub(5)
        end
        at = at + 1
      end
      for i, one in ipairs(whole) do part.signatures[i] = signature(one) end
      parts[#parts + 1] = part
    elseif line:find "^| option of `" or line:find "^| field of `" then
      local noun, name, base = line:match "^| (%l+) of `(%a+)`(.*) | type | meaning |$"
      assert(name and lines[at + 1] == "|---|---|---|", "not the head of a table: " .. line)
      local part = { kind = "list", name = name, noun = noun .. "s", base = base:match "^: `(.+)`$", rows = {} }
      part.lines = { line, lines[at + 1] }
      at = at + 2
      while lines[at] and lines[at]:find "^|" do
        part.rows[#part.rows + 1] = row_of(lines[at], part.noun)
        part.lines[#part.lines + 1] = lines[at]
        at = at + 1
      end
      parts[#parts + 1] = part
    else
      text(line)
      at = at + 1
    end
  end
  return parts
end

---All pages: { pages, functions in order, by key; classes in order, by name; types in order }.
local function model()
  local all = { pages = {}, functions = {}, classes = {}, types = {}, objects = OBJECTS }
  for _, name in ipairs(PAGES) do
    local file = "doc/api/" .. name .. ".md"
    local source = assert(read(file), "no page " .. file)
    local ok, parts = pcall(parse, source)
    if not ok then error(file .. ": " .. tostring(parts), 0) end
    local page = { name = name, parts = parts }
    all.pages[#all.pages + 1] = page
    local heading
    for i, part in ipairs(parts) do
      if part.kind == "text" then
        local fence = false
        for at, line in ipairs(part.lines) do
          if line:find "^```" then fence = not fence end
          if not fence then
            heading = line:match "^##? (.+)$" or heading
            local type_name, rest = line:match "^%- `(%u%a*) = (.+)$"
            if type_name then
              while part.lines[at + 1] and part.lines[at + 1]:find "^  " do
                at = at + 1
                rest = rest .. " " .. part.lines[at]:match "^%s*(.*)$"
              end
              local type, description = rest:match "^([^`]+)`%s*(.*)$"
              all.types[#all.types + 1] = { name = type_name, type = assert(type, line), text = description }
            end
          end
        end
      elseif part.kind == "entry" then
        -- The description: the paragraph that follows, and one that begins with "Raises".
        local paragraphs, text = {}, parts[i + 1] and parts[i + 1].kind == "text" and parts[i + 1].lines or {}
        for paragraph in (table.concat(text, "\n") .. "\n\n"):gmatch "%s*(.-)\n\n" do
          if paragraph:find "^#" then break end
          if paragraph:find "^%u" and (#paragraphs == 0 or paragraph:find "^Raises") then
            paragraphs[#paragraphs + 1] = (paragraph:gsub("\n", " "))
          end
        end
        for _, one in ipairs(part.signatures) do
          local known = all.functions[one.key]
          if not known then
            known = { key = one.key, forms = {}, page = name, heading = heading, text = table.concat(paragraphs, " ") }
            all.functions[one.key] = known
            all.functions[#all.functions + 1] = known
          end
          for _, form in ipairs(known.forms) do
            assert(form.line ~= one.line, "described twice: " .. one.line)
          end
          known.forms[#known.forms + 1] = one
        end
      else
        assert(not all.classes[part.name], "listed twice: " .. part.name)
        all.classes[part.name] = part
        all.classes[#all.classes + 1] = part
        part.heading, part.page = heading, name
      end
    end
  end
  return all
end

---The fields of a class, those of its groups too: { name, optional, type, text }. A later one replaces an earlier one.
local function fields_of(all, class, into)
  into = into or {}
  for _, row in ipairs(class.rows) do
    for _, group in ipairs(row.groups or {}) do
      fields_of(all, assert(all.classes[group], "no such table: " .. group), into)
    end
    for _, spec in ipairs(row.specs or {}) do
      local field = { name = spec.name, optional = spec.optional, type = spec.type, text = row.text }
      local place = into[spec.name] or #into + 1
      into[place], into[spec.name] = field, place
    end
  end
  return into
end

-- Pages ------------------------------------------------------------------------------------------------------------

local function anchor(heading) return (heading:lower():gsub("[^%w%- _]", ""):gsub(" ", "-")) end

-- A cell lists at most this many names. More are read more slowly than a table of them.
local MOST_NAMES = 8

---The cell of another table: its names where that table is on the same page and they are few, and not named before
---("as ..."); otherwise a link to it.
local function group_cell(all, page, part, row, name)
  local group, names = all.classes[name], {}
  for i, field in ipairs(fields_of(all, group)) do
    names[i] = ("`%s%s`"):format(field.name, part.noun == "fields" and field.optional and "?" or "")
  end
  if #names <= MOST_NAMES and group.page == page.name and not row.text:find "^as " then
    return table.concat(names, ", ")
  end
  return ("[`%s`](%s#%s)"):format(name, group.page == page.name and "" or group.page .. ".md", anchor(group.heading))
end

---The line of a row that takes the options or fields of other tables.
local function group_line(all, page, part, row)
  local cells, names = {}, {}
  for i, name in ipairs(row.groups) do
    cells[i], names[i] = group_cell(all, page, part, row, name), "`" .. name .. "`"
  end
  local list, of = table.concat(cells, ", "), table.concat(names, ", ")
  return ("| %s | of %s | %s |"):format(list, of, row.text:gsub("|", "\\|"))
end

-- The table of all names is between these lines.
local NAMES, NAMES_END = "<!-- names: written by make reference -->", "<!-- the end of the names -->"

---The table of all names, by object.
local function names(all)
  local lines = { "| object | made by | functions |", "|---|---|---|" }
  for _, object in ipairs(OBJECTS) do
    local groups = {}
    for _, one in ipairs(all.functions) do
      if one.forms[1].object == object[1] then
        local target = one.page .. ".md#" .. anchor(one.heading)
        local group = groups[target]
        if not group then
          group = { target = target }
          groups[target], groups[#groups + 1] = group, group
        end
        group[#group + 1] = "`" .. one.forms[1].name .. "`"
      end
    end
    for i, group in ipairs(groups) do groups[i] = ("[%s](%s)"):format(table.concat(group, ", "), group.target) end
    local shown = MODULES[object[1]] and object[1] or object[2]
    lines[#lines + 1] = ("| %s | `%s` | %s |"):format(shown, object[3], table.concat(groups, ", "))
  end
  return lines
end

---The text of a page: as it is, with the names that are made.
local function page_text(all, page)
  local lines, made = {}, false
  for _, part in ipairs(page.parts) do
    for i, line in ipairs(part.lines) do
      local row = part.rows and part.rows[i - 2]
      if line == NAMES_END then made = false end
      if not made then lines[#lines + 1] = row and row.groups and group_line(all, page, part, row) or line end
      if line == NAMES then
        lines[#lines + 1] = "\n" .. table.concat(names(all), "\n") .. "\n"
        made = true
      end
    end
  end
  assert(not made, NAMES_END .. " is missing")
  return table.concat(lines, "\n") .. "\n"
end

-- Annotations ------------------------------------------------------------------------------------------------------

local function qualified(type) return (type:gsub("%f[%w_.\"]%u%w*%f[^%w_]", "wend.%0"):gsub("%s*|%s*", "|")) end

local function plain(text) return (text:gsub("%[([^%]]*)%]%([^)]*%)", "%1"):gsub("%s*<!%-%-.-%-%->", "")) end

---Text as comment lines of at most 120 bytes.
local function comment(text, put)
  local line = "---"
  for word in plain(text):gmatch "%S+" do
    if #line + 1 + #word > 120 then
      put(line)
      line = "---"
    end
    line = line .. " " .. word
  end
  if line ~= "---" then put(line) end
end

---Parameters where coordinates are one value: x, y[, z] and x1, y1 become one. nil: there are none.
local function as_places(parameters)
  local list, found, i = {}, false, 1
  while parameters[i] do
    local digit = parameters[i].name:match "^x(%d?)$"
    local pair = digit and parameters[i + 1] and parameters[i + 1].name == "y" .. digit
    if pair then
      local names_of = { [""] = parameters[i].type == "integer" and "cell" or "position", ["1"] = "from", ["2"] = "to" }
      list[#list + 1] = { name = names_of[digit], type = "XY", optional = parameters[i].optional }
      i = i + (parameters[i + 2] and parameters[i + 2].name == "z" and 3 or 2)
      found = true
    else
      list[#list + 1] = parameters[i]
      i = i + 1
    end
  end
  return found and list or nil
end

---The types of the results, with those of a failure: nil, a message, a code.
local function result_types(form)
  if form.iterates then
    local types = {}
    for i, one in ipairs(form.iterates) do types[i] = qualified(one.type) end
    return { { type = "fun(): " .. table.concat(types, ", ") } }
  end
  local list = {}
  for i, one in ipairs(form.results) do list[i] = { type = qualified(one.type), name = one.name } end
  if #form.fails == 0 then return list end
  local codes = {}
  for i, code in ipairs(form.fails) do codes[i] = '"' .. code .. '"' end
  local failure = { "nil", "string|nil", table.concat(codes, "|") .. "|nil" }
  for i, type in ipairs(failure) do
    local one = list[i]
    if not one then
      list[i] = { type = type, name = i == 2 and "message" or "code" }
    elseif i == 1 then
      if not (one.type:find "%?$" or one.type:find "|nil$") then one.type = one.type .. "|nil" end
    else
      one.type = one.type:gsub("%?$", "") .. "|" .. type
    end
  end
  return list
end

local function parameter_text(parameters)
  local list = {}
  for i, one in ipairs(parameters) do
    list[i] = ("%s%s: %s"):format(one.name, one.optional and "?" or "", qualified(one.type))
  end
  return list
end

local function annotated_function(one, put)
  local main = one.forms[1]
  comment(one.text, put)
  for _, parameter in ipairs(main.parameters) do
    put(("---@param %s%s %s"):format(parameter.name, parameter.optional and "?" or "", qualified(parameter.type)))
  end
  for _, result in ipairs(result_types(main)) do
    put("---@return " .. result.type .. (result.name and " " .. result.name or ""))
  end
  local seen = { [table.concat(parameter_text(main.parameters), ", ")] = true }
  local function overload(form, parameters)
    local list = parameter_text(parameters)
    local key = table.concat(list, ", ")
    if seen[key] then return end
    seen[key] = true
    if main.separator == ":" then table.insert(list, 1, "self: wend." .. main.class) end
    local types = {}
    for i, result in ipairs(result_types(form)) do types[i] = result.type end
    local results = #types > 0 and ": " .. table.concat(types, ", ") or ""
    put(("---@overload fun(%s)%s"):format(table.concat(list, ", "), results))
  end
  for i, form in ipairs(one.forms) do
    if i > 1 then overload(form, form.parameters) end
    if form.with_z then
      local parameters = {}
      for _, parameter in ipairs(form.parameters) do
        parameters[#parameters + 1] = parameter
        if parameter.name == "y" then parameters[#parameters + 1] = { name = "z", type = "number" } end
      end
      overload(form, parameters)
    end
    local places = as_places(form.parameters)
    if places then overload(form, places) end
  end
  local list = {}
  for i, parameter in ipairs(main.parameters) do list[i] = parameter.name end
  put(("function %s%s%s(%s) end"):format(MODULES[main.object] and main.object or main.class, main.separator, main.name,
    table.concat(list, ", ")))
  put ""
end

---A type "{ a: T, ... }", after " & " also with bases, as a class; nil: another type.
local function struct(all, type)
  local found = { fields = {} }
  for _, part in ipairs(split(type, "&")) do
    if part:find "^{ %[" then
      found.base = part
    elseif part:find "^{.*}$" and not part:find "^{.*}.*[{|]" then
      for _, field in ipairs(typed_list(part:sub(2, -2))) do
        found.fields[#found.fields + 1], found.is_class = field, true
      end
    elseif part:find "^%a+$" and all.classes[part] then
      for _, field in ipairs(fields_of(all, all.classes[part])) do found.fields[#found.fields + 1] = field end
      found.is_class = true
    elseif part:find "^%a+$" and all.structs[part] then
      for _, field in ipairs(all.structs[part].fields) do found.fields[#found.fields + 1] = field end
      found.is_class = true
    else
      return nil
    end
  end
  local last, unique = {}, {}
  for _, field in ipairs(found.fields) do
    local place = last[field.name] or #unique + 1
    unique[place], last[field.name] = field, place
  end
  found.fields = unique
  return found.is_class and found or nil
end

local function annotations(all)
  local lines = {}
  local function put(line) lines[#lines + 1] = line end
  put "---@meta wend"
  put "-- SPDX-License-Identifier: MIT"
  put "-- Generated from doc/api/*.md; edit those, and run make reference."
  put "-- The public interface, as annotations for the Lua language server. No program loads this file."
  put ""
  local function fields(list)
    for _, field in ipairs(list) do
      local text = field.text and field.text ~= "" and " " .. plain(field.text) or ""
      put(("---@field %s%s %s%s"):format(field.name, field.optional and "?" or "", qualified(field.type), text))
    end
  end
  all.structs = {}
  for _, one in ipairs(all.types) do
    comment(one.text, put)
    local found = struct(all, one.type)
    if found then
      all.structs[one.name] = found
      put("---@class wend." .. one.name .. (found.base and ": " .. qualified(found.base) or ""))
      fields(found.fields)
    else
      put(("---@alias wend.%s %s"):format(one.name, qualified(one.type)))
    end
    put ""
  end
  local is_object = {}
  for _, object in ipairs(OBJECTS) do
    local class = all.classes[object[2]]
    is_object[object[2]] = true
    local base = class and class.base and ": " .. qualified(class.base) or ""
    put("---@class " .. (object[2] == "wend" and "" or "wend.") .. object[2] .. base)
    if class then fields(fields_of(all, class)) end
    put(("local %s = {}"):format(MODULES[object[1]] and object[1] or object[2]))
    put ""
  end
  for _, class in ipairs(all.classes) do
    if not is_object[class.name] then
      put("---@class wend." .. class.name .. (class.base and ": " .. qualified(class.base) or ""))
      fields(fields_of(all, class))
      put ""
    end
  end
  for _, one in ipairs(all.functions) do annotated_function(one, put) end
  put "return wend"
  local text, declared = table.concat(lines, "\n") .. "\n", {}
  for kind, name in text:gmatch "\n%-%-%-@(%l+) wend%.(%u%a*)" do
    declared[name] = declared[name] or kind == "class" or kind == "alias"
  end
  for line in text:gmatch "\n%-%-%-@[^\n]*" do
    for name in line:gmatch "wend%.(%u%a*)" do assert(declared[name], "no such type: " .. name) end
  end
  return text
end

-- The program ------------------------------------------------------------------------------------------------------

---The generated files: a list of { name, text }.
local function files(all)
  local list = { { "lua/wend/meta.lua", annotations(all) } }
  for _, page in ipairs(all.pages) do
    list[#list + 1] = { "doc/api/" .. page.name .. ".md", page_text(all, page) }
  end
  return list
end

if ... == "tools.reference" then return { model = model, files = files, fields_of = fields_of } end

local check, differ = ... == "--check", false
for _, one in ipairs(files(model())) do
  local name, text = one[1], one[2]
  if read(name) ~= text then
    if check then
      io.stderr:write(name, " is out of date: make reference\n")
      differ = true
    else
      local file = assert(io.open(name, "wb"))
      file:write(text)
      file:close()
    end
  end
end
if differ then os.exit(1) end
