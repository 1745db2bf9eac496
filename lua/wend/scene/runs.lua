-- SPDX-License-Identifier: MIT

--- Calls draw(first, last, look, more) for each run of equal places in a row.
-- @param look_of function (at): one or two values by which places are equal; nil: nothing is drawn there
local function runs(from, to, look_of, draw)
  local first, look, more = from, nil, nil
  for at = from, to + 1 do
    local next_look, next_more
    if at <= to then next_look, next_more = look_of(at) end
    if next_look ~= look or next_more ~= more then
      if look ~= nil then draw(first, at - 1, look, more) end
      first, look, more = at, next_look, next_more
    end
  end
end

return runs
