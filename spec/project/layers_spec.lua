-- SPDX-License-Identifier: MIT
-- spec/layers.lua finds what it is there to find, in small trees made for it.

local helper = require "spec.support.helper"

local interpreter, shell = helper.interpreter, helper.shell

local CC = os.getenv "CC" or "cc"
local has_tools = shell(("command -v %s && command -v nm"):format(CC)) == 0

-- A tree without findings. A spec changes some of its files.
local GOOD = {
  ["src/wend.h"] = "void wend_make(void);\n",
  ["src/core/base/memory.h"] = '#include "wend.h"\n#include <stddef.h>\nvoid wend_grow(void);\n',
  ["src/core/base/memory.c"] = '#include "core/base/memory.h"\nvoid wend_grow(void) {}\n',
  ["src/core/map/graph.h"] = '#include "core/base/memory.h"\n',
  ["src/core/map/graph.c"] =
    '#include "core/map/graph.h"\n#include "pack.inl"\nvoid wend_make(void) { wend_grow(); }\n',
  ["src/core/map/pack.inl"] = '#include "core/base/memory.h"\n',
  ["src/core/search/kernel.c"] = '/* #include "core/codec/file.h" */\n#include "core/map/graph.h"\nint wend_kernel;\n',
  ["src/core/codec/file.h"] = "",
  ["src/core/graph.o"] = "left by LuaRocks",
  ["src/lua/lwend.h"] = '#include "wend.h"\nvoid lwend_check(void);\nvoid lwend_open(void);\n',
  ["src/lua/check.c"] = '#include "lwend.h"\n#include <string.h>\nvoid lwend_check(void) { wend_make(); }\n',
  ["src/lua/graph.c"] = '#include "lwend.h"\nvoid lwend_open(void) { lwend_check(); }\n',
  ["lua/wend/init.lua"] = 'local a = require "wend.check"\nlocal core = require("wend.core")\nreturn { a, core }\n',
  ["lua/wend/check.lua"] = '-- require "wend"\nreturn { not_required = "require", require_all = 1 }\n',
  ["lua/wend/tools/svg/init.lua"] = 'local ok, a = pcall(require, "wend.check")\nreturn ok and a\n',
}

-- Writes files into a tree and compiles those that are C.
local function write(folder, files)
  local commands = {}
  for path in pairs(files) do
    local parent = path:match "^(.*)/"
    commands[#commands + 1] = ("mkdir -p '%s/%s' '%s/o/%s'"):format(folder, parent, folder, parent)
  end
  assert.equal(0, (shell(table.concat(commands, " && "))))
  commands = { "true" }
  for path, text in pairs(files) do
    local file = assert(io.open(folder .. "/" .. path, "wb"))
    file:write(text)
    file:close()
    if path:find "%.c$" then
      commands[#commands + 1] = ("%s -I'%s/src' -c -o '%s/o/%s' '%s/%s'"):format(CC, folder, folder,
        path:gsub("c$", "o"), folder, path)
    end
  end
  assert.same({ 0, "" }, { shell(table.concat(commands, " && ")) })
end

local good

-- Runs the check on that tree with some files changed: what it prints, and whether it finds nothing.
local function check(changes)
  if not good then
    good = os.tmpname()
    os.remove(good)
    write(good, GOOD)
  end
  local folder = good .. ".changed"
  assert.equal(0, (shell(("rm -rf '%s' && cp -R '%s' '%s'"):format(folder, good, folder))))
  write(folder, changes)
  local status, text = shell(("'%s' spec/layers.lua '%s' '%s/o'"):format(interpreter(), folder, folder))
  return text, status == 0
end

local function finds(expected, changes)
  local text, content = check(changes)
  assert.is_false(content)
  assert.truthy(text:find(expected, 1, true), ("expected %q, got\n%s"):format(expected, text))
end

describe("the check of the layers", function()
  teardown(function()
    if good then shell(("rm -rf '%s' '%s.changed'"):format(good, good)) end
  end)

  local function it_with_tools(name, body)
    it(name .. " #slow", function()
      if not has_tools then return pending "no C compiler or no nm here" end
      body()
    end)
  end

  it_with_tools("finds nothing in a tree without fault", function()
    local text, content = check {}
    assert.same({ "14 files checked, 0 findings\n", true }, { text, content })
  end)

  it_with_tools("finds an include of a higher folder", function()
    finds("upward: src/core/base/memory.c -> src/core/codec/file.h: includes core/codec/file.h at "
      .. "src/core/base/memory.c:2", {
      ["src/core/base/memory.c"] = 'void wend_grow(void) {}\n#include "core/codec/file.h"\n',
    })
  end)

  it_with_tools("finds an include of a higher folder in an .inl file", function()
    finds("upward: src/core/map/graph.c -> src/core/codec/file.h: includes core/codec/file.h at "
      .. "src/core/map/pack.inl:1", {
      ["src/core/map/pack.inl"] = '#include "core/codec/file.h"\n#include "core/base/memory.h"\n',
    })
  end)

  it_with_tools("finds a symbol of a higher folder", function()
    finds("upward: src/core/map/graph.c -> src/core/search/kernel.c: needs wend_kernel", {
      ["src/core/map/graph.c"] = "extern int wend_kernel;\nvoid wend_make(void) { wend_kernel++; }\n",
    })
  end)

  it_with_tools("finds a symbol of the binding in the core", function()
    finds("upward: src/core/map/graph.c -> src/lua/graph.c: needs lwend_open", {
      ["src/core/map/graph.c"] = "void lwend_open(void);\nvoid wend_make(void) { lwend_open(); }\n",
    })
  end)

  it_with_tools("finds a circle by symbols within a folder", function()
    finds([[
circle of 2: src/core/map/graph, src/core/map/nearest
  src/core/map/graph -> src/core/map/nearest: needs wend_near
  src/core/map/nearest -> src/core/map/graph: needs wend_make
]], {
      ["src/core/map/graph.c"] = "void wend_near(void);\nvoid wend_make(void) { wend_near(); }\n",
      ["src/core/map/nearest.c"] = '#include "wend.h"\nvoid wend_near(void) { wend_make(); }\n',
    })
  end)

  it_with_tools("finds a circle of includes, and one through a header and a symbol", function()
    finds([[
circle of 3: src/core/base/a, src/core/base/b, src/core/base/c
  src/core/base/a -> src/core/base/b: includes core/base/b.h at src/core/base/a.h:2
  src/core/base/b -> src/core/base/c: needs wend_c
  src/core/base/c -> src/core/base/a: includes a.h at src/core/base/c.h:1
]], {
      ["src/core/base/a.h"] = '#pragma once\n#include "core/base/b.h"\n',
      ["src/core/base/b.h"] = "#pragma once\n",
      ["src/core/base/b.c"] = "void wend_c(void);\nvoid wend_b(void) { wend_c(); }\n",
      ["src/core/base/c.h"] = '#include "a.h"\n',
      ["src/core/base/c.c"] = "void wend_c(void) {}\n",
    })
  end)

  it_with_tools("finds a core that knows of Lua", function()
    finds("src/core/codec/file.h:1: the core includes a header of Lua: lua.h", {
      ["src/core/codec/file.h"] = "#include <lua.h>\n",
    })
    finds("src/wend.h:1: the core includes a header of Lua: lauxlib.h", {
      ["src/wend.h"] = '#include "lauxlib.h"\nvoid wend_make(void);\n',
    })
    finds("src/core/codec/file.h:1: the core includes a file of the binding: lua/lwend.h", {
      ["src/core/codec/file.h"] = '#include "lua/lwend.h"\n',
    })
  end)

  it_with_tools("finds a binding that passes wend.h by", function()
    finds("src/lua/graph.c:1: the binding includes a header other than wend.h and its own: core/base/memory.h", {
      ["src/lua/graph.c"] = '#include "core/base/memory.h"\n',
    })
    finds("src/lua/graph.c: needs wend_grow of src/core/base/memory.c, which wend.h does not declare", {
      ["src/lua/graph.c"] = "void wend_grow(void);\nvoid lwend_open(void) { wend_grow(); }\n",
    })
    finds("src/lua/graph.c:1: the binding includes a header of neither C nor Lua: <unistd.h>", {
      ["src/lua/graph.c"] = "#include <unistd.h>\n",
    })
  end)

  it_with_tools("finds a circle in the binding", function()
    finds("  src/lua/check -> src/lua/graph: needs lwend_open\n  src/lua/graph -> src/lua/check: needs lwend_check\n", {
      ["src/lua/check.c"] = '#include "lwend.h"\nvoid lwend_check(void) { lwend_open(); }\n',
    })
  end)

  it_with_tools("finds a circle of requires, also inside a function and by pcall", function()
    finds([[
circle of 2: lua/wend/check.lua, lua/wend/init.lua
  lua/wend/check.lua -> lua/wend/init.lua: requires wend at line 1
  lua/wend/init.lua -> lua/wend/check.lua: requires wend.check at line 1
]], { ["lua/wend/check.lua"] = 'return function() return require "wend" end\n' })
    finds("lua/wend/tools/svg/init.lua -> lua/wend/check.lua: requires wend.check at line 1", {
      ["lua/wend/check.lua"] = 'pcall(require, "wend.tools.svg")\n',
    })
    finds("lua/wend/check.lua:2: requires a name that this check cannot read", {
      ["lua/wend/check.lua"] = "local name = ...\nreturn require(name)\n",
    })
  end)

  it_with_tools("finds a library that refers to one on top of it", function()
    finds("a library above: lua/wend/check.lua -> lua/wend/tools/svg/init.lua: requires wend.tools.svg at line 1", {
      ["lua/wend/check.lua"] = 'pcall(require, "wend.tools.svg")\n',
      ["lua/wend/tools/svg/init.lua"] = "return {}\n",
    })
    finds("a library above: src/core/map/graph.c -> src/wend_move.h: includes wend_move.h at src/core/map/graph.c:1", {
      ["src/wend_move.h"] = "",
      ["src/core/map/graph.c"] = '#include "wend_move.h"\n#include "pack.inl"\nvoid wend_make(void) { wend_grow(); }\n',
      ["src/core/map/graph.h"] = "#include \"core/base/memory.h\"\nvoid wend_make(void);\n",
    })
    finds("a library above: src/lua/check.c -> src/lua/move/crowd.c: needs lwend_walk", {
      ["src/lua/check.c"] = '#include "lwend.h"\nvoid lwend_walk(void);\nvoid lwend_check(void) { lwend_walk(); }\n',
      ["src/lua/move/crowd.c"] = '#include "lua/lwend.h"\nvoid lwend_walk(void);\nvoid lwend_walk(void) {}\n',
    })
  end)

  it_with_tools("finds a folder with too many files, and one that is not in its list", function()
    local many = {}
    for i = 1, 20 do many[("src/core/codec/%02d.h"):format(i)] = "" end
    finds("src/core/codec has 21 files; at most 20", many)
    finds("src/core/new/a.h: its folder is not in the list of folders (core/base, core/space, core/map, core/cost, "
      .. "core/views, core/prepared, core/turns, core/search, core/pathfinder, core/lines, core/field, core/query, "
      .. "core/batch, core/check, core/codec, core/influence, core/overlay, core/surface, move/follow, move/crowd)", {
      ["src/core/new/a.h"] = "",
    })
  end)

  it_with_tools("finds an include of nothing, one that it cannot read, and an .inl file without use", function()
    finds("src/core/map/pack.inl:1: includes none.h, which is not there", {
      ["src/core/map/pack.inl"] = '#include "none.h"\n',
    })
    finds("src/core/map/unused.inl: no .c or .h file includes it", { ["src/core/map/unused.inl"] = "" })
    finds("src/core/codec/file.h:2: includes 'WEND_NAME', which this check cannot follow", {
      ["src/core/codec/file.h"] = "#define WEND_NAME \"wend.h\"\n#include WEND_NAME\n",
    })
  end)
end)
