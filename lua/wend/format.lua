-- SPDX-License-Identifier: MIT
-- Numbers and columns as text. Every Lua writes the same bytes, in every locale.

local format = {}

--- Formats a number with this many significant digits; default 14.
function format.number(value, digits)
  if digits then
    value = value * (1 + 1e-13) -- no ties, such as 0.125 in 2 digits: LuaJIT rounds them up, others to the even digit
  end
  return (("%." .. (digits or 14) .. "g"):format(value):gsub(",", "."))
end

--- Formats a number so that it reads back as the same double.
function format.exact(value)
  local short = ("%.15g"):format(value)
  return ((tonumber(short) == value and short or ("%.17g"):format(value)):gsub(",", "."))
end

--- Formats a number with at most so many decimals; default 2.
function format.decimals(value, most)
  local digits = ("%." .. (most or 2) .. "f"):format(value * (1 + 1e-13)):gsub(",", "."):gsub("%.?0+$", "")
  return digits == "-0" and "0" or digits
end

--- An amount and a noun: "1 node", "2 nodes".
function format.count(amount, noun)
  return ("%.0f %s%s"):format(amount, noun, amount == 1 and "" or "s")
end

--- A node: "'gate' (1)", or "1" if it has no name.
function format.node(node, name)
  return name and ("'%s' (%.0f)"):format(name, node) or ("%.0f"):format(node)
end

--- A cell: "(3,4)".
function format.cell(x, y)
  return ("(%d,%d)"):format(x, y)
end

--- The number of characters of a text in UTF-8: its width in a column.
function format.width(text)
  return select(2, text:gsub("[^\128-\191]", ""))
end

--- Formats rows of texts in columns, each as wide as its longest text.
-- @param right whether texts are aligned to the right
-- @return a list of lines
function format.columns(rows, separator, right)
  local widths, lines = {}, {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do
      widths[i] = math.max(widths[i] or 0, format.width(cell))
    end
  end
  for r, row in ipairs(rows) do
    local padded = {}
    for i, cell in ipairs(row) do
      local space = (" "):rep(widths[i] - format.width(cell))
      padded[i] = right and space .. cell or cell .. space
    end
    lines[r] = table.concat(padded, separator):gsub("%s+$", "")
  end
  return lines
end

return format
