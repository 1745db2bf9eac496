-- SPDX-License-Identifier: MIT
-- Says at the end of a run which specs were skipped, and why: a line for each reason. Loaded by busted (.busted).
-- A run over files that have no spec at all fails; specs that the options leave out count as specs here.
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

-- In front of the filters of busted, which subscribe before the run begins and stop what they leave out.
local count = 0
busted.subscribe({ "suite", "start" }, function()
  for _, kind in ipairs { "it", "pending", "describe" } do
    busted.subscribe({ "register", kind }, function(name)
      if kind ~= "describe" or tostring(name):find "#" then count = count + 1 end
      return nil, true
    end, { priority = 1 })
  end
  return nil, true
end)

busted.subscribe({ "exit" }, function()
  io.stdout:flush()                                     -- what the specs printed comes first
  for _, reason in ipairs(order) do
    io.stderr:write(("skipped: %d %s: %s\n"):format(counts[reason], counts[reason] == 1 and "spec" or "specs", reason))
  end
  if count == 0 then
    io.stderr:write "there is no spec here\n"
    os.exit(1, true)
  end
  return nil, true
end)
