-- SPDX-License-Identifier: MIT
-- Says at the end of a run which specs were skipped, and why: a line for each reason. Loaded by busted (.busted).
local busted = require "busted"

local reasons, counts, order = {}, {}, {}

busted.subscribe({ "pending" }, function(element, _, message)
  reasons[tostring(element)] = type(message) == "string" and message:gsub("^[^\n:]*:%-?%d+: ", "") or nil
  return nil, true
end)

busted.subscribe({ "test", "end" }, function(element, _, status)
  if status == "pending" then
    local reason = reasons[tostring(element)] or "no reason given: " .. tostring(element.name)
    if not counts[reason] then order[#order + 1] = reason end
    counts[reason] = (counts[reason] or 0) + 1
  end
  return nil, true
end)

busted.subscribe({ "exit" }, function()
  io.stdout:flush()                                     -- what the specs printed comes first
  for _, reason in ipairs(order) do
    io.stderr:write(("skipped: %d %s: %s\n"):format(counts[reason], counts[reason] == 1 and "spec" or "specs", reason))
  end
  return nil, true
end)
