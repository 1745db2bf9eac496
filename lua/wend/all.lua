-- SPDX-License-Identifier: MIT
-- require "wend.all": wend, with all modules that are otherwise loaded when they are first used. For hosts whose
-- scripts have no require, or whose files cannot be read later.

local wend = require "wend"
local lazy = require "wend.lazy"

for _, load in pairs(lazy.modules) do load() end

return wend
