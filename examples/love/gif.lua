-- SPDX-License-Identifier: MIT
-- Writes an animation: a GIF with one palette for all pictures. Pixels that stay as they were are transparent.
--   local gif = require "gif" (image, 8, { "#e0563f" })  the first picture gives the palette, with these colours in it
--                                                        too; 8 hundredths of a second for each picture
--   gif:add(image)                               images have equal sizes
--   local bytes = gif:finish()
local COLOURS = 254 -- one more is transparent

local methods = {}
methods.__index = methods

--- The bytes of a number, the low one first.
local function short(n) return string.char(n % 256, math.floor(n / 256)) end

--- The colour of a pixel in 4 bits for each channel, or 5 for green: the number of a box of colours.
local function box_of(r, g, b)
  return math.floor(r * 15.99) * 512 + math.floor(g * 31.99) * 16 + math.floor(b * 15.99)
end

--- Some colours, and those of the boxes with the most pixels.
local function palette_of(image, wanted)
  local sums, order, palette = {}, {}, {}
  for i, hex in ipairs(wanted) do
    local function part(at) return tonumber(hex:sub(at, at + 1), 16) / 255 end
    palette[i] = { part(2), part(4), part(6) }
  end
  for y = 0, image:getHeight() - 1 do
    for x = 0, image:getWidth() - 1 do
      local r, g, b = image:getPixel(x, y)
      local box = box_of(r, g, b)
      local sum = sums[box]
      if not sum then
        sum = { 0, 0, 0, 0, box }
        sums[box], order[#order + 1] = sum, sum
      end
      sum[1], sum[2], sum[3], sum[4] = sum[1] + r, sum[2] + g, sum[3] + b, sum[4] + 1
    end
  end
  table.sort(order, function(a, b) return a[4] > b[4] or a[4] == b[4] and a[5] < b[5] end)
  for i = 1, math.min(COLOURS - #wanted, #order) do
    local sum = order[i]
    palette[#wanted + i] = { sum[1] / sum[4], sum[2] / sum[4], sum[3] / sum[4] }
  end
  return palette
end

--- The index of the nearest colour of the palette; each box has one.
local function nearest(self, r, g, b)
  local box = box_of(r, g, b)
  local found = self.boxes[box]
  if not found then
    local least = math.huge
    for i, colour in ipairs(self.palette) do
      local distance = (colour[1] - r) ^ 2 + (colour[2] - g) ^ 2 + (colour[3] - b) ^ 2
      if distance < least then least, found = distance, i - 1 end
    end
    self.boxes[box] = found
  end
  return found
end

--- Compresses indexes by LZW, as GIF wants it: codes of 9 to 12 bits, low bits first, in blocks of 255 bytes.
local function compress(indexes)
  local out, bits, filled = {}, 0, 0
  local width, last, codes = 9, 257, {}
  local function put(code)
    bits, filled = bits + code * 2 ^ filled, filled + width
    while filled >= 8 do
      out[#out + 1] = string.char(bits % 256)
      bits, filled = math.floor(bits / 256), filled - 8
    end
  end
  put(256)
  local code = indexes[1]
  for i = 2, #indexes do
    local index = indexes[i]
    local longer = codes[code * 256 + index]
    if longer then
      code = longer
    else
      put(code)
      last = last + 1
      codes[code * 256 + index] = last
      if last == 2 ^ width then width = width + 1 end
      if last == 4095 then
        width = 12
        put(256)
        width, last, codes = 9, 257, {}
      end
      code = index
    end
  end
  put(code)
  last = last + 1
  if last == 2 ^ width and width < 12 then width = width + 1 end
  put(257)
  if filled > 0 then out[#out + 1] = string.char(bits % 256) end
  local bytes, blocks = table.concat(out), {}
  for i = 1, #bytes, 255 do
    local block = bytes:sub(i, i + 254)
    blocks[#blocks + 1] = string.char(#block) .. block
  end
  return string.char(8) .. table.concat(blocks) .. "\0"
end

function methods:add(image)
  local wide, high, old, indexes = image:getWidth(), image:getHeight(), self.old, {}
  for y = 0, high - 1 do
    for x = 0, wide - 1 do
      local index, at = nearest(self, image:getPixel(x, y)), y * wide + x + 1
      indexes[at] = index == old[at] and COLOURS or index
      old[at] = index
    end
  end
  self[#self + 1] = "!\249\4\5" .. short(self.delay) .. string.char(COLOURS) .. "\0," .. short(0) .. short(0)
    .. short(wide) .. short(high) .. "\0" .. compress(indexes)
end

function methods:finish()
  self[#self + 1] = ";"
  return table.concat(self)
end

return function(image, delay, colours_too)
  local self = setmetatable({ palette = palette_of(image, colours_too), boxes = {}, old = {}, delay = delay }, methods)
  local colours = {}
  for i = 1, 256 do
    local colour = self.palette[i] or { 0, 0, 0 }
    colours[i] = string.char(math.floor(colour[1] * 255 + 0.5), math.floor(colour[2] * 255 + 0.5),
      math.floor(colour[3] * 255 + 0.5))
  end
  self[1] = "GIF89a" .. short(image:getWidth()) .. short(image:getHeight()) .. "\247\0\0" .. table.concat(colours)
    .. "!\255\11NETSCAPE2.0\3\1" .. short(0) .. "\0"
  return self
end
