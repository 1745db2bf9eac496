-- Another mod: nodes that cost walkers more, and a rule of its own.
core.register_node("toll:mud", { description = "Mud", groups = { crumbly = 3 }, _wend_cost = 4, _wend_tag = "mud" })
core.register_node("toll:plank", { description = "Toll bridge", groups = { choppy = 3 }, _wend_tag = "toll" })
walkers.costs:rule("toll", "toll", function(agent) return agent and agent.purse and 1 or false end)
