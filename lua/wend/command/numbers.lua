-- SPDX-License-Identifier: MIT
--- The command wend: converts arguments to numbers, for argparse. Each function returns a number, or nil and a message.

local check = require "wend.check"

local function reader(wanted, holds)
  return function(text)
    local value = tonumber(text)
    if value and holds(value) then return value end
    return nil, ("expected %s, got '%s'"):format(wanted, text)
  end
end

return {
  positive = reader("a whole number >= 1", function(value) return check.is_whole(value, 1, 2 ^ 53 - 1) end),
  distance = reader(check.LENGTH.be, check.LENGTH.holds),
}
