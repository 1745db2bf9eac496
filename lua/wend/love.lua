-- SPDX-License-Identifier: MIT
-- require "wend.love": drawing in LÖVE. The module is lua/wend/tools/love; this is the name by which games know it.

return require "wend.tools.love"
