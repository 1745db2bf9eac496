-- SPDX-License-Identifier: MIT
-- The screen of the game, for its checks.
--   local screen = require "screen" (game, folder)
--   screen.draw(name)      draws a frame; with a name, it is also written to folder/name.png
--   screen.pictures        how many were written
-- luacheck: globals love
return function(game, folder)
  local screen = { pictures = 0 }

  function screen.draw(name)
    love.graphics.origin()
    love.graphics.clear()
    game.draw()
    if name then
      love.graphics.captureScreenshot(function(image)
        local file = assert(io.open(folder .. "/" .. name .. ".png", "wb"))
        file:write(image:encode("png"):getString())
        file:close()
        screen.pictures = screen.pictures + 1
      end)
    end
    love.graphics.present()
  end

  return screen
end
