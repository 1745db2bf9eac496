-- SPDX-License-Identifier: MIT
-- wend.trace: numbers and tables as text.

local format = {}

--- A number in Roman numerals, as in the titles of the article.
function format.roman(n)
  local text = ""
  for _, sign in ipairs { { 1000, "m" }, { 900, "cm" }, { 500, "d" }, { 400, "cd" }, { 100, "c" }, { 90, "xc" },
    { 50, "l" }, { 40, "xl" }, { 10, "x" }, { 9, "ix" }, { 5, "v" }, { 4, "iv" }, { 1, "i" } } do
    text = text .. sign[2]:rep(math.floor(n / sign[1]))
    n = n % sign[1]
  end
  return text
end

--- A number as text, without ".0" in every Lua; an empty string for nil.
function format.number(value)
  return value and ("%.14g"):format(value) or ""
end

--- A cell as text; an empty string for nil.
function format.cell(x, y)
  return x and ("(%s,%s)"):format(format.number(x), format.number(y)) or ""
end

--- Formats lines of cells in columns, aligned to the right. Widths are counted in characters of UTF-8.
function format.aligned(lines, separator)
  local widths = {}
  local function width(cell)
    return select(2, cell:gsub("[^\128-\191]", ""))
  end
  for _, cells in ipairs(lines) do
    for i, cell in ipairs(cells) do
      widths[i] = math.max(widths[i] or 0, width(cell))
    end
  end
  local out = {}
  for l, cells in ipairs(lines) do
    local padded = {}
    for i, cell in ipairs(cells) do
      padded[i] = (" "):rep(widths[i] - width(cell)) .. cell
    end
    out[l] = table.concat(padded, separator):gsub("%s+$", "")
  end
  return table.concat(out, "\n")
end

return format
