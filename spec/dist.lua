-- SPDX-License-Identifier: MIT
-- What a release consists of, apart from its source archive: the rockspec and the rock with the sources.
--
--   lua spec/dist.lua rockspec DEV ARCHIVE URL      prints the rockspec of the release, made from that of a checkout
--   lua spec/dist.lua rock ROCKSPEC ARCHIVE         prints the .src.rock
--
-- A .src.rock is a zip file that holds the rockspec and the archive. Both are stored as they are and without a time, so
-- that equal files make equal rocks. Needs Lua 5.3.

local dist = {}

---The version of wend: of the text of wend.h.
function dist.version(header)
  return assert(header:match '\n#define WEND_VERSION "(%d+%.%d+%.%d+)"\n', "wend.h names no version")
end

---The rockspec of a release.
---@param dev string the text of the rockspec of a checkout
---@param version string
---@param url string where the archive is; a bare name: beside the rockspec
---@param md5 string|nil of the archive; LuaRocks compares it
---@return string
function dist.rockspec(dev, version, url, md5)
  local text, count = dev:gsub('\nversion = "dev%-1"\n', ('\nversion = "%s-1"\n'):format(version))
  assert(count == 1, "the rockspec of a checkout has the version dev-1")
  text, count = text:gsub("\n%-%- For a checkout[^\n]*\nsource = {\n.-\n}\n", function()
    return ("\nsource = {\n  url = %q,\n%s}\n"):format(url, md5 and ("  md5 = %q,\n"):format(md5) or "")
  end)
  assert(count == 1, "the rockspec of a checkout names its source")
  return text
end

-- The checksum of zip files, a byte at a time: CRC-32 with the polynomial 0xedb88320.
local function crc(bytes)
  local rest_of = {}
  for i = 0, 255 do
    local rest = i
    for _ = 1, 8 do
      rest = rest // 2 ~ (rest % 2 == 1 and 0xedb88320 or 0)
    end
    rest_of[i] = rest
  end
  local sum = 0xffffffff
  for i = 1, #bytes do sum = sum >> 8 ~ rest_of[(sum ~ bytes:byte(i)) & 255] end
  return sum ~ 0xffffffff
end

---A zip file whose entries are stored, not packed.
---@param entries table[] { name, bytes }
---@return string
function dist.zip(entries)
  local files, directory, at = {}, {}, 0
  for i, entry in ipairs(entries) do
    local name, bytes = entry[1], entry[2]
    -- version 2.0, no flags, stored; 1980-01-01 00:00; checksum, packed size, size, length of the name, no extra field
    local fields = string.pack("<I2I2I2I2I2I4I4I4I2I2", 20, 0, 0, 0, 33, crc(bytes), #bytes, #bytes, #name, 0)
    files[i] = "PK\3\4" .. fields .. name .. bytes
    -- made by Unix; no comment, disk 0, no attributes inside; outside: a file that all may read; where the entry begins
    directory[i] = "PK\1\2" .. string.pack("<I2", 3 << 8 | 20) .. fields
      .. string.pack("<I2I2I2I4I4", 0, 0, 0, 0x81a4 << 16, at) .. name
    at = at + #files[i]
  end
  local listed = table.concat(directory)
  return table.concat(files) .. listed
    .. "PK\5\6" .. string.pack("<I2I2I2I2I4I4I2", 0, 0, #entries, #entries, #listed, at, 0)
end

local function read(name)
  local handle = assert(io.open(name, "rb"))
  local text = handle:read "*a"
  handle:close()
  return text
end

local function base_name(path) return path:match "[^/]*$" end

if arg and arg[0] and base_name(arg[0]) == "dist.lua" then
  local what, file, archive, url = arg[1], arg[2], arg[3], arg[4]
  if what == "rockspec" then
    local pipe = assert(io.popen(("md5sum '%s' 2>/dev/null || md5 -q '%s'"):format(archive, archive)))
    local md5 = assert(pipe:read "*a":match "^%x+", "neither md5sum nor md5 is here")
    pipe:close()
    io.write(dist.rockspec(read(file), dist.version(read "src/wend.h"), url, md5))
  elseif what == "rock" then
    io.write(dist.zip { { base_name(file), read(file) }, { base_name(archive), read(archive) } })
  else
    io.stderr:write "usage: dist.lua rockspec DEV ARCHIVE URL | rock ROCKSPEC ARCHIVE\n"
    os.exit(2)
  end
end

return dist
