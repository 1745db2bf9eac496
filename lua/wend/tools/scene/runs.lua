-- SPDX-License-Identifier: MIT

--- Calls draw(first, last, row, look, more) for each run of equal places in a row.
-- @param row a number, which both functions get
-- @param look_of function (at, row): one or two values by which places are equal; nil: nothing is drawn there
local function runs(row, from, to, look_of, draw)
  local first, look, more = from, nil, nil
  for at = from, to + 1 do
    local next_look, next_more
    if at <= to then next_look, next_more = look_of(at, row) end
    if next_look ~= look or next_more ~= more then
      if look ~= nil then draw(first, at - 1, row, look, more) end
      first, look, more = at, next_look, next_more
    end
  end
end

return runs
