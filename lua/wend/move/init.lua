-- SPDX-License-Identifier: MIT
-- Movement on top of navigation: followers, curves and crowds. Returns a function that adds them to the module wend.

local lazy = require "wend.lazy"
local parts = require "wend.once"

local require = require
local later, get = lazy.later, lazy.modules

get.crowd = function() return require "wend.move.crowd" end
get.curve = function() return require "wend.move.curve" end
get.follow = function() return require "wend.move.follow" end

parts.crowds.reads(later(get.crowd, "decode"))
parts.followers.makes(later(get.follow, "make"))
-- Bytes that claim to be a crowd.
lazy.probes[#lazy.probes + 1] = { options = { "walker", "walls" }, bytes = "WENDC" .. ("\0"):rep(15) }

return function(wend)
  wend.follow = later(get.follow, "follow")
  wend.crowd = later(get.crowd, "new")
  wend.curve = later(get.curve, "curve")
  wend.lerp = later(get.curve, "lerp")
  wend.hermite = later(get.curve, "hermite")
end
