-- Mobs that walk over blocks, swim, climb, jump and open doors. Other mods load areas, send walkers and add rules.
walkers = { costs = wend.costs { harm = false } }

-- What a walker takes a node for. Fields of its registration come first: _wend_kind, _wend_tag and _wend_cost.
local function class_of(def)
  local kind = def._wend_kind or def.groups.door and "door" or def.climbable and "ladder"
    or def.liquidtype ~= "none" and "water" or def.walkable and "solid" or "air"
  return { kind = kind, tag = def._wend_tag or def.damage_per_second > 0 and "harm" or nil, cost = def._wend_cost }
end

if core.registered_nodes["doors:hidden"] then core.override_item("doors:hidden", { _wend_kind = "air" }) end
core.register_on_mods_loaded(function()
  local classes = {}
  for id = 0, 32767 do classes[id] = "solid" end -- nodes of mods that have gone, for example
  for name, def in pairs(core.registered_nodes) do classes[core.get_content_id(name)] = class_of(def) end
  walkers.classes = classes
  walkers.surface = wend.surface { classes = classes, jump = 2, swim = true, climb = true, centred = true }
end)

-- Loads the map blocks around two positions, or loads them again, and calls done.
function walkers.load(p1, p2, done)
  core.emerge_area(p1, p2, function(_, _, remaining)
    if remaining > 0 then return end
    local vm = core.get_voxel_manip()
    local from, to = vm:read_from_map(p1, p2)
    walkers.surface:load(from.x, from.y, from.z, to.x - from.x + 1, to.y - from.y + 1, to.z - from.z + 1, vm:get_data())
    if done then done() end
  end)
end

local function seen(pos) -- a position, or a list
  for _, one in ipairs(pos) do seen(one) end
  if not pos.x then return end
  pos = vector.round(pos)
  -- It raises where no block is loaded, and nobody walks there.
  pcall(walkers.surface.changed, walkers.surface, pos.x, pos.y, pos.z, core.get_content_id(core.get_node(pos).name))
end
for _, name in ipairs { "set_node", "add_node", "swap_node", "remove_node", "bulk_set_node" } do
  local original = core[name]
  core[name] = function(pos, ...)
    local result = original(pos, ...)
    seen(pos)
    return result
  end
end
core.register_on_liquid_transformed(seen)

local function use_door(path, i, what)
  if not doors or not path[i] then return end
  local x, y, z = path.map:position(path[i])
  local door = doors.get(vector.new(x, y + 0.5, z))
  if door then door[what](door) end
end

core.register_entity("walkers:walker", {
  initial_properties = { visual = "cube", visual_size = { x = 0.6, y = 1.8 },
    collisionbox = { -0.3, 0, -0.3, 0.3, 1.8, 0.3 } },
  pause = 0,
  on_activate = function(self, saved) self.goal = core.deserialize(saved) end,
  get_staticdata = function(self) return core.serialize(self.goal) end,
  on_step = function(self, dtime)
    self.pause = self.pause - dtime
    if not self.goal or self.pause > 0 then return end
    local path, pos, surface = self.path, self.object:get_pos(), walkers.surface
    if not path or not path:valid() then
      local from, to = surface:at(pos.x, pos.y + 0.25, pos.z), surface:at(self.goal)
      path = from and to and surface.graph:path(from, to, { costs = walkers.costs, agent = self })
      self.path, self.pause = path, path and 0 or 1
      if not path then return end
      self.walk = (self.walk or wend.follow({ pos.x, pos.y, pos.z }, { speed = 4, dimensions = 3 })):go(path)
      function self.walk.on_point(_, i)
        use_door(path, i - 1, "close")
        use_door(path, i + 1, "open")
      end
      use_door(path, 2, "open")
    end
    self.object:move_to(vector.new(self.walk:update(dtime)))
    if self.walk.done then self.goal, self.path = nil, nil end
  end,
})
