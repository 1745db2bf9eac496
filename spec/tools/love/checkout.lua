-- SPDX-License-Identifier: MIT
-- For programs of LÖVE that run in a checkout: sets where modules are, and ends the program at an error.
-- dofile(CHECKOUT .. "/spec/tools/love/checkout.lua")(CHECKOUT)
-- luacheck: globals love
return function(root)
  package.path = root .. "/lua/?.lua;" .. root .. "/lua/?/init.lua;" .. package.path
  package.cpath = root .. "/build/jit/?.so;" .. package.cpath

  function love.errorhandler(message)
    io.stderr:write(debug.traceback(message), "\n")
    os.exit(1)
  end
end
