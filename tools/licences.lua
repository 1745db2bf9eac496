-- SPDX-License-Identifier: MIT
-- Writes the list of licences of a release, as SPDX 2.3 in JSON: lua tools/licences.lua VERSION <FILES. The standard
-- input names a file in each line. A file that names another licence than that of the project raises.
--
-- SOURCE_DATE_EPOCH, or else the time of the last commit, is its date: equal files make equal lists.

local LICENCE = "MIT"
local version = assert(arg[1], "usage: lua tools/licences.lua VERSION <FILES")

local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(char) return ("\\u%04x"):format(char:byte()) end) .. '"'
end

---The SHA-1 of files, by name. SPDX asks for it.
local function sums_of(names)
  local list = os.tmpname()
  local file = assert(io.open(list, "wb"))
  file:write(table.concat(names, "\0"), "\0")
  file:close()
  local sums = {}
  for sum, name in output("xargs -0 sha1sum <" .. list):gmatch "(%x+) [ *]([^\n]+)\n" do sums[name] = sum end
  os.remove(list)
  return sums
end

local names = {}
for name in io.lines() do names[#names + 1] = name end
table.sort(names)
local sums = sums_of(names)

local entries, relations, all = {}, {}, {}
for i, name in ipairs(names) do
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  -- In the first lines; what stands further down may be about the files that a program writes.
  local said = text:sub(1, 300):match "SPDX%-License%-Identifier:%s*([%w.%-]+)"
  assert(not said or said == LICENCE, name .. " has another licence: " .. tostring(said))
  all[i] = assert(sums[name], "no sum of " .. name)
  entries[i] = ([[
    { "SPDXID": "SPDXRef-File-%d", "fileName": %s, "licenseConcluded": "%s", "licenseInfoInFiles": ["%s"],
      "checksums": [{ "algorithm": "SHA1", "checksumValue": "%s" }], "copyrightText": "NOASSERTION" }]]):format(i,
    quoted("./" .. name), LICENCE, said or "NOASSERTION", sums[name])
  relations[i] = ([[
    { "spdxElementId": "SPDXRef-Package", "relationshipType": "CONTAINS", "relatedSpdxElement": "SPDXRef-File-%d" }]])
    :format(i)
end

-- The verification code of a package: the SHA-1 of the sorted sums of its files.
table.sort(all)
local joined = os.tmpname()
local file = assert(io.open(joined, "wb"))
file:write(table.concat(all))
file:close()
local code = sums_of({ joined })[joined]
os.remove(joined)

local epoch = tonumber(os.getenv "SOURCE_DATE_EPOCH" or output "git log -1 --format=%ct 2>/dev/null") or 315532800
local about = ([[
{
  "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "wend-%s",
  "documentNamespace": "urn:wend:%s:%s",
  "creationInfo": { "created": "%s", "creators": ["Tool: tools/licences.lua"] },
  "documentDescribes": ["SPDXRef-Package"],
  "packages": [
    { "SPDXID": "SPDXRef-Package", "name": "wend", "versionInfo": "%s", "downloadLocation": "NOASSERTION",
      "packageFileName": "wend-%s.tar.gz", "filesAnalyzed": true,
      "packageVerificationCode": { "packageVerificationCodeValue": "%s" },
      "licenseConcluded": "%s", "licenseDeclared": "%s", "licenseInfoFromFiles": ["%s"],
      "copyrightText": "Copyright (c) the wend authors" }
  ],
  "files": [
]]):format(version, version, code, os.date("!%Y-%m-%dT%H:%M:%SZ", math.floor(epoch)), version, version, code,
  LICENCE, LICENCE, LICENCE)
io.write(about, table.concat(entries, ",\n"), '\n  ],\n  "relationships": [\n', table.concat(relations, ",\n"),
  "\n  ]\n}\n")
