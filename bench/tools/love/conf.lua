-- SPDX-License-Identifier: MIT
-- luacheck: globals love
function love.conf(t)
  t.window.width, t.window.height, t.window.vsync = 960, 540, 0
  for _, module in ipairs { "audio", "sound", "physics", "joystick", "touch", "video" } do t.modules[module] = false end
end
