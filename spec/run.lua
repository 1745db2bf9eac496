-- SPDX-License-Identifier: MIT
-- Runs busted under whichever Lua runs this file: lua5.4 spec/run.lua [busted's arguments]
require "spec.support.stand_ins"
require "busted.runner" { standalone = false }
