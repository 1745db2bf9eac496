std = "min"            -- what Lua 5.1 to 5.5 and LuaJIT have in common
max_line_length = 120
cache = false
ignore = { "581" }      -- "not (x >= y)" is meant: it holds for NaN too
exclude_files = { "build" }

files["lua/wend/meta.lua"] = { ignore = { "211", "212", "241", "631" } }   -- generated annotations: bodies are empty
files["spec"] = { std = "max+busted" }
files["spec/c"] = { std = "max" }
files["examples"] = { std = "max" }
files["examples/mods/mods"] = { globals = { "mod", "costs" } }
files["examples/mods/updates"] = { globals = { "mod", "costs" } }
files["examples/luanti"] = { globals = { "core", "walkers" }, read_globals = { "wend", "vector", "doors" } }
files["spec/embedding/luanti"] = { read_globals = { "core", "walkers", "wend", "vector", "doors", "PcgRandom" } }
files["playground"] = { std = "max", globals = { "print", "io", "os", "fail" } }
files["bench"] = { std = "max" }
files["spec/c/fail_*.lua"] = { globals = { "attempt", "is_over" } }
files["spec/move/fail_*.lua"] = { globals = { "attempt", "is_over" } }
files["spec/c/fail.lua"] = { std = "max", globals = { "describe", "it", "before_each", "after_each", "pending", "assert" },
  read_globals = { "fail_at", "is_failing", "running", "bytes_in_use" } }
