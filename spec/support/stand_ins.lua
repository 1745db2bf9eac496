-- SPDX-License-Identifier: MIT
-- Lets busted run under a Lua that it was not installed for: Lua 5.5, or a Lua in a folder. Does nothing where busted
-- is complete.
--
-- The Lua files of busted and of what it needs are taken from where another Lua finds them. Three modules in C are
-- replaced by Lua code that does what busted asks of them: lfs, system and term.

local function has(name) return (pcall(require, name)) end
if has "lfs" and has "system" and has "term" and has "busted" then return end

-- Where Lua files are -------------------------------------------------------------------------------------------------

local own = _VERSION:match "%d%.%d"
for _, version in ipairs { own, "5.4", "5.3", "5.2", "5.1" } do
  for _, root in ipairs { "/usr/local/share/lua/", "/usr/share/lua/" } do
    package.path = ("%s;%s%s/?.lua;%s%s/?/init.lua"):format(package.path, root, version, root, version)
  end
end

-- Lua 5.5 makes the variables of a loop constant, and some files of Penlight assign to them. In such a file each loop
-- copies its variables into locals, on the same line.
if _VERSION >= "Lua 5.5" then
  table.insert(package.searchers, 2, function(name)
    local file = package.searchpath(name, package.path)
    if not file then return nil end
    local _, problem = loadfile(file)
    if not (problem and problem:find("assign to const variable", 1, true)) then return nil end
    local handle = assert(io.open(file))
    local text = handle:read "*a"
    handle:close()
    text = text:gsub("(for%s+([%w_, ]-)%s+in [^\n]- do)(%s)", "%1 local %2 = %2%3")
    return assert(load(text, "@" .. file)), file
  end)
end

-- Modules in C --------------------------------------------------------------------------------------------------------

local function stand_in(name, make)
  if has(name) then return end
  package.loaded[name] = nil
  package.preload[name] = make
end

stand_in("system", function()
  return { gettime = os.time, monotime = os.clock, sleep = function() end }
end)

stand_in("term", function()
  return { isatty = function() return false end, colors = {} }
end)

-- How busted looks at files: whether a name is a file or a folder, and what is in a folder.
stand_in("lfs", function()
  local function attributes(name, what)
    local mode
    local handle, problem, code = io.open(name, "rb")
    if handle then
      local _, read_problem = handle:read(1)
      mode = read_problem and "directory" or "file"
      handle:close()
    else
      return nil, problem, code
    end
    if what then return what == "mode" and mode or nil end
    return { mode = mode }
  end

  local function output(command)
    local pipe = assert(io.popen(command))
    local lines = {}
    for line in pipe:lines() do lines[#lines + 1] = line end
    pipe:close()
    return lines
  end

  local lfs = { attributes = attributes, symlinkattributes = attributes }

  function lfs.currentdir() return output "pwd"[1] end

  -- Only to where we are: Lua cannot change the folder.
  function lfs.chdir(name)
    if name == "." or name == "./" or name == lfs.currentdir() then return true end
    return nil, "run the specs from the root of the checkout"
  end

  function lfs.dir(name)
    local names, i = output(("ls -a '%s'"):format(name)), 0
    return function()
      i = i + 1
      return names[i]
    end
  end

  return lfs
end)
