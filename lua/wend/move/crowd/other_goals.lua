-- SPDX-License-Identifier: MIT
-- Orders with goals that change, such as the jobs that are left: whether a walker may keep the goal that it has.

local check = require "wend.check"
local plan = require "wend.move.crowd.plan"
local search = require "wend.move.crowd.search"

local native = plan.native
local other_goals = {}

--- Whether an order with `ends` has other goals than the last one of a walker, and is the same otherwise.
local function has_other_goals(walker, order)
  local last, ends = walker._order, order.ends
  if not (last and last.ends) or last.failed then return false end
  local given = ends.goals
  ends.goals = last.ends.goals
  local differs = plan.differs(walker, order)
  ends.goals = given
  return not differs
end

--- Whether a walker stands at, or goes to, a place where an order with `ends` may end.
local function ends_there(walker, order)
  local map, state = walker._crowd._map, walker.state
  if state ~= "arrived" and state ~= "moving" then return false end
  local x, y = map:cell_at(walker.goal_x, walker.goal_y)
  local view = search.view(walker)
  local ends = x and search.ends_of(walker, view, order)
  if not ends then return false end
  local options = plan.with_costs(walker, { closed_goal = order.closed_goal, max_cost = 0, max_expanded = 1 })
  for _, name in ipairs(search.ENDS) do options[name] = ends[name] end
  local path = check.call(view.map.path, view.map, x, y, ends.goals, options)
  return path ~= nil and #path == 2             -- x and y: no step
end

--- Whether a walker is on the cell to which it goes.
local function is_there(walker)
  local map = walker._crowd._map
  local x, y = map:cell_at(plan.at(walker))
  local goal_x, goal_y = map:cell_at(walker.goal_x, walker.goal_y)
  return x == goal_x and y == goal_y
end

--- Takes an order that has other goals than the last one of a walker, such as the jobs that are left, if the walker may
-- stay or go on. If it is on its way, it looks for a better goal as it goes.
-- @return whether it has
function other_goals.takes_over(walker, order)
  if not (order.ends and has_other_goals(walker, order) and ends_there(walker, order)) then return false end
  walker._order = order
  if not is_there(walker) then native.touch(walker._handle, walker._id) end
  return true
end

return other_goals
