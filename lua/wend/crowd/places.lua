-- SPDX-License-Identifier: MIT
-- The places of crowds and walkers: their list parts, which are internal.

local core = require "wend.core"

return {
  raw = core.crowds(),

  -- Of a walker. src/lua/crowd.c reads the first five.
  HANDLE = 1,
  ID = 2,
  CROWD = 3,
  REASON = 4,     -- why it is lost, a message; false: it is not
  CODE = 5,
  AIM = 6,        -- where it was sent: see plan.lua; false: nowhere
  REQUEST = 7,    -- the request of its plan; false: none is under way
  PLANNED = 8,    -- the step of its last plan
  PLAN_X = 9,     -- where it was then
  PLAN_Y = 10,
  TRIES = 11,     -- how many plans it has got near there
  AGENT = 12,
  COSTS = 13,
  PATH = 14,      -- the path of its last plan; false: it has none
  ORDER = 15,     -- the number of that path: paths of a crowd are numbered in the order in which walkers got them
  ASKS = 16,      -- whether it waits for a way around a jam: see jam.lua
  DETOUR = 17,    -- the request for such a way; false: none is under way
  LISTED = 18,    -- whether it is among those that wait for a new plan, LATER

  -- Of a crowd. The first one is HANDLE.
  WALKERS = 2,    -- by id
  MAP = 3,        -- nil: none
  KIND = 4,       -- "grid", "graph" or false
  QUEUE = 5,
  BUDGET = 6,     -- expansions of its own queue in a step; false: the script works off the queue
  MAX_STEPS = 7,
  BUSY = 8,
  EVENTS = 9,     -- walker, kind, walker, kind, ...: those that are not told yet
  COUNT = 10,     -- how many items that are
  LATER = 11,     -- walkers that wait for a new plan: { walker, step, ..., first =, last = }
  STEPS = 12,     -- that were taken
  WALLS = 13,
  CROWD_COSTS = 14,
  GROUPS = 15,    -- numbers of groups by name, and their count
  SCRATCH = 16,   -- a list for events of the core
  WATCH = 17,     -- the watch of the paths of its walkers; false: the crowd has no map
  OWNERS = 18,    -- walkers by path
  TOUCHED = 19,   -- { into = paths that were touched }
  EDITED = 20,    -- paths that were touched, as a list and as a set: their walkers get new plans after the next step
  KEPT = 21,      -- how many paths walkers have had
  JAM = 22,       -- see jam.lua

  -- Kinds of events: those of the core, and one more.
  ARRIVED = 0,
  STUCK = 1,
  NEEDS_ROUTE = 2,
  SLOW = 3,
  LOST = 4,

  -- Limits.
  STEPS_MOST = 1e6,         -- of max_steps: an update ends, whatever dt is
  GROUPS_MOST = 32,         -- as many as the core has bits
}
