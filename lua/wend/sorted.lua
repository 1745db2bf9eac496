-- SPDX-License-Identifier: MIT

--- The keys of a loop, such as pairs(values), as a sorted list.
local function sorted(...)
  local list = {}
  for key in ... do list[#list + 1] = key end
  table.sort(list)
  return list
end

return sorted
