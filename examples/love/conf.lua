-- SPDX-License-Identifier: MIT
-- luacheck: globals love
function love.conf(t)
  t.identity = "wend-fen"
  t.version = "11.4"
  t.window.title = "wend: a fen"
  t.window.width, t.window.height = 960, 540
  t.window.resizable, t.window.minwidth, t.window.minheight = true, 480, 270
  t.window.msaa = 4
  for _, module in ipairs { "audio", "sound", "physics", "joystick", "touch", "video" } do
    t.modules[module] = false
  end
end
