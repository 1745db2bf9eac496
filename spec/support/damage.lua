-- SPDX-License-Identifier: MIT
-- Texts that are cut off or damaged: what reads them answers 'format', and never raises.

local assert = require "luassert"
local helper = require "spec.support.helper"

local damage = {}

---Asserts that read(text) answers nil, a message and 'format' for the beginnings of a text, up to `last` bytes.
---@param last integer|nil default: all but the last byte
function damage.cut(text, read, last)
  for length = 0, last or #text - 1 do
    local result, message, code = read(text:sub(1, length))
    assert.same({ "nil", "string", "format" }, { type(result), type(message), code }, ("%d bytes"):format(length))
    helper.clean()
  end
end

---Puts something else at random places of a text: any byte, or one of `pieces`, for up to `most` bytes. read answers
---'format', 'io' for a file that this names, or something.
---@param pieces string[]|nil
---@param most integer|nil default: one byte
function damage.bytes(label, rounds, text, read, pieces, most)
  helper.rounds(label, rounds, function(rng)
    local at, byte = rng(#text), string.char(rng(0, 255))
    local with = pieces and rng:chance(0.5) and rng:pick(pieces) or byte
    local rest = text:sub(at + (most and rng(0, most) or 1))
    local ok, result, message, code = pcall(read, text:sub(1, at - 1) .. with .. rest)
    assert.is_true(ok, result)
    assert.truthy(result or code == "format" or code == "io" and most, message)
    helper.clean()
  end)
end

return damage
