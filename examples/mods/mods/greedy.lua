-- Tries to take over the costs of the game and of other mods.
costs:set("road", 0)
