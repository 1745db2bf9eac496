-- SPDX-License-Identifier: MIT
-- For each scene: how many have to arrive; within how many seconds; within how many times the time of the free way
-- (nil: they are sent elsewhere meanwhile); how many degrees one may turn while it stands: to face its way takes up
-- to 180; how many pairs of 100 walkers overlap by over 5 % on the mean (nil: none).
return {
  building = { 24, 29, 1.7, 100 },
  chase = { 37, 75, nil, 280, 0.5 },
  corridor = { 1, 26, 1.6, 100 },
  crossing = { 48, 27, 2, 280, 0.15 },
  doors = { 30, 48, 3, 280, 0.15 },
  escort = { 9, 42, 2, 280, 0.25 },
  game_map = { 498, 240, 2.6, 360 },
  gates = { 20, 21, 1.5, 100 },
  herd = { 40, 31, 2.5, 280, 0.1 },
  junction = { 30, 22, 1.7, 280 },
  melee = { 40, 30, 2.3, 280, 0.1 },
  moor = { 0, 60, nil, 280 },
  ogres = { 40, 200, 3, 360, 0.1 },
  orders = { 0, 60, nil, 280 },
  raid = { 12, 36, nil, 360 },
  room = { 70, 63, 2.9, 280 },
  routes = { 6, 29, 1.3, 100 },
  sizes = { 21, 21, 2, 100 },
  traffic = { 80, 60, 5, 360, 0.3 },
}
