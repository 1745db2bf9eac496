-- SPDX-License-Identifier: MIT
-- require "wend.all": wend, with all modules that are otherwise loaded when they are first used. For hosts whose
-- scripts have no require, or whose files cannot be read later.

local wend = require "wend"
local once = require "wend.once"

for _, load in pairs(once.modules) do load() end

return wend
