-- SPDX-License-Identifier: MIT
-- Runs spec files side by side, each in a process of its own, and prints one summary:
--   lua spec/all.lua [busted's options] FILE|FOLDER...
-- WEND_JOBS says how many processes run at a time; without it, as many as there are processors. WEND_SEED is the same
-- for all of them. The summary has busted's form. It is followed by the failures in full and by what was skipped. The
-- exit status is 0 if every file ran to its end, has at least one spec, and no spec failed.
-- One file alone, and options that are not about the choice of specs (-o TAP, --list), go to busted as they are.

-- The files that take longest, longest first: they start first. The others follow by size.
local LONGEST = {
  "spec/random/grid_spec.lua", "spec/move/random/crowd_spec.lua", "spec/determinism_spec.lua",
  "spec/random/body_spec.lua", "spec/move/random/crowd_fit_spec.lua", "spec/random/landmarks_spec.lua",
  "spec/move/scenes_spec.lua", "spec/random/prepared_spec.lua", "spec/random/terrain_spec.lua",
  "spec/validity_spec.lua", "spec/random/field_spec.lua", "spec/random/search_spec.lua",
  "spec/random/promises_spec.lua", "spec/project/docs_spec.lua", "spec/move/crowd_chase_spec.lua",
  "spec/random/reach_spec.lua",
}
-- Options that choose specs. They may be given to each file on its own.
local CHOOSES = { ["exclude-tags"] = true, tags = true, filter = true, ["filter-out"] = true, ["--verbose"] = true }

-- busted's closing line: "12 successes / 0 failures / 0 errors / 1 pending : 0.1 seconds"
local CLOSING = "^(%d+) success%a* / (%d+) failures? / (%d+) errors? / (%d+) pending : "

-- What a process says that found no spec in its file.
local EMPTY = "there is no spec here"

-- How much of a broken file's output is shown.
local LINES_MAX = 40

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- What a command prints.
local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local function read(name)
  local handle = io.open(name, "rb")
  if not handle then return "" end
  local text = handle:read "*a"
  handle:close()
  return text
end

local function write(name, text)
  local handle = assert(io.open(name, "wb"))
  assert(handle:write(text))
  handle:close()
end

-- The lines of a text, whether or not the last one is ended.
local function lines(text) return (text .. "\n"):gsub("\n\n$", "\n"):gmatch "([^\n]*)\n" end

local function interpreter()
  local at = 0
  while arg[at - 1] do at = at - 1 end
  return arg[at]
end

-- What was asked for -----------------------------------------------------------------------------------------------

-- A tree may lack the libraries on top of navigation. Then their folders of specs are left out, those of the whole
-- project, and specs with their tags.
local absent = {}
for _, library in ipairs { "move", "tools" } do
  if read(("lua/wend/%s/init.lua"):format(library)) == "" then absent[#absent + 1] = library end
end

local function is_absent(file)
  if #absent > 0 and (file:find "spec/project/" or file:find "spec/windows/") then return true end
  for _, library in ipairs(absent) do
    if file:find(("spec/%s/"):format(library), 1, true) then return true end
  end
end

local options, files, simple = {}, {}, true
for _, word in ipairs(arg) do
  if word:find "^%-" then
    options[#options + 1] = word
    simple = simple and CHOOSES[word:match "^%-%-([%a-]+)=" or word] or false
  elseif simple then
    for file in lines(output(("if test -d %s; then find %s -name '*_spec.lua'; else echo %s; fi")
      :format(quoted(word), quoted(word), quoted(word)))) do
      if not is_absent(file) then files[#files + 1] = file end
    end
  end
end

if #absent > 0 then
  local tags = table.concat(absent, ",")
  for i, option in ipairs(options) do
    local others = option:match "^%-%-exclude%-tags=(.*)"
    if others then tags, options[i] = others .. "," .. tags, nil end
  end
  options[#options + 1] = "--exclude-tags=" .. tags
end

if not simple or #files == 1 then
  table.insert(arg, 1, "--ignore-lua")      -- the Lua that runs this file, not the one that .busted names
  arg[0] = "spec/run.lua" -- luacheck: ignore
  dofile "spec/run.lua"
  os.exit(0)                                -- where a spec fails, busted has exited
end
if #files == 0 then
  io.stderr:write "no spec files\n"
  os.exit(1)
end

local rank, size = {}, {}
for i, file in ipairs(LONGEST) do rank[file] = i end
for _, file in ipairs(files) do size[file] = #read(file) end
table.sort(files, function(a, b)
  local first, second = rank[a] or math.huge, rank[b] or math.huge
  if first ~= second then return first < second end
  if size[a] ~= size[b] then return size[a] > size[b] end
  return a < b
end)

-- The run ----------------------------------------------------------------------------------------------------------

local jobs = tonumber(os.getenv "WEND_JOBS")
  or tonumber(output "nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null") or 1
local seed = os.getenv "WEND_SEED" or tostring(os.time() % 1000000)
io.stderr:write(("WEND_SEED=%s\n"):format(seed))

local folder = output "mktemp -d":match "[^\n]+"
local function part(i, what) return ("%s/%d.%s"):format(folder, i, what) end

-- A shell script for each file. It ends with status 0 whatever happens to busted, or xargs would stop.
local scripts = {}
for i, option in ipairs(options) do options[i] = quoted(option) end
for i, file in ipairs(files) do
  local command = ("WEND_SEED=%s %s spec/run.lua --ignore-lua %s -o plainTerminal %s")
    :format(quoted(seed), quoted(interpreter()), table.concat(options, " "), quoted(file))
  write(part(i, "sh"), ("{ %s\n} >%s 2>%s </dev/null\necho $? >%s\necho %d\n")
    :format(command, quoted(part(i, "out")), quoted(part(i, "err")), quoted(part(i, "status")), i))
  scripts[i] = part(i, "sh")
end

local total = { good = 0, failures = 0, errors = 0, pending = 0 }
local reports = {}                          -- of files that failed
local reasons, skipped = {}, {}             -- why specs were skipped, in the order in which it was met; how many

-- The first lines of a text.
local function head(text)
  local kept = {}
  for line in lines(text) do
    if #kept == LINES_MAX then
      kept[#kept + 1] = "..."
      break
    end
    kept[#kept + 1] = line
  end
  return table.concat(kept, "\n")
end

-- What a process wrote to its error stream, without what is collected from all of them; and whether it found no spec.
local function errors_of(i)
  local kept, empty = {}, false
  for line in lines(read(part(i, "err"))) do
    empty = empty or line == EMPTY
    local many, reason = line:match "^skipped: (%d+) specs?: (.*)"
    if many then
      if not skipped[reason] then reasons[#reasons + 1] = reason end
      skipped[reason] = (skipped[reason] or 0) + tonumber(many)
    elseif not line:find "^WEND_SEED=" and line ~= EMPTY then
      kept[#kept + 1] = line
    end
  end
  return table.concat(kept, "\n"), empty
end

-- Takes the result of one file.
local function take(i)
  local file, out = files[i], read(part(i, "out"))
  local err, empty = errors_of(i)
  local status = tonumber(read(part(i, "status")))
  local good, failures, errors, pending, rest -- by busted's closing line, the last of them
  for line, after in ("\n" .. out):gmatch "\n([%d][^\n]*)()" do
    local a, b, c, d = line:match(CLOSING)
    if a then
      good, failures, errors, pending = tonumber(a), tonumber(b), tonumber(c), tonumber(d)
      rest = out:sub(after)
    end
  end

  local wrong, details
  if not good then
    wrong = not status and "the process was not started, or its shell was killed"
      or status > 128 and ("the process was killed by signal %d"):format(status - 128)
      or ("the process ended with status %d before the specs were over"):format(status)
    details = head(err) .. "\n" .. out:sub(-300)
    good, failures, errors, pending = 0, 0, 0, 0
  elseif failures + errors > 0 then
    local start = ("\n" .. rest):find "\nFailure %-> " or math.huge
    start = math.min(start, ("\n" .. rest):find "\nError %-> " or math.huge)
    details = rest:sub(start == math.huge and 1 or start) .. head(err)
  elseif status ~= 0 then
    wrong = empty and EMPTY or "its specs passed, and yet the process ended with status " .. tostring(status)
    details = head(err)
  end

  total.good, total.failures = total.good + good, total.failures + failures
  total.errors, total.pending = total.errors + errors + (wrong and 1 or 0), total.pending + pending
  if wrong then details = ("Error -> %s\n%s\n%s"):format(file, wrong, details) end
  if details then reports[#reports + 1] = details end
  local seconds = out:match("\n%d[^\n]* pending : ([%d.]+) seconds") or "?"
  print(("%-7s %s: %s (%.1f s)"):format(details and "FAILED" or "ok", file,
    wrong or ("%d specs"):format(good + failures + errors + pending), tonumber(seconds) or 0))
  if not details and err ~= "" then print(err) end
  io.stdout:flush()
end

local started = os.time()
write(folder .. "/list", table.concat(scripts, "\n") .. "\n")
local pipe = assert(io.popen(("xargs -n 1 -P %d sh <%s"):format(jobs, quoted(folder .. "/list"))))
local taken = {}
for line in pipe:lines() do
  local i = tonumber(line)
  if i and not taken[i] then
    taken[i] = true
    take(i)
  end
end
pipe:close()
for i in ipairs(files) do
  if not taken[i] then take(i) end          -- its shell was killed, or xargs was
end
os.execute("rm -rf " .. quoted(folder))

-- The summary ------------------------------------------------------------------------------------------------------

print(("%d %s / %d %s / %d %s / %d pending : %.1f seconds"):format(
  total.good, total.good == 1 and "success" or "successes",
  total.failures, total.failures == 1 and "failure" or "failures",
  total.errors, total.errors == 1 and "error" or "errors",
  total.pending, os.time() - started))
for _, report in ipairs(reports) do print("\n" .. report:gsub("%s+$", "")) end
io.stdout:flush()
for _, reason in ipairs(reasons) do
  io.stderr:write(("skipped: %d %s: %s\n"):format(skipped[reason], skipped[reason] == 1 and "spec" or "specs", reason))
end
os.exit(total.failures + total.errors == 0 and 0 or 1)
