-- SPDX-License-Identifier: MIT
-- 10,000 followers in each frame, each on its own loop of 20 points; and a minimal one in plain Lua.

local common, graphs = require "common", require "graphs"

local POINTS, FRAME, SPEED = 20, 1 / 60, 60 -- a leg is about 10 long, which takes ten frames

-- A loop like a path of a graph: legs 5 to 15 long, with small turns between them.
local function loop()
  local points, angle, x, y = {}, 2 * math.pi * math.random(), 1000 * math.random(), 1000 * math.random()
  for i = 1, POINTS do
    points[2 * i - 1], points[2 * i] = x, y
    local length = 5 + 10 * math.random()
    angle = angle + 2 * math.pi / POINTS * (0.5 + math.random())
    x, y = x + length * math.cos(angle), y + length * math.sin(angle)
  end
  return points
end

-- A minimal follower of a loop: it stores the lengths of its legs and its position on one of them.
local function plain(points, speed)
  local lengths, count = {}, #points // 2
  for leg = 1, count do
    local next_leg = leg % count + 1
    local dx, dy = points[2 * next_leg - 1] - points[2 * leg - 1], points[2 * next_leg] - points[2 * leg]
    lengths[leg] = math.sqrt(dx * dx + dy * dy)
  end
  return { points = points, lengths = lengths, count = count, speed = speed, leg = 1, at = 0, x = 0, y = 0 }
end

local function update(f, dt)
  local lengths, leg, at = f.lengths, f.leg, f.at + f.speed * dt
  while at >= lengths[leg] do
    at = at - lengths[leg]
    leg = leg % f.count + 1
  end
  f.leg, f.at = leg, at
  local points, next_leg, part = f.points, leg % f.count + 1, at / lengths[leg]
  local x1, y1 = points[2 * leg - 1], points[2 * leg]
  f.x, f.y = x1 + part * (points[2 * next_leg - 1] - x1), y1 + part * (points[2 * next_leg] - y1)
  return f.x, f.y
end

-- Raises unless all followers are where minimal ones on the same (dense) list are after as many frames.
local function agree(name, followers, lists, frames)
  for i, f in ipairs(followers) do
    local other = plain(lists[i], SPEED)
    update(other, frames * FRAME)
    local off = math.sqrt((f.x - other.x) ^ 2 + (f.y - other.y) ^ 2)
    if off > 1e-6 * (1 + math.abs(other.x) + math.abs(other.y)) then
      error(("%s: follower %d is at (%g, %g), the plain one at (%g, %g)"):format(
        name, i, f.x, f.y, other.x, other.y), 0)
    end
  end
end

return {
  name = "followers",
  title = ("Followers on loops of %d points, a frame of 1/60 s"):format(POINTS),
  run = function()
    local wend, count = require "wend", common.quick and 1000 or 10000
    math.randomseed(graphs.seed)
    local loops = {}
    for i = 1, count do loops[i] = loop() end

    local function all(call, followers)
      return function(repeats)
        for _ = 1, repeats or 1 do
          for i = 1, count do call(followers[i], FRAME) end
        end
      end
    end
    local plain_ones, rows, of_plain = {}, {}, math.huge
    for i = 1, count do plain_ones[i] = plain(loops[i], SPEED) end
    local plain_frame = all(update, plain_ones)

    -- One kind after the other, because ten thousand curves take half a gigabyte.
    local function measure(name, frame, made)
      local seconds = common.race { { "plain", plain_frame }, { name, frame } }
      of_plain = math.min(of_plain, seconds.plain)
      rows[#rows + 1] = {
        name, common.round(seconds[name] * 1e3), common.round(seconds[name] / count * 1e9, 0),
        common.round(seconds[name] / seconds.plain), common.round(common.garbage(frame), 0),
        made and common.round(made / count * 1e6, 1) or "-",
      }
    end
    for _, curve in ipairs { "linear", "hermite", "catmull_rom" } do
      local followers, checked, lists = {}, {}, {}
      local options = { speed = SPEED, loop = true, curve = curve }
      collectgarbage()
      local started = os.clock()
      for i = 1, count do followers[i] = wend.follow(loops[i], options) end
      local made = os.clock() - started
      local frame = all(followers[1].update, followers)
      frame(100)
      for i = 1, math.min(count, 500) do
        local list = loops[i]
        if curve ~= "linear" then
          list = wend.curve(list, { curve = curve, loop = true })
          list[#list], list[#list - 1] = nil, nil -- its first point again
        end
        checked[i], lists[i] = followers[i], list
      end
      agree(curve, checked, lists, 100)
      measure(curve, frame, made)
    end
    table.insert(rows, 1, {
      "plain", common.round(of_plain * 1e3), common.round(of_plain / count * 1e9, 0), "1.00",
      common.round(common.garbage(plain_frame), 0), "-",
    })
    common.print_table({
      count .. " followers", "ms a frame", "ns each", "/ plain", "Lua bytes a frame", "making one, µs",
    }, rows)
  end,
}
