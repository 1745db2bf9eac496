-- SPDX-License-Identifier: MIT
-- Checks that nothing in the core rounds differently from machine to machine: lua spec/floats.lua FILE...
-- FILE: the sources of the core. CC_LIST: compilers to try, "gcc clang" by default; one that is missing is named.
--
--   1  every file that mentions double includes core/base/floats.h (most by way of core/base/bits.h) and says
--      WEND_NO_FUSING
--   2  no compiler makes a fused multiply-add of it, whatever the flags; x86-64 and 64-bit ARM only
--   3  a compiler that keeps doubles in wider registers refuses; x86-64 only

local problems, notes = {}, {}

local function problem(...) problems[#problems + 1] = string.format(...) end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function without_comments(text) return (text:gsub("/%*.-%*/", " ")) end

-- Whether a source includes a header, by way of others too.
local function includes(path, wanted, seen)
  for name in read(path):gmatch '#include "([%w_/.]+)"' do
    if name == wanted then return true end
    if not seen[name] then
      seen[name] = true
      if includes("src/" .. name, wanted, seen) then return true end
    end
  end
  return false
end

local function run(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local function word_of(text, word) return (" " .. text .. " "):find("[^%w_]" .. word .. "[^%w_]") ~= nil end

local checked = 0
for _, path in ipairs(arg) do
  local text = without_comments(read(path))
  if word_of(text, "double") then
    checked = checked + 1
    if not includes(path, "core/base/floats.h", {}) then
      problem("%s: must include core/base/floats.h, or core/base/bits.h", path)
    end
    if not text:find("\nWEND_NO_FUSING\n", 1, true) then
      problem("%s: must say WEND_NO_FUSING after its includes: it mentions double", path)
    end
  end
end

-- What a compiler for this machine does by itself. clang's "fast" would ignore the pragma, and is never the default.
local MACHINES = {
  x86_64 = { flags = "-mfma", fused = { "vfn?madd", "vfnmadd", "vfmsub", "vfnmsub", "vfmadd" } },
  aarch64 = { flags = "", fused = { "fmadd", "fmsub", "fnmadd", "fnmsub", "fmla", "fmls" } },
}
-- gcc fuses where it optimizes. clang's front end does, at any level.
local CONTRACT = { gcc = "-O2 -ffp-contract=fast", clang = "-O0 -ffp-contract=on" }
local machine = MACHINES[run("uname -m"):match "%S+"]

for cc in (os.getenv "CC_LIST" or "gcc clang"):gmatch "%S+" do
  local kind = run(cc .. " --version"):find("clang", 1, true) and "clang" or "gcc"
  if not machine then
    notes[#notes + 1] = "no list of fused instructions for this machine: only the sources were checked"
    break
  elseif run("command -v " .. cc) == "" then
    notes[#notes + 1] = cc .. " is not installed"
  else
    for _, path in ipairs(arg) do
      local assembly = run(("%s -DNDEBUG -Isrc %s %s -S -o - %s"):format(cc, machine.flags,
        CONTRACT[kind], path))
      if not assembly:find(".text", 1, true) then problem("%s: %s does not compile it:\n%s", path, cc, assembly) end
      for _, fused in ipairs(machine.fused) do
        local line = assembly:match("\n%s+(" .. fused .. "[%w]*[^\n]*)")
        if line then
          problem("%s: %s makes a fused multiply-add of it: %s", path, cc, (line:gsub("%s+", " ")))
          break
        end
      end
    end
    if machine == MACHINES.x86_64 and kind == "gcc" then
      local refusal = run(cc .. " -mfpmath=387 -Isrc -fsyntax-only src/core/map/histogram.c")
      if not refusal:find("-mfpmath=sse", 1, true) then
        problem("core/base/floats.h: x87 must be refused, got: %s", refusal)
      end
    end
    local refusal = run(cc .. " -O2 -ffast-math -Isrc -fsyntax-only src/core/map/histogram.c")
    if not refusal:find("without -ffast-math", 1, true) then
      problem("core/base/floats.h: -ffast-math must be refused by %s, got: %s", cc, refusal)
    end
  end
end

for _, note in ipairs(notes) do print("note: " .. note) end
for _, text in ipairs(problems) do io.stderr:write(text, "\n") end
if checked == 0 then io.stderr:write "no file that mentions double was given\n" end
print(("%d files checked, %d problems"):format(checked, #problems))
os.exit(#problems == 0 and checked > 0)
