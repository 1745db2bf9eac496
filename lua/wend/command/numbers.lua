-- SPDX-License-Identifier: MIT
--- The command wend: converts arguments to numbers, for argparse. Each function returns a number, or nil and a message.

local numbers = {}

--- A whole number >= 1.
function numbers.positive(text)
  local value = tonumber(text)
  if not value or not (value >= 1 and value < 2 ^ 53) or value % 1 ~= 0 then
    return nil, ("expected a whole number >= 1, got '%s'"):format(text)
  end
  return value
end

--- A finite number > 0.
function numbers.distance(text)
  local value = tonumber(text)
  if not value or not (value > 0 and value < math.huge) then
    return nil, ("expected a finite number > 0, got '%s'"):format(text)
  end
  return value
end

return numbers
