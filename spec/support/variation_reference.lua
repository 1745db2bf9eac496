-- SPDX-License-Identifier: MIT
-- The factors of `variation`, computed anew: what a step costs more in the world of a seed.
local variation_reference = {}

local floor = math.floor

-- Whole numbers of 64 bits: four parts of 16 bits, the lowest first. No Lua before 5.3 has them.
local XOR = {}
for a = 0, 15 do
  for b = 0, 15 do
    local result, bit = 0, 1
    for _ = 1, 4 do
      if floor(a / bit) % 2 ~= floor(b / bit) % 2 then result = result + bit end
      bit = bit * 2
    end
    XOR[a * 16 + b] = result
  end
end

local function xor(a, b)
  local result = {}
  for i = 1, 4 do
    local x, y, sum, unit = a[i], b[i], 0, 1
    for _ = 1, 4 do
      sum = sum + XOR[x % 16 * 16 + y % 16] * unit
      x, y, unit = floor(x / 16), floor(y / 16), unit * 16
    end
    result[i] = sum
  end
  return result
end

local function add(a, b)
  local result, carry = {}, 0
  for i = 1, 4 do
    local sum = a[i] + b[i] + carry
    result[i], carry = sum % 65536, floor(sum / 65536)
  end
  return result
end

local function multiply(a, b)
  local result, carry = {}, 0
  for i = 1, 4 do
    local sum = carry
    for j = 1, i do sum = sum + a[j] * b[i + 1 - j] end
    result[i], carry = sum % 65536, floor(sum / 65536)
  end
  return result
end

local function shift_right(a, bits)
  local whole, part = floor(bits / 16), 2 ^ (bits % 16)
  local result = {}
  for i = 1, 4 do
    local low, high = a[i + whole] or 0, a[i + whole + 1] or 0
    result[i] = (floor(low / part) + high * (65536 / part)) % 65536
  end
  return result
end

local GOLDEN, FIRST, SECOND = { 0x7c15, 0x7f4a, 0x79b9, 0x9e37 }, { 0xe5b9, 0x1ce4, 0x476d, 0xbf58 },
  { 0x11eb, 0x1331, 0x49bb, 0x94d0 }

local function mix(x)
  x = add(x, GOLDEN)
  x = multiply(xor(x, shift_right(x, 30)), FIRST)
  x = multiply(xor(x, shift_right(x, 27)), SECOND)
  return xor(x, shift_right(x, 31))
end

-- A number > 0 of usual size as a part from 0.5 up to 1, and a power of two. Not every Lua has math.frexp.
local function parts(number)
  local exponent = 0
  while number >= 1 do number, exponent = number / 2, exponent + 1 end
  while number < 0.5 do number, exponent = number * 2, exponent - 1 end
  return number, exponent
end

-- The bits of a double: 0 or a number of usual size.
local function bits_of(number)
  if number == 0 then return { 0, 0, 0, 0 } end
  local part, exponent = parts(math.abs(number))
  local digits = part * 2 ^ 53 - 2 ^ 52
  return { digits % 65536, floor(digits / 65536) % 65536, floor(digits / 2 ^ 32) % 65536,
    floor(digits / 2 ^ 48) + (exponent + 1022) * 16 + (number < 0 and 32768 or 0) }
end

-- From 0 up to 1.
local function unit(x) return floor(x[1] / 2048) * 2 ^ -53 + x[2] * 2 ^ -48 + x[3] * 2 ^ -32 + x[4] * 2 ^ -16 end

local function whole(number)
  return { number % 65536, floor(number / 65536) % 65536, floor(number / 2 ^ 32), 0 }
end

-- A function from a position and the id of an edge to the factor. opts: variation, seed; grid; same: a grid of
-- cells that cost the same; distance: of the trip, nil: of a graph where not all nodes have a position.
function variation_reference.factors(opts)
  local large, drawn, seeds, offset = (opts.distance or 0) / 12, bits_of(opts.seed), {}, {}
  local shares = opts.same and { 1 } or { 0.75, 0.25 }
  if opts.grid then large = math.max(8, math.min(64, large)) end
  local by_edges = large == 0
  for i = 1, 2 do
    drawn = mix(drawn)
    seeds[i] = drawn
  end
  local sizes = {}
  if not by_edges then
    local part, exponent = parts(large)
    large = 2 ^ (part < 0.70710678118654752 and exponent - 1 or exponent)
    sizes = { large, opts.grid and 4 or large / 4 }
    for d = 1, 3 do
      drawn = mix(drawn)
      offset[d] = large * unit(drawn)
      if opts.grid then offset[d] = floor(offset[d]) end
    end
  end
  local known = {}
  return function(position, edge)
    local share = 0
    for i = 1, #shares do
      local key, numbers = { i }, {}
      for d = 1, by_edges and 0 or #position do
        numbers[d] = floor((position[d] + offset[d]) / sizes[i])
        key[#key + 1] = numbers[d]
      end
      key = table.concat(key, " ") .. (by_edges and " " .. edge or "")
      if not known[key] then
        local block = seeds[i]
        if by_edges then block = xor(block, whole(edge)) end
        for _, number in ipairs(numbers) do block = xor(mix(block), bits_of(number)) end
        known[key] = unit(mix(block))
        if opts.same then known[key] = floor(known[key] * 4) / 3 end
      end
      share = share + shares[i] * known[key]
    end
    return 1 + opts.variation * share
  end
end

return variation_reference
