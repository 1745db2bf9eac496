-- SPDX-License-Identifier: MIT
-- Compares a rockspec's lists with the files that a build by make uses: rockspec.lua ROCKSPEC FILE...
-- With --write in front, puts the files into the rockspec instead.
local write = arg[1] == "--write"
if write then table.remove(arg, 1) end
local name = arg[1]

local sources, modules = {}, {}
for i = 2, #arg do
  local file = arg[i]
  local module = file:match "^lua/(.*)%.lua$"
  if module then
    module = module:gsub("/", "."):gsub("%.init$", "")
    modules[#modules + 1] = { name = module, file = file }
  else
    sources[#sources + 1] = file
  end
end

if write then
  local handle = assert(io.open(name))
  local text = handle:read "*a"
  handle:close()
  local listed, named = {}, {}
  for _, file in ipairs(sources) do listed[#listed + 1] = ("        %q,\n"):format(file) end
  for _, module in ipairs(modules) do
    local key = module.name:find("%.") and ("[%q]"):format(module.name) or module.name
    named[#named + 1] = ("    %s = %q,\n"):format(key, module.file)
  end
  local function replace(pattern, lines)
    text = text:gsub(pattern, function(before, after) return before .. table.concat(lines) .. after end)
  end
  replace("(\n      sources = {\n).-(      },\n)", listed)
  replace("(\n      defines = [^\n]*\n    },\n).-(  },\n)", named)
  handle = assert(io.open(name, "w"))
  handle:write(text)
  handle:close()
  return
end

local spec = {}
local chunk
if setfenv then
  chunk = assert(loadfile(name))
  setfenv(chunk, spec)
else
  chunk = assert(loadfile(name, "t", spec))
end
chunk()

local failures = 0
local function compare(expected, got, what)
  for item in pairs(expected) do
    if not got[item] then
      failures = failures + 1
      io.stderr:write(("%s: %s lacks %s\n"):format(name, what, item))
    end
  end
  for item in pairs(got) do
    if not expected[item] then
      failures = failures + 1
      io.stderr:write(("%s: %s has %s, which is not there\n"):format(name, what, item))
    end
  end
end

local function set(list)
  local result = {}
  for _, item in ipairs(list) do result[item] = true end
  return result
end

local wanted, listed = {}, {}
for _, module in ipairs(modules) do wanted[module.name .. " = " .. module.file] = true end
for key, value in pairs(spec.build.modules) do
  if type(value) == "string" then listed[key .. " = " .. value] = true end
end
compare(set(sources), set(spec.build.modules["wend.core"].sources), "wend.core")
compare(wanted, listed, "build.modules")
os.exit(failures == 0 and 0 or 1)
