-- SPDX-License-Identifier: MIT
-- require "wend.all": wend, with all modules that are otherwise loaded when they are first used. For hosts whose
-- scripts have no require, or whose files cannot be read later.

local wend = require "wend"
require "wend.compare"
require "wend.crowd"
require "wend.curve"
require "wend.file"
require "wend.follow"
require "wend.import.projection"
require "wend.import.tiled"
require "wend.level"
require "wend.paths"
require "wend.queue"
require "wend.svg"
require "wend.text"
require "wend.trace"
require "wend.why"

return wend
