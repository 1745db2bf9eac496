---@meta wend
-- SPDX-License-Identifier: MIT
-- The public interface, as annotations for the Lua language server. No program loads this file. doc/API.md is the
-- reference.
--
-- Every function raises for an argument of the wrong type or out of range, for an unknown option, for a node or an edge
-- that does not exist, and for a cell outside the grid. "Raises" below lists other reasons. A function that may fail
-- returns nil, a message and a code. Functions that run callbacks raise when a callback raises or returns an invalid
-- value. Coordinates are finite and within 1e150. Lists of coordinates and cells are flat: { x1, y1, x2, y2, ... }.

--- A node: its id, from 1, or its name.
---@alias wend.Node integer|string

--- An edge: its id, from 1.
---@alias wend.Edge integer

--- A position as one value.
---@alias wend.Point number[]|{ x: number, y: number }|{ x: number, y: number, z: number }

--- A position or a cell as one value: a table, userdata or cdata with these fields. Cells have whole numbers.
---@alias wend.XY { x: number, y: number, z?: number }

--- Tells whether the straight line between two positions is free: (x1, y1, x2, y2), in 3D (x1, y1, z1, x2, y2, z2).
---@alias wend.ClearFunction fun(...: number): boolean?

--- A test of straight lines: a function, walls, a grid, or anything with a method `clear`.
---@alias wend.Clear wend.ClearFunction|wend.Walls|wend.Grid|{ clear: fun(self: table, ...: number): boolean? }

--- Points to walk along: a flat list, a path (its points), or a route.
---@alias wend.Line number[]|wend.Path|wend.GridPath|wend.Route|wend.Curve

--- The value of a cell: its weight; false: closed; its tag; or a table of them.
---@alias wend.CellValue number|false|string|wend.Cell

---@class wend.Cell
---@field weight? number|false >= 0; false: closed; default 1
---@field tag? string
---@field closed? boolean true: closed; it keeps the weight for grid:open

--- The codes of failed searches.
---@alias wend.FailureCode "no_path"|"budget"|"stale"

--- The cost of a tag: a multiplier; false: closed; a multiplier and a price; or a function that returns them.
---@alias wend.TagCost number|false|wend.TagPrice|wend.TagFunction

---@class wend.TagPrice
---@field times? number multiplier, >= 0; default 1
---@field plus? number price per passage, >= 0; default 0

--- Runs once per search and tag. Returns the factor (and a price per passage), false for closed, or nil for no change.
---@alias wend.TagFunction fun(agent: any, factor: number, tag: string): (number|false|nil, number?)

--- Runs for an edge, many times per search. Returns the cost, >= 0, false for closed, or nil for no change.
---@alias wend.EdgeFunction
---| fun(agent: any, cost: number, tag?: string, from: integer, to: integer, edge: integer): number|false|nil

--- Runs for a step of a grid, many times per search. Returns the cost, >= 0, false for closed, or nil for no change.
---@alias wend.StepFunction
---| fun(agent: any, cost: number, tag?: string, x1: integer, y1: integer, x2: integer, y2: integer): number|false|nil

--- Estimates the cost from a node to a goal; must not overestimate.
---@alias wend.HeuristicFunction fun(node: integer, goal: integer): number

--- Estimates the cost from a cell to a goal; must not overestimate.
---@alias wend.GridHeuristicFunction fun(x: integer, y: integer, goal_x: integer, goal_y: integer): number

---@alias wend.Heuristic "auto"|"zero"|"euclidean"|"manhattan"|"chebyshev"|"octile"

-- The module -------------------------------------------------------------------------------------------------------

---@class wend
---@field _VERSION string such as "wend 0.9.0"
---@field core wend.Core
local wend = {}

---@class wend.GraphOptions
---@field dimensions? 2|3 whether positions have z; default 2

--- Makes an empty graph.
---@param options? wend.GraphOptions
---@return wend.Graph
function wend.graph(options) end

---@class wend.GridOptions
---@field diagonals? "both_open"|"one_open"|"always"|"never" when a diagonal step is allowed; default "both_open"
---@field cell? number|number[] the size of a cell in your world, > 0, or its { width, height }; default 1
---@field origin? wend.Point the upper left corner of cell (1,1) in your world (of a diamond: upper); default { 0, 0 }
---@field projection? "orthogonal"|"isometric" rows and columns, or diamonds; default "orthogonal"

--- Makes a grid of open cells of weight 1. (width + 1) x (height + 2) must be below 2^31 - 1.
---@param width integer columns, >= 1
---@param height integer rows, >= 1
---@param options? wend.GridOptions
---@return wend.Grid
function wend.grid(width, height, options) end

--- Makes a grid from a drawing. "#" (closed) and "." (open) need no legend. Raises when rows have different lengths,
--- and when a character has no value.
---@param text string|string[] a text in UTF-8, or a list of rows
---@param legend? table<string, wend.CellValue> by character; at most 256
---@param options? wend.GridOptions
---@return wend.Grid
function wend.parse_grid(text, legend, options) end

---@alias wend.TypeName "graph"|"grid"|"search"|"path"|"field"|"walls"|"routes"|"costs"|"mod"|"watch"|"follower"
---|"level"|"queue"|"request"|"comparison"|"why"|"crowd"|"walker"

--- The type of a value; nil: not an object of wend. Raises without an argument.
---@param value any
---@return wend.TypeName|nil
function wend.type(value) end

---@class wend.CostsOptions
---@field default? wend.TagCost the value of tags without a value; default 1
---@field base? wend.Costs a profile to inherit from

--- Makes a cost profile: per-agent costs of the tags.
---@param rules? table<string, wend.TagCost> by tag
---@param options? wend.CostsOptions
---@return wend.Costs
function wend.costs(rules, options) end

--- Runs Dijkstra's algorithm on a graph, and records each step. Each step examines every node.
---@param graph wend.Graph
---@param from wend.Node
---@param to wend.Node
---@param options? wend.ExplainOptions
---@return wend.Trace|nil trace
---@return string? message
---@return "stale"? code
function wend.trace(graph, from, to, options) end

---@class wend.ReadOptions
---@field max_bytes? number the largest size of an unpacked file in bytes, >= 1; default 67108864 (64 MiB)

---@class wend.MapOptions: wend.GridOptions
---@field max_bytes? number the largest size of an unpacked file in bytes, >= 1; default 67108864 (64 MiB)

--- Reads a grid map of the Moving AI Lab (.map, packed by gzip or not). Letters become tags: ground, swamp, water.
---@param file string
---@param options? wend.MapOptions
---@return wend.Grid|nil grid
---@return string? message
---@return "io"|"format"|nil code
function wend.read_map(file, options) end

--- A problem: x1, y1, x2, y2, counted from 1.
---@class wend.Problem: { [integer]: integer }
---@field length number the cost of the cheapest path
---@field map string the name of the map, as it is in the file
---@field width integer of the map
---@field height integer

--- Reads the problems for such a map (.scen, packed by gzip or not).
---@param file string
---@param options? wend.ReadOptions
---@return wend.Problem[]|nil problems
---@return string? message
---@return "io"|"format"|nil code
function wend.read_scen(file, options) end

---@class wend.TiledOptions
---@field diagonals? "both_open"|"one_open"|"always"|"never" of the grids; default "both_open"

--- The parts of a level. All may be absent.
---@class wend.LevelFields
---@field width? integer of the grids, in cells
---@field height? integer
---@field cell? number the size of a cell; of a Tiled map, the width of a tile in pixels
---@field grids? table<integer|string, wend.Grid> a grid for each layer, by number and by name
---@field grid? wend.Grid all layers in one grid
---@field graph? wend.Graph
---@field walls? wend.Walls
---@field names? table<string, wend.XY> positions by name
---@field data? any plain data of your own; of a Tiled map, `tiled` is for wend.tile_of_cell and wend.cell_of_tile

--- A level: its parts, which can be replaced. wend.read_tiled returns one; then a unit of the world is a pixel.
---@class wend.Level: wend.LevelFields
---@field grids table<integer|string, wend.Grid>
---@field names table<string, { x: number, y: number, z: number? }>
local Level = {}

--- Saves the level as one file. Raises when a field is wrong or unknown.
---@param file string
---@param options? wend.EncodeOptions
---@return true|nil saved
---@return string? message
---@return "io"? code
function Level:save(file, options) end

--- The level as bytes, the same on every machine. Read them with wend.decode. Raises when a field is wrong or unknown.
---@param options? wend.EncodeOptions
---@return string
function Level:encode(options) end

--- Makes a level of its parts. Raises for unknown fields.
---@param fields? wend.LevelFields
---@return wend.Level
function wend.level(fields) end

--- Reads a map made with Tiled, from its Lua export (tilesets embedded). Nothing in the file is run.
---@param map string|table the name of the file, or the table that it returns
---@param options? wend.TiledOptions
---@return wend.Level|nil level
---@return string? message
---@return "io"|"format"|nil code
function wend.read_tiled(map, options) end

--- The tile of a cell, as Tiled counts it: from 0, on infinite maps also negative. On staggered maps rows of tiles are
--- not rows of cells.
---@param level wend.Level
---@param x integer|{ x: integer, y: integer } the cell, counted from 1
---@param y? integer
---@return integer? column nil: the map has no tile there
---@return integer? row
function wend.tile_of_cell(level, x, y) end

--- The cell of a tile, as Tiled counts it. The inverse of wend.tile_of_cell.
---@param level wend.Level
---@param column integer
---@param row integer
---@return integer? x nil: the map has no such tile
---@return integer? y
function wend.cell_of_tile(level, column, row) end

---@class wend.LoadOptions
---@field map? wend.Graph|wend.Grid required for fields and route tables: their map
---@field costs? wend.Costs for fields and route tables: the costs that they were made with
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.EdgeFunction|wend.StepFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise

--- Loads what x:save wrote. Everything in the file is checked; nothing is run. Raises for a field, a route table
--- or a crowd without `map`.
---@param file string
---@param options? wend.LoadOptions
---@return wend.Graph|wend.Grid|wend.Walls|wend.Level|wend.Field|wend.Routes|wend.Crowd|nil
---@return string? message
---@return "io"|"format"|"stale"|nil code
function wend.load(file, options) end

--- Reads a string made by x:encode. Raises for a field, a route table or a crowd without `map`.
---@param bytes string
---@param options? wend.LoadOptions
---@return wend.Graph|wend.Grid|wend.Walls|wend.Level|wend.Field|wend.Routes|wend.Crowd|nil
---@return string? message
---@return "format"|"stale"|nil code
function wend.decode(bytes, options) end

---@class wend.RestoreOptions
---@field map? wend.Graph|wend.Grid|wend.Level|(wend.Graph|wend.Grid)[] required if the object has a map
---@field costs? wend.Costs of paths, as `agent` and `cost`: the options with which it was found
---@field agent? any
---@field cost? function
---@field clear? wend.Clear of followers: required if it had one
---@field on_point? fun(follower: wend.Follower, point: integer) of followers: required if it had one

--- Makes the path or the follower of a state. "stale": it belongs to another map, or the map has changed since.
---@param state table the result of path:state or f:state, or a copy of it
---@param options? wend.RestoreOptions
---@return wend.Path|wend.GridPath|wend.Follower|nil
---@return string? message
---@return "format"|"stale"|nil code
function wend.restore(state, options) end

--- Makes an empty set of walls.
---@return wend.Walls
function wend.walls() end

--- Makes an empty watch for the paths of a map.
---@param map wend.Graph|wend.Grid
---@return wend.Watch
function wend.watch(map) end

---@class wend.CurveOptions
---@field curve? "catmull_rom"|"hermite"|"linear" default "catmull_rom"
---@field spacing? number the largest distance between points, > 0; default: a 16th of the mean leg
---@field clear? wend.Clear a curved leg that is not free stays straight
---@field loop? boolean true: also from the last point to the first; default false
---@field dimensions? 2|3 default: the dimensions of the points, or 2
---@field into? table a table to fill; with it, the call makes no garbage

--- Points along a curve, flat.
---@class wend.Curve: { [integer]: number }
---@field dimensions 2|3
---@field legs integer[] for each point but the last, the number of its leg
---@field straight? integer[] the legs that stay straight because their curve is not free; nil: without `clear`

--- Makes a smooth line through all the points, as a denser list. Raises for an empty list, for an incomplete point, for
--- a spacing that would make more than ten million points, and when `clear` raises.
---@param points wend.Line
---@param options? wend.CurveOptions
---@return wend.Curve
function wend.curve(points, options) end

--- Linear interpolation: a + (b - a) v. Exactly a at v = 0, exactly b at v = 1.
---@param a number
---@param b number
---@param v number usually 0 to 1
---@return number
function wend.lerp(a, b, v) end

--- The cubic from p0 at v = 0 to p1 at v = 1, with the slopes m0 and m1 there.
---@param p0 number the value at v = 0
---@param m0 number the slope at v = 0, per unit of v
---@param p1 number the value at v = 1
---@param m1 number the slope at v = 1
---@param v number usually 0 to 1
---@return number
function wend.hermite(p0, m0, p1, m1, v) end

---@class wend.FollowOptions
---@field speed? number units per second, finite, >= 0; default 1
---@field curve? "linear"|"hermite"|"catmull_rom" default "linear"
---@field clear? wend.Clear what the curve must avoid
---@field spacing? number the largest distance between points of the curve, > 0; default: a 16th of the mean leg
---@field stops? string[] it waits where a leg with one of these tags begins
---@field speeds? table<string, number> factors of the speed by tag, finite, >= 0
---@field on_point? fun(f: wend.Follower, i: integer) runs when it passes point i
---@field loop? boolean true: from the last point to the first and on, without end; default false
---@field dimensions? 2|3 default: the dimensions of the points, or 2

--- Makes an object that walks along points. It starts on the first one. Raises as wend.curve does.
---@param points wend.Line
---@param options? wend.FollowOptions
---@return wend.Follower
function wend.follow(points, options) end

---@class wend.CrowdOptions
---@field map? wend.Graph|wend.Grid a grid, whose closed cells are solid; or a graph of 2 dimensions
---@field walls? wend.Walls solid too; they are copied
---@field costs? wend.Costs the profile for plans
---@field seed? number finite: decides ties between walkers
---@field queue? wend.Queue for plans; the script works it off. Default: a queue of its own
---@field budget? integer expansions of its own queue in each step, >= 1; default 4096
---@field max_steps? integer how many steps an update takes at most, 1 to 1e6; default 8

--- Makes a crowd: walkers that keep apart, get through, and arrive.
---@param options? wend.CrowdOptions
---@return wend.Crowd
function wend.crowd(options) end

---@class wend.QueueOptions
---@field limit? number how many requests may wait or run, a whole number >= 1; default: no limit
---@field clock? fun(): number the clock of q:run, in seconds; default os.clock

--- Makes a queue of requests for paths, routes and fields.
---@param options? wend.QueueOptions
---@return wend.Queue
function wend.queue(options) end

---@class wend.SvgOptions
---@field path? wend.Path|wend.GridPath|wend.Path[]|wend.GridPath[] of this map
---@field route? number[]|number[][] a list of points, or a list of such lists
---@field points? number[]|number[][] likewise
---@field field? wend.Field of this map
---@field walls? wend.Walls
---@field costs? wend.Costs what this agent cannot take is drawn as closed
---@field agent? any passed to the functions of the profile; default: an empty table
---@field width? number width in pixels, 100 to 100000; default 800
---@field labels? boolean whether to draw the names of nodes; default true
---@field legend? boolean whether to draw the legend; default true
---@field title? string a line above the picture
---@field chokepoints? wend.Chokepoint[] what map:chokepoints returns, drawn as rings and bands

--- Draws a picture as an SVG document. The same input gives the same bytes.
---@param map? wend.Graph|wend.Grid|wend.Walls|wend.Level
---@param options? wend.SvgOptions
---@return string
function wend.svg(map, options) end

--- Drawing in LÖVE 11: local draw = require "wend.love". Each function restores the state of love.graphics.
---@class wend.Love
local draw = {}

--- A colour: "#rrggbb", or { red, green, blue[, alpha] } from 0 to 1.
---@alias wend.Colour string|number[]

---@class wend.LoveOptions
---@field view? number[] { x, y, width, height } of the world; default: what is visible
---@field colour? wend.Colour
---@field width? number of lines, in pixels, 0.1 to 100

---@class wend.LoveRouteOptions: wend.LoveOptions
---@field dimensions? 2|3 default: points.dimensions, or 2

---@class wend.LoveFollowerOptions: wend.LoveOptions
---@field line? boolean true: the curve instead of the points

---@class wend.LoveFieldOptions
---@field view? number[] { x, y, width, height } of the world; default: what is visible
---@field alpha? number 0 to 1, default 0.6
---@field limit? integer the largest number of cells or nodes; default 16384 or 2000
---@field reach? number graphs: how far beyond the border edges may begin
---@field z? number[] graphs of 3 dimensions: { low, high }
---@field range? number[] { least, most }: costs; default: of the visible places
---@field arrows? boolean default true

---@class wend.LoveMapOptions
---@field view? number[] { x, y, width, height } of the world; default: what is visible
---@field costs? wend.Costs what this agent cannot take is drawn as closed
---@field agent? any passed to the functions of the profile; default: an empty table
---@field colours? table<string, wend.Colour> by tag; "": without a tag
---@field alpha? number of cells, 0 to 1, default 0.6
---@field labels? boolean whether to draw names; default true
---@field legend? boolean|number[] true, or { x, y } on the screen
---@field limit? integer the largest number of cells or nodes; default 16384 or 2000
---@field reach? number graphs: how far beyond the border edges may begin
---@field z? number[] graphs of 3 dimensions: { low, high }

--- Draws the visible part of a map. Raises when a function of the profile raises.
---@param map wend.Graph|wend.Grid
---@param options? wend.LoveMapOptions
function draw.map(map, options) end

--- Draws a map as an agent sees it, with a legend of what tags cost. Raises when a function of the profile raises.
---@param map wend.Graph|wend.Grid
---@param costs wend.Costs
---@param options? wend.LoveMapOptions without costs
function draw.costs(map, costs, options) end

--- Draws a field: costs as colours, and arrows along its steps.
---@param map wend.Graph|wend.Grid
---@param field wend.Field of this map
---@param options? wend.LoveFieldOptions
function draw.field(map, field, options) end

--- Draws a path.
---@param path wend.Path|wend.GridPath
---@param options? wend.LoveOptions
function draw.path(path, options) end

--- Draws a route, a curve, or any flat list of coordinates.
---@param points number[]|wend.Route|wend.Curve
---@param options? wend.LoveRouteOptions
function draw.route(points, options) end

--- Draws a follower, its heading and the points of its legs.
---@param f wend.Follower
---@param options? wend.LoveFollowerOptions
function draw.follower(f, options) end

--- Draws walls.
---@param walls wend.Walls
---@param options? wend.LoveOptions
function draw.walls(walls, options) end

--- Draws the grid, the walls, the graph and the names of a level.
---@param level wend.Level
---@param options? wend.LoveMapOptions
function draw.level(level, options) end

--- The C module, without the helpers in Lua.
---@class wend.Core
---@field version string such as "0.9.0"
local core = {}

--- The same as wend.type.
---@param value any
---@return string?
function core.type(value) end

--- The same as wend.graph.
---@param options? wend.GraphOptions
---@return wend.Graph
function core.graph(options) end

--- The same as wend.grid.
---@param width integer
---@param height integer
---@param options? wend.GridOptions
---@return wend.Grid
function core.grid(width, height, options) end

--- The same as wend.parse_grid.
---@param text string|string[]
---@param legend? table<string, wend.CellValue>
---@param options? wend.GridOptions
---@return wend.Grid
function core.parse_grid(text, legend, options) end

--- The same as wend.walls.
---@return wend.Walls
function core.walls() end

--- The same as wend.watch.
---@param map wend.Graph|wend.Grid
---@return wend.Watch
function core.path_watch(map) end

--- The same as wend.decode.
---@param bytes string
---@param options? wend.LoadOptions
---@return wend.Graph|wend.Grid|wend.Walls|wend.Level|wend.Field|wend.Routes|wend.Crowd|nil
---@return string? message
---@return "format"|"stale"|nil code
function core.decode(bytes, options) end

--- Begins a path, a route or a field in slices, for wend.queue. May change.
---@param kind "path"|"route"|"field"
---@param map wend.Graph|wend.Grid
---@param ... any the arguments of map:path, map:route or map:field
---@return wend.Search search search:result() gives the path, the route or the field
function core.start(kind, map, ...) end

---For map:paths. Raises what map:path would raise about its options.
---@param map wend.Graph|wend.Grid
---@param options? table
function core.check_options(map, options) end

--- Draws the cells of an area, for grid:text. May change.
---@param grid wend.Grid
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param marks any[] flat: x, y and a character of each mark
---@return string
function core.draw(grid, x1, y1, x2, y2, marks) end

--- Bytes of search state per node.
---@return integer
function core.search_bytes() end

--- Frees a search of core.start, unless it is running. For wend.queue. May change.
---@param search wend.Search
function core.close(search) end

--- pcall, except that the function cannot yield. For wend.queue. May change.
---@param fn function
---@param ... any
---@return boolean ok
---@return any ... the results, or the error
function core.call(fn, ...) end

--- Unpacks gzip data of at most max_bytes bytes.
---@param packed string
---@param max_bytes number >= 0
---@return string|nil data
---@return integer? unpacked the number of bytes that could be unpacked
---@return "format"|"budget"|nil code
function core.unpack(packed, max_bytes) end

-- Graphs -----------------------------------------------------------------------------------------------------------

---@class wend.Graph
local Graph = {}

---@class wend.NodeOptions
---@field name? string unique within the graph
---@field radius? number how far points may be moved from the node, >= 0; 0: not at all; default: no limit

--- A node as one table, without a metatable and without other keys.
---@class wend.NewNode: wend.NodeOptions
---@field x number finite, within 1e150
---@field y number
---@field z? number in 3D

--- Adds a node. Without a position, its edges need a weight. Raises when another node has the name.
---@param x number finite, within 1e150
---@param y number
---@param options? wend.NodeOptions
---@return integer node
---@overload fun(self: wend.Graph, options?: wend.NodeOptions): integer
---@overload fun(self: wend.Graph, x: number, y: number, z: number, options?: wend.NodeOptions): integer
---@overload fun(self: wend.Graph, node: wend.NewNode): integer
---@overload fun(self: wend.Graph, position: wend.XY, options?: wend.NodeOptions): integer
function Graph:add_node(x, y, options) end

--- Adds nodes with consecutive ids.
---@param points number[] flat: x1, y1, x2, y2, ...; in 3D with z
---@return integer? first nil: the list is empty
---@return integer? last
function Graph:add_nodes(points) end

---@class wend.EdgeOptions
---@field weight? number the cost before profiles and rules, finite, >= 0; default: the distance between the ends
---@field tag? string a word such as "road"; not empty
---@field directed? boolean true: only from `from` to `to`; default false

--- Adds an edge. Raises when it has no weight and an end has no position.
---@param from wend.Node
---@param to wend.Node
---@param options? wend.EdgeOptions
---@return wend.Edge edge
function Graph:add_edge(from, to, options) end

---@class wend.EdgesOptions
---@field weights? number[] one for each edge, >= 0; default: the distances
---@field tag? string the tag of all of them
---@field directed? boolean whether all of them are directed; default false

--- Adds edges with consecutive ids. Raises as add_edge does; no edge is added then.
---@param pairs wend.Node[] flat: from, to, from, to, ...
---@param options? wend.EdgesOptions
---@return wend.Edge? first nil: the list is empty
---@return wend.Edge? last
function Graph:add_edges(pairs, options) end

--- Removes a node and its edges. The id is never reused. Like all functions that change a graph, it raises in a
--- callback of a search of that graph.
---@param node wend.Node
---@return wend.Graph self
function Graph:remove_node(node) end

--- Removes an edge. The id is never reused.
---@param edge wend.Edge
---@return wend.Graph self
function Graph:remove_edge(edge) end

--- Whether the node exists. Unknown nodes do not raise.
---@param node wend.Node
---@return boolean
function Graph:has(node) end

--- Whether the edge exists. Unknown edges do not raise.
---@param edge wend.Edge
---@return boolean
function Graph:has_edge(edge) end

--- Closes a node for everybody. Nobody can enter it; a path may start on it.
---@param node wend.Node
---@return wend.Graph self
function Graph:close(node) end

--- Opens a closed node.
---@param node wend.Node
---@return wend.Graph self
function Graph:open(node) end

--- Whether a node is closed.
---@param node wend.Node
---@return boolean
function Graph:is_closed(node) end

--- Closes an edge for everybody.
---@param edge wend.Edge
---@return wend.Graph self
function Graph:close_edge(edge) end

--- Opens a closed edge.
---@param edge wend.Edge
---@return wend.Graph self
function Graph:open_edge(edge) end

--- Makes an overlay: a graph that follows this one. Its own edits hide those of this graph until they are reset.
---@return wend.Graph
function Graph:overlay() end

--- Of an overlay: shows a node of the base again; without a node everything.
---@param node? wend.Node
---@return wend.Graph self
function Graph:reset(node) end

--- Of an overlay: shows an edge of the base again.
---@param edge wend.Edge
---@return wend.Graph self
function Graph:reset_edge(edge) end

--- The node with this name; nil: there is none.
---@param name string
---@return integer? node
function Graph:node(name) end

--- The name of a node; nil: it has none.
---@param node wend.Node
---@return string? name
function Graph:name(node) end

--- Names a node. Raises if another node has the name.
---@param node wend.Node
---@param name? string nil: removes the name
---@return wend.Graph self
function Graph:set_name(node, name) end

--- The position of a node.
---@param node wend.Node
---@return number? x nil: it has no position
---@return number? y
---@return number? z
function Graph:position(node) end

--- Moves a node. Edges whose weight is their length get their new length.
---@param node wend.Node
---@param x number finite, within 1e150
---@param y number
---@param z? number in 3D
---@return wend.Graph self
---@overload fun(self: wend.Graph, node: wend.Node, position: wend.XY): wend.Graph
function Graph:move(node, x, y, z) end

--- How far points may be moved from the node; nil: no limit.
---@param node wend.Node
---@return number|nil
function Graph:radius(node) end

--- Sets how far points may be moved from the node, >= 0. 0: not at all, as in a doorway; nil: no limit.
---@param node wend.Node
---@param radius number|nil finite, >= 0
---@return wend.Graph self
function Graph:set_radius(node, radius) end

--- Whether the weight of an edge is its length, and follows it when a node moves.
---@param edge wend.Edge
---@return boolean
function Graph:is_measured(edge) end

---@class wend.EdgeInfo
---@field from integer
---@field to integer
---@field weight number
---@field length? number nil: an end has no position
---@field tag? string
---@field directed boolean
---@field closed boolean

--- Describes an edge.
---@param edge wend.Edge
---@return wend.EdgeInfo
function Graph:edge(edge) end

--- The edge from a to b with the smallest weight, then the smallest id; nil: there is none.
---@param a wend.Node
---@param b wend.Node
---@return wend.Edge? edge
function Graph:edge_between(a, b) end

--- Sets the weight of an edge. Raises when the weight is nil and an end has no position.
---@param edge wend.Edge
---@param weight? number finite, >= 0; nil: the length again
---@return wend.Graph self
function Graph:set_weight(edge, weight) end

--- Sets the tag of an edge.
---@param edge wend.Edge
---@param tag? string nil: removes the tag
---@return wend.Graph self
function Graph:set_tag(edge, tag) end

--- The edges that leave a node, including closed ones:
--- for edge, neighbour, weight, tag, directed, closed in g:edges(node) do ... end
--- Without a node, all edges: for edge, from, to, weight, tag, directed, closed in g:edges() do ... end
---@param node wend.Node
---@return fun(): wend.Edge, integer, number, string|nil, boolean, boolean
---@overload fun(self: wend.Graph): fun(): wend.Edge, integer, integer, number, string|nil, boolean, boolean
function Graph:edges(node) end

--- The number of edges by tag. Tags that no edge has are left out.
---@return table<string, integer> counts
---@return integer untagged the number of edges without a tag
function Graph:tags() end

--- An independent graph with the same content and the same ids.
---@return wend.Graph
function Graph:copy() end

--- All nodes: for node in g:nodes() do ... end
---@return fun(graph: wend.Graph, node?: integer): integer
---@return wend.Graph
function Graph:nodes() end

--- The number of nodes.
---@return integer
function Graph:node_count() end

--- The number of edges.
---@return integer
function Graph:edge_count() end

--- The number of dimensions.
---@return 2|3
function Graph:dimensions() end

--- The memory used, in bytes.
---@return integer nodes
---@return integer edges
function Graph:bytes() end

-- Paths ------------------------------------------------------------------------------------------------------------

---@class wend.Stats
---@field expanded? integer nodes expanded
---@field pushed? integer entries put into the open list
---@field callbacks? integer edges for which a function ran
---@field bound? number the smallest cost per length that the heuristic used, without shortcuts; 0: there was none
---@field known? true it was known without a search that there is no path
---@field landmarks? true the estimates came from the tables of a prepared map
---@field rules? wend.RuleTime[] with costs.timing: the rules that have run

---@class wend.PathOptions: wend.ExplainOptions
---@field max_expanded? integer the largest number of nodes or cells to expand, >= 0; default: no limit
---@field max_cost? number the largest cost of a path, >= 0; default: no limit
---@field partial? boolean if the goal cannot be reached or the budget is used up: a path to the nearest place
---@field variation? number >= 0: the path depends on the seed and costs at most 1 + variation times the cheapest
---@field seed? number a finite number; required with `variation` and `jitter`
---@field into? table a table that becomes the path
---@field stats? wend.Stats a table that receives statistics

--- Finds the cheapest path. Raises when the list of goals is empty, and for "dijkstra" together with a heuristic.
---@param from wend.Node
---@param to wend.Node|wend.Node[] a list: the goal that is cheapest to reach
---@param options? wend.PathOptions
---@return wend.Path|nil path
---@return string? message
---@return wend.FailureCode? code
function Graph:path(from, to, options) end

---@class wend.BatchStats
---@field expanded? integer nodes expanded, in all searches together
---@field pushed? integer entries put into the open list
---@field callbacks? integer edges for which a function ran
---@field fields? integer fields that were made

---@class wend.BatchOptions: wend.ExplainOptions
---@field max_expanded? integer the largest number of nodes or cells to expand for each trip, >= 0; default: no limit
---@field max_cost? number the largest cost of a path, >= 0; default: no limit
---@field partial? boolean if the goal cannot be reached or the budget is used up: a path to the nearest place
---@field variation? number >= 0: the paths depend on the seed and cost at most 1 + variation times the cheapest
---@field seed? number a finite number; required with `variation`
---@field stats? wend.BatchStats a table that receives sums over all trips

--- Finds a path for each trip. Trips with the same goal or the same start share work.
---@param trips wend.Node[] from, to, from, to, …
---@param options? wend.BatchOptions
---@return (wend.Path|false)[]|nil paths for each trip a path, or false: there is none
---@return string? message
---@return wend.FailureCode? code
function Graph:paths(trips, options) end

---@class wend.ReachOptions
---@field costs? wend.Costs the agent's profile; default: weights unchanged
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.EdgeFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise

--- Whether `path` would find a path without limits. Raises when the list of goals is empty.
---@param from wend.Node
---@param to wend.Node|wend.Node[] a list: any of these goals
---@param options? wend.ReachOptions
---@return boolean|nil reached
---@return string? message
---@return "stale"? code: on_error has edited the map
function Graph:can_reach(from, to, options) end

---@class wend.SearchOptions: wend.PathOptions
---@field restart? boolean default true: edits between slices do not end the search; false: they make it stale
---@field labels? boolean default true; false: it does not use what earlier searches have learned

--- Prepares the same search in slices. Raises as path does.
---@param from wend.Node
---@param to wend.Node|wend.Node[]
---@param options? wend.SearchOptions
---@return wend.Search
function Graph:search(from, to, options) end

--- Makes a field: one search that answers for every start. Raises as path does.
---@param goals wend.Node|wend.Node[]
---@param options? wend.FieldOptions
---@return wend.Field|nil field
---@return string? message
---@return "budget"|"stale"|nil code
function Graph:field(goals, options) end

---@class wend.NearestOptions
---@field max_distance? number the largest distance, >= 0; default: no limit
---@field k? integer the k nearest as two lists, >= 1; not for edges
---@field can_reach? wend.Node|wend.Node[]|wend.Field only places that lead to one of them
---@field reachable_from? wend.Node|wend.Node[]|wend.Field only places that they lead to; a field made with `outward`
---@field clear? wend.Clear only places to which the straight line is free
---@field costs? wend.Costs the agent's costs for can_reach and reachable_from
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.EdgeFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise
---@field into? table with k: { nodes, distances }, two lists to fill; those that are missing are made; not for edges

--- The nearest node; with k, lists of nodes and distances.
---@param x number
---@param y number
---@param options? wend.NearestOptions
---@return integer|integer[]|nil node nil: there is none
---@return number|number[]|string|nil distance or the message
---@return "stale"? code: on_error has edited the graph
---@overload fun(self, x: number, y: number, z: number, options?: wend.NearestOptions): any, any
---@overload fun(self, position: wend.Point, options?: wend.NearestOptions): any, any
function Graph:nearest(x, y, options) end

--- The nearest edge, and its nearest point.
---@param x number
---@param y number
---@param options? wend.NearestOptions
---@return wend.Edge? edge nil: there is none
---@return number|string|nil x or the message
---@return number|"stale"|nil y or the code: on_error has edited the graph
---@return number? distance in 3D z comes first
---@overload fun(self, x: number, y: number, z: number, options?: wend.NearestOptions): wend.Edge?, any, any, any, any
---@overload fun(self, position: wend.Point, options?: wend.NearestOptions): wend.Edge?, any, any, any, any
function Graph:nearest_edge(x, y, options) end

---@class wend.RandomNodeOptions
---@field can_reach? wend.Node|wend.Node[]|wend.Field only nodes that lead to one of them
---@field reachable_from? wend.Node|wend.Node[]|wend.Field only nodes that they lead to; a field made with `outward`
---@field costs? wend.Costs the agent's costs for can_reach and reachable_from
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.EdgeFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise

--- A random open node. All that meet the conditions are equally likely.
---@param seed number finite; the same seed gives the same node
---@param options? wend.RandomNodeOptions
---@return integer? node nil: there is none
---@return string? message
---@return "stale"? code: on_error has edited the graph
function Graph:random(seed, options) end

---@class wend.LinkNearestOptions
---@field k? integer the number of nearest nodes, >= 1; default 4
---@field max_distance? number the largest distance, >= 0; default: no limit
---@field walls? wend.Walls walls that must not lie between
---@field clear? wend.Clear a further test of the line
---@field tag? string the tag of all new edges
---@field directed? boolean default false

--- Makes edges from each node to the nearest others if nothing lies between. Raises when `clear` raises; no edge is
--- added then.
---@param options? wend.LinkNearestOptions
---@return integer count the number of new edges
function Graph:link(options) end

---@class wend.CheckOptions
---@field allow? string[] tags that may lead one way
---@field costs? wend.Costs the agent's profile; default: weights unchanged
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.EdgeFunction|wend.StepFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise
---@field walls? wend.Clear graphs only: what the edges must not cross
---@field too_close? number graphs only: the least distance between two nodes; finite, > 0
---@field too_far? number graphs only: the greatest length of an edge, and distance of a node to its nearest

--- An edge that passes through a wall.
---@class wend.Walled
---@field edge integer
---@field from integer
---@field to integer
---@field cause "wall"
---@field message string

--- Two nodes that are too close.
---@class wend.TooClose
---@field a integer
---@field b integer
---@field distance number
---@field message string

--- An edge that is too long, or a node that is too far from its nearest node.
---@class wend.TooFar
---@field edge? integer
---@field from? integer of an edge
---@field to? integer of an edge
---@field node? integer nil: it is an edge
---@field nearest? integer of a node
---@field distance number
---@field message string

--- A component that can be entered but not left.
---@class wend.Trap
---@field nodes integer[] on a grid: x, y, x, y, ...
---@field entries integer[] the edges that lead in; on a grid: x, y of both ends of each step
---@field message string

--- Lists of nodes; on a grid flat lists of x and y.
---@class wend.Findings
---@field connected boolean
---@field components integer[][] strongly connected ones, the largest first
---@field isolated integer[] without any way in or out
---@field sinks integer[] with ways in and none out
---@field sources integer[] with ways out and none in
---@field traps wend.Trap[]
---@field walls? wend.Walled[] nil: the option was not given
---@field too_close? wend.TooClose[]
---@field too_far? wend.TooFar[] edges, then nodes

--- Finds what is cut off, dead ends and traps, for one agent or everybody.
---@param options? wend.CheckOptions
---@return wend.Findings|nil findings
---@return string? message
---@return "stale"? code: on_error has edited the map
function Graph:check(options) end

---@class wend.ChokepointsOptions
---@field min? integer leaves out what cuts off fewer nodes or cells, >= 1; default 1
---@field limit? integer the greatest length of the list, >= 1; default: no limit
---@field costs? wend.Costs the agent's profile; default: weights unchanged
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.EdgeFunction|wend.StepFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise

--- A node or an edge; on a grid a cell, or a link with both ends.
---@class wend.Chokepoint
---@field node? integer
---@field edge? wend.Edge
---@field from? integer the ends of the edge
---@field to? integer
---@field x? integer
---@field y? integer
---@field to_x? integer the other end of a link
---@field to_y? integer
---@field cuts integer how many nodes or cells its loss cuts off from the largest piece

--- Finds what joins pieces of the map alone, for one agent or everybody: those that cut off most come first.
---@param options? wend.ChokepointsOptions
---@return wend.Chokepoint[]|nil list
---@return string? message
---@return "stale"? code: on_error has edited the map
function Graph:chokepoints(options) end

--- What each edge of a list of nodes costs, and the rules that changed it. The functions run.
---@param nodes wend.Node[]
---@param options? wend.ExplainOptions
---@return wend.ExplainedEdges|nil steps
---@return string? message
---@return "stale"? code: on_error has edited the map
function Graph:explain(nodes, options) end

---@class wend.Cause
---@field cause "closed"|"tag"|"one_way"|"wall"|"rule"|"no_edge"
---@field tag? string of the edge, the cell or the link, if its tag or a rule closes it
---@field rule? string the rule that closes it, as in path:explain
---@field mod? string the mod of the tag's value or of the rule

---@class wend.Obstacle: wend.Cause
---@field also? wend.Cause[] further causes
---@field node? integer a node
---@field edge? integer an edge
---@field from? integer an edge: in the direction of travel
---@field to? integer
---@field x? integer a cell; a wall, a step or a link: the cell before
---@field y? integer
---@field to_x? integer a wall, a step or a link: the cell after
---@field to_y? integer
---@field link? boolean it is a link of the grid

--- What is in the way. tostring(report) gives sentences.
---@class wend.Why
---@field from integer|wend.Point
---@field to? integer|wend.Point nil: several goals, and nothing connects the start with them
---@field obstacles wend.Obstacle[] a smallest set, in the order of travel
---@field reached? integer how many nodes or cells the start reaches
---@field reaching? integer how many open nodes or cells reach a goal
---@field cost? number of the path once the obstacles are opened
---@field limit? "max_cost"|"max_expanded" only this option is in the way
---@field text string

--- Says why there is no path.
---@param from integer|string a node
---@param to integer|string|(integer|string)[] a node, or several goals
---@param options? wend.PathOptions
---@return wend.Why|nil report nil: there is a path
---@return string? message
---@return "stale"? code
function Graph:why_not(from, to, options) end

---@class wend.EncodeOptions
---@field prepared? boolean default true; false leaves out the tables of prepared maps

---@class wend.PrepareOptions
---@field landmarks? integer 1 to 16, default 16
---@field costs? wend.Costs the profile that the tables are for; default: the weights
---@field agent? any passed to its functions by tag; default: an empty table
---@field on_progress? fun(share: number) called from time to time with the share that is done
---@field sliced? boolean returns a preparation

---@class wend.SlicedPrepareOptions: wend.PrepareOptions
---@field sliced true

---@class wend.PreparedOptions
---@field costs? wend.Costs the agent's profile; default: weights unchanged
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.EdgeFunction the cost function of a search
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise

---@class wend.PrepareReport
---@field landmarks integer
---@field bytes integer the memory of the tables
---@field pruned integer nodes or cells in dead ends
---@field seconds number

---@class wend.PreparedInfo
---@field landmarks integer
---@field bytes integer the memory of the tables
---@field pruned integer nodes or cells in dead ends
---@field used boolean whether searches of the profile use landmarks
---@field scale number estimates are this share of those in the tables, 0 to 1
---@field reason? string why they are not used

--- A preparation in slices: map:prepare { sliced = true }. Raises when its map was freed.
---@class wend.Preparation
local Preparation = {}

--- Works on about n nodes or cells. Raises while the map is searched.
---@param n integer >= 1
---@return boolean|nil done
---@return string? message
---@return "stale"? code: the map was edited
function Preparation:step(n) end

--- The share that is done.
---@return number share 0 to 1
function Preparation:progress() end

--- What it has made; nil before the end.
---@return wend.PrepareReport|nil
function Preparation:report() end

--- The object as bytes, the same on every machine. Read them with wend.decode.
---@param options? wend.EncodeOptions
---@return string
function Graph:encode(options) end

--- Saves the object to a file. Read it with wend.load.
---@param file string
---@param options? wend.EncodeOptions
---@return true|nil
---@return string? message
---@return "io"|nil code
function Graph:save(file, options) end

--- Computes tables that make searches expand less. They belong to the map, and are saved with it. Raises when
--- on_progress raises.
---@param options? wend.PrepareOptions
---@return wend.PrepareReport|nil report
---@return string? message
---@return "stale"? code: on_error has edited the map
---@overload fun(self: wend.Graph, options: wend.SlicedPrepareOptions): wend.Preparation?, string?, string?
function Graph:prepare(options) end

--- What prepare has made, and what searches of a profile make of it.
---@param options? wend.PreparedOptions
---@return wend.PreparedInfo|nil info nil: the map is not prepared
---@return string? message
---@return "stale"? code: on_error has edited the map
function Graph:prepared(options) end

--- Drops what prepare has made.
---@return wend.Graph self
function Graph:unprepare() end

---@class wend.RoutesOptions
---@field costs? wend.Costs the agent's profile; default: weights unchanged
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.EdgeFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise
---@field progress? fun(done: integer, total: integer) called from time to time with numbers of nodes

--- Calculates all paths in advance: a route table. It takes about the time of a Dijkstra search for each node.
---@param options? wend.RoutesOptions
---@return wend.Routes|nil routes
---@return string? message
---@return "stale"? code: on_error has edited the map
function Graph:routes(options) end

---@class wend.RouteOptions: wend.PathOptions
---@field max_distance? number the longest way to the graph, and from it; >= 0
---@field enter? "node"|"edge" enter and leave at nodes (default), or at the nearest points of edges
---@field clear? wend.Clear what ways off the graph must avoid; also allows the direct line
---@field straighten? boolean take shortcuts that are free and cheaper; needs `clear`; default false
---@field jitter? number moves the points of nodes at random within this distance, >= 0; needs a seed; default 0

--- A flat list of points.
---@class wend.Route: { [integer]: number }
---@field cost number the agent's cost on the graph, plus the length of the rest
---@field nodes integer[] the ids of the nodes that it passes
---@field edges (integer|false)[] for each leg the id of its edge, or false
---@field map wend.Graph
---@field dimensions 2|3
---@field partial? true it ends at a node and not at the goal

--- Finds a route from any position to any position: to the graph, along it, off it. Raises when an end is a node
--- without a position.
---@param from wend.Point|wend.Node
---@param to wend.Point|wend.Node
---@param options? wend.RouteOptions
---@return wend.Route|nil route
---@return string? message
---@return wend.FailureCode? code
function Graph:route(from, to, options) end

---@class wend.Search
local Search = {}

--- Expands at most n nodes. After edits that matter it begins again by itself.
---@param n integer >= 1
---@return "running"|"found"|"failed" state
---@return integer used how many it has expanded
function Search:step(n) end

--- The result. Raises while the search is running: until step has returned "found" or "failed".
---@return wend.Path|nil path
---@return string? message
---@return wend.FailureCode? code
function Search:result() end

--- How often it has begun again, 0 to 4.
---@return integer
function Search:restarts() end

--- Whether it runs, or has ended, on a snapshot: its result is one of the map as it was, also if there is no path.
---@return boolean
function Search:stale() end

--- The same as result.
---@return wend.Path|nil path
---@return string? message
---@return wend.FailureCode? code
function Search:path() end

--- The memory that the search holds, in bytes.
---@return integer
function Search:bytes() end

--- An array of node ids.
---@class wend.Path: { [integer]: integer }
---@field cost number the sum of the costs of its edges or steps
---@field partial? true it ends near the goal but not at it
---@field stale? true a search in slices found it on a snapshot of the map
---@field goal? integer the index of its goal in the list of goals; nil: there was no list, or the path is partial
---@field map wend.Graph
---@field costs? wend.Costs the option `costs` of the search
---@field agent? any the option `agent`
---@field callback? wend.EdgeFunction the option `cost`
---@field trail userdata internal
local Path = {}

--- for i, node in path:each() do ... end
---@return fun(path: wend.Path, i: integer): integer, integer
---@return wend.Path
---@return integer
function Path:each() end

---@class wend.PointsOptions
---@field jitter? number moves each point at random within this distance, >= 0; needs a seed; default 0
---@field seed? number a finite number; required with `variation` and `jitter`
---@field clear? wend.Clear a leg that is free between the nodes stays free
---@field into? table a table to fill instead of a new one

--- The current coordinates of the nodes, flat. Raises when a node has no position.
---@param options? wend.PointsOptions
---@return number[]
function Path:points(options) end

--- The ids of the edges, one fewer than nodes.
---@param options? { into?: table } a table to fill instead of a new one
---@return wend.Edge[]
function Path:edges(options) end

--- False once one of its nodes or edges was changed, closed, opened or removed, or the
--- costs of one of its tags have changed in its profile.
---@return boolean
function Path:valid() end

--- The path as a table of plain values, for saved games: wend.restore gives it back.
---@return table
function Path:state() end

---@class wend.ExplainOptions
---@field costs? wend.Costs the agent's profile; default: weights unchanged
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.EdgeFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise

---@class wend.ExplainedRule
---@field name string
---@field cost number the cost of the edge after this rule

--- Why a step cannot be taken.
---@alias wend.CauseName "closed"|"tag"|"rule"|"wall"|"corner"|"one_way"|"no_edge"|"outside"

---@class wend.ExplainedEdge
---@field edge? wend.Edge nil: there is none
---@field from integer
---@field to integer
---@field weight? number
---@field tag? string
---@field cost number math.huge: it cannot be taken
---@field cause? wend.CauseName then, why; of graph:explain
---@field rules wend.ExplainedRule[] in the order in which they were applied

---@class wend.ExplainedEdges: { [integer]: wend.ExplainedEdge }
---@field cost number the sum

--- The cost of each edge, and the rules that changed it. The functions run again. Raises when an edge was removed.
---@param options? wend.ExplainOptions default: the options of the search
---@return wend.ExplainedEdge[]|nil steps
---@return string? message
---@return "stale"? code: on_error has edited the map
function Path:explain(options) end

--- How much of the difference between two paths is due to a tag.
---@class wend.TagShare
---@field tag? string nil: steps without a tag
---@field steps integer
---@field other_steps integer
---@field cost number
---@field other_cost number
---@field difference number other_cost - cost

--- How much of it is due to a rule: what the rule adds to the cost.
---@class wend.RuleShare
---@field name string as in wend.ExplainedRule; "weight": the weights of the steps, before any rule
---@field mod? string
---@field cost number
---@field other_cost number
---@field difference number

--- A stretch where two paths take different steps. from, to: where they part and meet; nil: they do not.
---@class wend.Stretch
---@field from? integer
---@field to? integer
---@field from_name? string
---@field to_name? string
---@field from_x? integer on a grid
---@field from_y? integer
---@field to_x? integer
---@field to_y? integer
---@field first integer its first step in path:explain()
---@field last integer
---@field other_first integer
---@field other_last integer
---@field steps integer
---@field other_steps integer
---@field cost number
---@field other_cost number
---@field difference number
---@field weight number
---@field other_weight number
---@field tags wend.TagShare[] the largest difference first
---@field rules wend.RuleShare[] the largest difference first
---@field closed? wend.ExplainedEdge|wend.ExplainedStep the first step of this path that cannot be taken
---@field other_closed? wend.ExplainedEdge|wend.ExplainedStep

--- tostring gives sentences.
---@class wend.Comparison: { [integer]: wend.Stretch }
---@field cost number
---@field other_cost number
---@field difference number

--- Where two paths part and meet, and which tags and rules make the difference, at the costs of this path. Raises when
--- an edge was removed.
---@param other wend.Path|wend.Node[]|wend.ExplainedEdges a path of the same graph, a list of nodes, or of steps
---@param options? wend.ExplainOptions default: the options of the search
---@return wend.Comparison|nil comparison
---@return string? message
---@return "stale"? code: on_error has edited the map
function Path:compare(other, options) end

-- Grids ------------------------------------------------------------------------------------------------------------

---@class wend.Grid
local Grid = {}

--- The number of columns.
---@return integer
function Grid:width() end

--- The number of rows.
---@return integer
function Grid:height() end

--- The memory used, in bytes.
---@return integer
function Grid:bytes() end

--- The weight and the tag of a cell.
---@param x integer column, from 1
---@param y integer row, from 1
---@return number|false weight false: closed
---@return string? tag
---@overload fun(self: wend.Grid, cell: wend.XY): number|false, string?
function Grid:get(x, y) end

--- Whether a cell is closed for everybody.
---@param x integer column, from 1
---@param y integer row, from 1
---@return boolean
function Grid:is_closed(x, y) end

--- The weight of a cell; for a closed cell the weight that it has when it is opened.
---@param x integer column, from 1
---@param y integer row, from 1
---@return number
function Grid:weight(x, y) end

--- Whether there is such a cell. False for all other numbers.
---@param x number
---@param y number
---@return boolean
function Grid:has(x, y) end

--- The centre of a cell in your world.
---@param x integer column, from 1
---@param y integer row, from 1
---@return number x
---@return number y
function Grid:position(x, y) end

--- Sets the value of a cell.
---@param x integer column, from 1
---@param y integer row, from 1
---@param value wend.CellValue
---@param tag? string only after a weight or false
---@return wend.Grid self
---@overload fun(self: wend.Grid, cell: wend.XY, value: wend.CellValue, tag?: string): wend.Grid
function Grid:set(x, y, value, tag) end

--- Sets all cells, or those of a rectangle.
---@param x1 integer column of the first cell
---@param y1 integer row of the first cell
---@param x2 integer column of the second cell
---@param y2 integer row of the second cell
---@param value wend.CellValue
---@param tag? string only after a weight or false
---@return wend.Grid self
---@overload fun(self: wend.Grid, a: wend.XY, b: wend.XY, value: wend.CellValue, tag?: string): wend.Grid
---@overload fun(self: wend.Grid, value: wend.CellValue, tag?: string): wend.Grid
function Grid:fill(x1, y1, x2, y2, value, tag) end

--- Closes a cell, or all cells of a rectangle. They keep their weights and tags.
---@param x integer column, from 1
---@param y integer row, from 1
---@param x2? integer column of the opposite corner
---@param y2? integer row of the opposite corner
---@return wend.Grid self
function Grid:close(x, y, x2, y2) end

--- Opens a cell, or all cells of a rectangle.
---@param x integer column, from 1
---@param y integer row, from 1
---@param x2? integer column of the opposite corner
---@param y2? integer row of the opposite corner
---@return wend.Grid self
function Grid:open(x, y, x2, y2) end

--- Makes an overlay: a grid that follows this one. Its own edits hide those of this grid until they are reset.
---@return wend.Grid
function Grid:overlay() end

--- Of an overlay: shows a cell or a rectangle of the base again, and the walls there; without arguments everything.
---@param x? integer column, from 1
---@param y? integer row, from 1
---@param x2? integer column of the opposite corner
---@param y2? integer row of the opposite corner
---@return wend.Grid self
---@overload fun(self: wend.Grid, a: wend.XY, b?: wend.XY): wend.Grid
function Grid:reset(x, y, x2, y2) end

--- Sets each cell to the result of a function, row by row. If the function raises, the grid stays unchanged.
---@param fn fun(x: integer, y: integer): wend.CellValue|nil nil: no change
---@return wend.Grid self
function Grid:map(fn) end

--- Puts a wall between two of eight neighbours, for both directions. Raises for other cells.
---@param x1 integer column of the first cell
---@param y1 integer row of the first cell
---@param x2 integer column of the second cell
---@param y2 integer row of the second cell
---@param closed? boolean false: removes the wall; default true
---@return wend.Grid self
---@overload fun(self: wend.Grid, a: wend.XY, b: wend.XY, closed?: boolean): wend.Grid
function Grid:wall(x1, y1, x2, y2, closed) end

---@class wend.LinkOptions
---@field weight? number finite, >= 0; default 1
---@field tag? string not empty
---@field directed? boolean true: only from the first cell to the second; default false

--- Adds a step from a cell to any other, for stairs or teleporters. It replaces an existing link between the two cells.
---@param x1 integer column of the first cell
---@param y1 integer row of the first cell
---@param x2 integer column of the second cell
---@param y2 integer row of the second cell
---@param options? wend.LinkOptions
---@return wend.Grid self
---@overload fun(self: wend.Grid, a: wend.XY, b: wend.XY, options?: wend.LinkOptions): wend.Grid
function Grid:link(x1, y1, x2, y2, options) end

--- Removes the links between two cells, in both directions.
---@param x1 integer column of the first cell
---@param y1 integer row of the first cell
---@param x2 integer column of the second cell
---@param y2 integer row of the second cell
---@return wend.Grid self
---@overload fun(self: wend.Grid, a: wend.XY, b: wend.XY): wend.Grid
function Grid:unlink(x1, y1, x2, y2) end

--- The cell at a point of your world.
---@param x number finite
---@param y number finite
---@return integer? x nil: outside the grid
---@return integer? y
---@overload fun(self: wend.Grid, position: wend.XY): integer?, integer?
function Grid:cell_at(x, y) end

--- The number of cells and links by tag. Tags that nothing has are left out. A link that leads both ways counts twice.
---@return table<string, integer> counts
---@return integer untagged the number of cells and links without a tag
function Grid:tags() end

--- An independent grid with the same content.
---@return wend.Grid
function Grid:copy() end

---@class wend.TextOptions
---@field path? wend.GridPath|wend.GridPath[] of this grid; drawn as "*"
---@field route? number[]|number[][] a list of points, or a list of such lists; drawn as "*"
---@field points? number[]|number[][] likewise
---@field marks? table<string, wend.Point|wend.Point[]> by character: positions in your world
---@field area? integer[] { x1, y1, x2, y2 }: the cells at two corners of the part that is drawn; default: all cells

--- Draws the grid as text that wend.parse_grid reads.
---@param options? wend.TextOptions
---@return string
function Grid:text(options) end

---@alias wend.Cells { x: integer, y: integer }|integer[] one cell, or a flat list of cells

---@class wend.RandomCellOptions
---@field can_reach? wend.Cells|wend.Field only cells that lead to one of them
---@field reachable_from? wend.Cells|wend.Field only cells that they lead to; a field made with `outward`
---@field costs? wend.Costs no cells whose tag is closed for this agent; also for can_reach and reachable_from
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.StepFunction a cost function for can_reach and reachable_from; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise

---@class wend.NearestCellOptions: wend.RandomCellOptions
---@field max_distance? number the largest distance, >= 0; default: no limit

--- The open cell nearest to a position of your world. The distance is that of its centre.
---@param x number
---@param y number
---@param options? wend.NearestCellOptions
---@return integer? x nil: there is none
---@return integer|string|nil y or the message
---@return number|"stale"|nil distance or the code: on_error has edited the grid
---@overload fun(self, position: wend.Point, options?: wend.NearestCellOptions): integer?, any, any
function Grid:nearest(x, y, options) end

--- A random open cell. All that meet the conditions are equally likely.
---@param seed number finite; the same seed gives the same cell
---@param options? wend.RandomCellOptions
---@return integer? x nil: there is none
---@return integer|string|nil y or the message
---@return "stale"? code: on_error has edited the grid
function Grid:random(seed, options) end

---@class wend.GridPathOptions
---@field costs? wend.Costs the agent's profile; default: weights unchanged
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.StepFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise
---@field algorithm? "astar"|"dijkstra" default "astar"; "dijkstra" uses no heuristic
---@field heuristic? wend.Heuristic|wend.GridHeuristicFunction default "auto"
---@field max_expanded? integer the largest number of nodes or cells to expand, >= 0; default: no limit
---@field max_cost? number the largest cost of a path, >= 0; default: no limit
---@field partial? boolean if the goal cannot be reached or the budget is used up: a path to the nearest place
---@field variation? number >= 0: the path depends on the seed and costs at most 1 + variation times the cheapest
---@field seed? number a finite number; required with `variation` and `jitter`
---@field into? table a table that becomes the path
---@field stats? wend.Stats a table that receives statistics

--- Finds the cheapest path.
---@param x1 integer column of the first cell
---@param y1 integer row of the first cell
---@param x2 integer column of the second cell
---@param y2 integer row of the second cell
---@param options? wend.GridPathOptions
---@return wend.GridPath|nil path
---@return string? message
---@return wend.FailureCode? code
---@overload fun(self, x1: integer, y1: integer, goals: integer[], options?: wend.GridPathOptions): wend.GridPath?
---@overload fun(self, from: wend.XY, to: wend.XY|integer[], options?: wend.GridPathOptions): wend.GridPath?
function Grid:path(x1, y1, x2, y2, options) end

---@class wend.GridBatchOptions
---@field costs? wend.Costs|wend.ResolvedCosts default: weights unchanged
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.StepFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise
---@field algorithm? "astar"|"dijkstra" default "astar"; "dijkstra" uses no heuristic
---@field heuristic? wend.Heuristic|wend.GridHeuristicFunction default "auto"
---@field max_expanded? integer the largest number of cells to expand for each trip, >= 0; default: no limit
---@field max_cost? number the largest cost of a path, >= 0; default: no limit
---@field partial? boolean if the goal cannot be reached or the budget is used up: a path to the nearest place
---@field variation? number >= 0: the paths depend on the seed and cost at most 1 + variation times the cheapest
---@field seed? number a finite number; required with `variation`
---@field stats? wend.BatchStats a table that receives sums over all trips

--- Finds a path for each trip. Trips with the same goal or the same start share work.
---@param trips integer[] x1, y1, x2, y2, x1, y1, …
---@param options? wend.GridBatchOptions
---@return (wend.GridPath|false)[]|nil paths for each trip a path, or false: there is none
---@return string? message
---@return wend.FailureCode? code
function Grid:paths(trips, options) end

--- Whether `path` would find a path without limits.
---@param x1 integer column of the first cell
---@param y1 integer row of the first cell
---@param x2 integer column of the second cell
---@param y2 integer row of the second cell
---@param options? wend.WalkOptions
---@return boolean|nil reached
---@return string? message
---@return "stale"? code: on_error has edited the map
---@overload fun(self: wend.Grid, x1: integer, y1: integer, goals: integer[], options?: wend.WalkOptions): boolean?
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY|integer[], options?: wend.WalkOptions): boolean?
function Grid:can_reach(x1, y1, x2, y2, options) end

---@class wend.GridSearchOptions: wend.GridPathOptions
---@field restart? boolean default true: edits between slices do not end the search; false: they make it stale
---@field labels? boolean default true; false: it does not use what earlier searches have learned

--- Prepares the same search in slices.
---@param x1 integer column of the first cell
---@param y1 integer row of the first cell
---@param x2 integer column of the second cell
---@param y2 integer row of the second cell
---@param options? wend.GridSearchOptions
---@return wend.GridSearch
---@overload fun(self, x1: integer, y1: integer, goals: integer[], options?: wend.GridSearchOptions): wend.GridSearch
---@overload fun(self, from: wend.XY, to: wend.XY|integer[], options?: wend.GridSearchOptions): wend.GridSearch
function Grid:search(x1, y1, x2, y2, options) end

---@class wend.GridSearch
---@field step fun(self: wend.GridSearch, n: integer): "running"|"found"|"failed", integer
---@field restarts fun(self: wend.GridSearch): integer
---@field stale fun(self: wend.GridSearch): boolean
---@field result fun(self: wend.GridSearch): wend.GridPath?, string?, wend.FailureCode?
---@field path fun(self: wend.GridSearch): wend.GridPath?, string?, wend.FailureCode?
---@field bytes fun(self: wend.GridSearch): integer

---@class wend.ExplainedStep
---@field from_x integer
---@field from_y integer
---@field to_x integer
---@field to_y integer
---@field weight? number length x weight; nil: there is no step
---@field tag? string
---@field cost number math.huge: it cannot be taken
---@field cause? wend.CauseName then, why; of grid:explain
---@field rules wend.ExplainedRule[] in the order in which they were applied

---@class wend.ExplainedSteps: { [integer]: wend.ExplainedStep }
---@field cost number the sum

--- Returns i, x, y.
---@alias wend.CellIterator fun(path: wend.GridPath, i: integer): integer, integer, integer

--- A flat list of cells: x1, y1, x2, y2, ...
---@class wend.GridPath: { [integer]: integer }
---@field cost number the sum of the costs of its edges or steps
---@field partial? true it ends near the goal but not at it
---@field stale? true a search in slices found it on a snapshot of the map
---@field goal? integer the index of its goal, in cells, in the list of goals; nil: no list, or the path is partial
---@field map wend.Grid
---@field costs? wend.Costs the option `costs` of the search
---@field agent? any the option `agent`
---@field callback? wend.StepFunction the option `cost`
---@field trail userdata internal
---@field each fun(self: wend.GridPath): wend.CellIterator, wend.GridPath, integer
---@field points fun(self: wend.GridPath, options?: wend.PointsOptions): number[]
---@field valid fun(self: wend.GridPath): boolean
---@field state fun(self: wend.GridPath): table
---@field explain fun(self: wend.GridPath, options?: wend.WalkOptions): wend.ExplainedStep[]
---@field compare fun(self: wend.GridPath, other: table, options?: wend.WalkOptions): wend.Comparison?, string?, string?

--- The agent's costs.
---@class wend.WalkOptions
---@field costs? wend.Costs the agent's profile; default: weights unchanged
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.StepFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise

--- Whether the agent can walk straight between the centres of two cells.
---@param x1 integer column of the first cell
---@param y1 integer row of the first cell
---@param x2 integer column of the second cell
---@param y2 integer row of the second cell
---@param options? wend.WalkOptions
---@return boolean|nil clear
---@return string? message
---@return "stale"? code: on_error has edited the map
---@overload fun(self: wend.Grid, a: wend.XY, b: wend.XY, options?: wend.WalkOptions): boolean?, string?, string?
function Grid:clear(x1, y1, x2, y2, options) end

--- The same between two points of your world.
---@param x1 number the first point, in units of your world
---@param y1 number
---@param x2 number the second point
---@param y2 number
---@param options? wend.WalkOptions
---@return boolean|nil clear
---@return string? message
---@return "stale"? code: on_error has edited the map
---@overload fun(self: wend.Grid, a: wend.XY, b: wend.XY, options?: wend.WalkOptions): boolean?, string?, string?
function Grid:clear_points(x1, y1, x2, y2, options) end

---@class wend.StraightenOptions: wend.WalkOptions
---@field into? table a table that becomes the path

--- The path without needless corners. It never costs more. Raises when the path is of another map.
---@param path wend.GridPath
---@param options? wend.StraightenOptions
---@return wend.GridPath|nil path
---@return string? message
---@return "stale"? code
function Grid:straighten(path, options) end

---@class wend.GridRouteOptions: wend.GridPathOptions
---@field straighten? boolean straight legs where they cost no more than the steps; default true
---@field clear? wend.Clear what straight legs must avoid, besides closed cells and walls of the grid

--- A flat list of points of the world.
---@class wend.GridRoute: { [integer]: number }
---@field cost number the sum of the costs of its legs, in the units of a path's cost
---@field links? table<integer, true> true at the number of each leg that is a link; nil: there is none
---@field map wend.Grid
---@field dimensions 2
---@field partial? true it ends before the goal

--- Finds a route from any position of the world to any other, along the cheapest path of cells, in straight legs.
---@param from wend.Point
---@param to wend.Point
---@param options? wend.GridRouteOptions
---@return wend.GridRoute|nil route
---@return string? message
---@return wend.FailureCode? code
function Grid:route(from, to, options) end

--- Finds what is cut off, dead ends and traps, for one agent or everybody.
---@param options? wend.CheckOptions
---@return wend.Findings|nil findings
---@return string? message
---@return "stale"? code: on_error has edited the map
function Grid:check(options) end

--- Finds what joins pieces of the grid alone, for one agent or everybody: those that cut off most come first.
---@param options? wend.ChokepointsOptions
---@return wend.Chokepoint[]|nil list
---@return string? message
---@return "stale"? code: on_error has edited the map
function Grid:chokepoints(options) end

--- What each step of a list of cells costs, and the rules that changed it. The functions run.
---@param cells integer[] x1, y1, x2, y2, ...
---@param options? wend.WalkOptions
---@return wend.ExplainedSteps|nil steps
---@return string? message
---@return "stale"? code: on_error has edited the map
function Grid:explain(cells, options) end

--- Says why there is no path.
---@param x1 integer|wend.Point
---@param y1 integer
---@param x2 integer|wend.Point|integer[] or a flat list of goals
---@param y2 integer
---@param options? wend.PathOptions
---@return wend.Why|nil report nil: there is a path
---@return string? message
---@return "stale"? code
function Grid:why_not(x1, y1, x2, y2, options) end

--- The object as bytes, the same on every machine. Read them with wend.decode.
---@param options? wend.EncodeOptions
---@return string
function Grid:encode(options) end

--- Saves the object to a file. Read it with wend.load.
---@param file string
---@param options? wend.EncodeOptions
---@return true|nil
---@return string? message
---@return "io"|nil code
function Grid:save(file, options) end

--- Computes tables that make searches expand less. They belong to the map, and are saved with it. Raises when
--- on_progress raises.
---@param options? wend.PrepareOptions
---@return wend.PrepareReport|nil report
---@return string? message
---@return "stale"? code: on_error has edited the map
---@overload fun(self: wend.Grid, options: wend.SlicedPrepareOptions): wend.Preparation?, string?, string?
function Grid:prepare(options) end

--- What prepare has made, and what searches of a profile make of it.
---@param options? wend.PreparedOptions
---@return wend.PreparedInfo|nil info nil: the map is not prepared
---@return string? message
---@return "stale"? code: on_error has edited the map
function Grid:prepared(options) end

--- Drops what prepare has made.
---@return wend.Grid self
function Grid:unprepare() end

--- Each wall once: for x1, y1, x2, y2 in grid:walls() do ... end
---@return fun(): integer, integer, integer, integer
function Grid:walls() end

--- Each link, one direction at a time: for x1, y1, x2, y2, weight, tag in grid:links() do ... end
---@return fun(): integer, integer, integer, integer, number, string?
function Grid:links() end

--- When diagonal steps are allowed.
---@return "both_open"|"one_open"|"always"|"never"
function Grid:diagonals() end

--- The size of a cell in your world.
---@return number width
---@return number height
function Grid:cell_size() end

--- The upper left corner of cell (1,1) in your world; of a diamond the upper corner.
---@return number x
---@return number y
function Grid:origin() end

--- How cells lie in your world: squares or rectangles in rows and columns, or diamonds.
---@return "orthogonal"|"isometric"
function Grid:projection() end

-- Fields -----------------------------------------------------------------------------------------------------------

---@class wend.FieldOptions
---@field values? number[] one for each goal: the cost of being there; default 0
---@field costs? wend.Costs the agent's profile; default: weights unchanged
---@field agent? any passed to the functions of the profile; default: an empty table
---@field cost? wend.EdgeFunction|wend.StepFunction a cost function for this call; runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1; default 0: no promise
---@field outward? boolean true: from the goals to all places; default: from all places to the goals
---@field max_cost? number places that cost more are not reached
---@field window? integer grids only: the field covers cells at most this many columns and rows from a goal, >= 1
---@field max_expanded? integer the largest number of nodes or cells to expand, >= 0; default: no limit
---@field into? wend.Field a field to reuse
---@field stats? wend.Stats a table that receives statistics

--- Makes a field: one search that answers for every start.
---@param x integer column, from 1
---@param y integer row, from 1
---@param options? wend.FieldOptions
---@return wend.Field|nil field
---@return string? message
---@return "budget"|"stale"|nil code
---@overload fun(self: wend.Grid, goals: integer[]|wend.XY, options?: wend.FieldOptions): wend.Field?, string?, string?
function Grid:field(x, y, options) end

--- A field of a grid or of a graph. A place is x, y on a grid, and a node on a graph.
---@class wend.Field
local Field = {}

--- The cost of the path from there; nil: not reached.
---@param x integer column, from 1
---@param y integer row, from 1
---@return number?
---@overload fun(self: wend.Field, node: wend.Node): number?
---@overload fun(self: wend.Field, cell: wend.XY): number?
function Field:cost(x, y) end

--- The next step from there.
---@param x integer column, from 1
---@param y integer row, from 1
---@return integer? x nil: it is a goal, or not reached
---@return integer|string|nil y or the message
---@return "stale"? code, after arithmetic
---@overload fun(self: wend.Field, node: wend.Node): integer?
---@overload fun(self: wend.Field, cell: wend.XY): integer?, integer?
function Field:next(x, y) end

--- The whole path from there; with `outward`, to there. Raises after arithmetic, until relax.
---@param x integer column, from 1
---@param y integer row, from 1
---@param options? { into: table? } a table to fill
---@return wend.GridPath|nil path
---@return string? message
---@return "no_path"|nil code
---@overload fun(self: wend.Field, node: wend.Node, options?: { into: table? }): wend.Path?, string?, "no_path"?
---@overload fun(self: wend.Field, cell: wend.XY, options?: { into: table? }): wend.GridPath?, string?, "no_path"?
function Field:path(x, y, options) end

--- The goal where the path leads. Raises after arithmetic, until relax.
---@param x integer column, from 1
---@param y integer row, from 1
---@return integer? x
---@return integer? y
---@overload fun(self: wend.Field, node: wend.Node): integer?
---@overload fun(self: wend.Field, cell: wend.XY): integer?, integer?
function Field:goal(x, y) end

--- All places that are reached and open: for x, y, cost in field:each() do ... end; on a graph: node, cost.
---@return fun(): integer, integer|number, number?
function Field:each() end

--- The memory used, in bytes.
---@return integer
function Field:bytes() end

--- Whether the map, or the costs of a tag of the map, have changed since the field was made. It can still be read.
---@return boolean
function Field:stale() end

--- The object as bytes, the same on every machine. Read them with wend.decode.
---@return string|nil bytes
---@return string? message
---@return "stale"? code
function Field:encode() end

--- Saves the object to a file. Read it with wend.load.
---@param file string
---@return true|nil
---@return string? message
---@return "io"|"stale"|nil code
function Field:save(file) end

--- Adds k times the costs of another field. Raises when it is of another map.
---@param other wend.Field
---@param k? number finite; default 1
---@return wend.Field self
function Field:add(other, k) end

--- Multiplies all costs by k.
---@param k number finite
---@return wend.Field self
function Field:scale(k) end

--- Makes the costs consistent again after arithmetic: each cost becomes at most that of a neighbour plus the step to
--- it.
---@return wend.Field|nil self
---@return string? message
---@return "stale"? code
function Field:relax() end

-- Route tables --------------------------------------------------------------------------------------------------------

---@class wend.Routes
local Routes = {}

--- The cheapest path, looked up.
---@param a wend.Node
---@param b wend.Node
---@param options? { into: table? }
---@return wend.Path|nil path
---@return string? message
---@return "no_path"|"stale"|nil code
function Routes:path(a, b, options) end

--- The cost of the path; nil: there is no path.
---@param a wend.Node
---@param b wend.Node
---@return number|nil cost
---@return string? message
---@return "stale"? code
function Routes:cost(a, b) end

--- The first step of the path; nil: there is no path, or a is b.
---@param a wend.Node
---@param b wend.Node
---@return integer|nil node
---@return integer|string|nil edge or the message
---@return "stale"? code
function Routes:next(a, b) end

--- The memory used, in bytes.
---@return integer
function Routes:bytes() end

--- Whether the graph, or the costs of a tag of the graph, have changed since the table was made. Other calls then fail.
---@return boolean
function Routes:stale() end

--- The object as bytes, the same on every machine. Read them with wend.decode.
---@return string|nil bytes
---@return string? message
---@return "stale"? code
function Routes:encode() end

--- Saves the object to a file. Read it with wend.load.
---@param file string
---@return true|nil
---@return string? message
---@return "io"|"stale"|nil code
function Routes:save(file) end

-- Watches ----------------------------------------------------------------------------------------------------------

--- Tells which of many paths edits have touched.
---@class wend.Watch
local Watch = {}

--- Holds a path. Raises if it is of another map, or held already.
---@param path wend.Path|wend.GridPath
---@return wend.Watch
function Watch:add(path) end

--- Lets a path go. Raises if it is not held.
---@param path wend.Path|wend.GridPath
---@return wend.Watch
function Watch:remove(path) end

--- The paths that edits of the map or of their profiles have touched since the last call, in the order of adding.
---@param options? { into?: table } into: a table to fill instead of a new one
---@return (wend.Path|wend.GridPath)[]
function Watch:affected(options) end

--- The number of paths.
---@return integer
function Watch:count() end

--- The memory used.
---@return integer
function Watch:bytes() end

-- Walls ------------------------------------------------------------------------------------------------------------

---@class wend.Walls
local Walls = {}

--- Adds a line segment.
---@param x1 number the first end; coordinates are finite and within 1e150
---@param y1 number
---@param x2 number the second end
---@param y2 number
---@return integer id
---@overload fun(self: wend.Walls, a: wend.XY, b: wend.XY): integer
function Walls:add_segment(x1, y1, x2, y2) end

--- Adds a solid polygon, which may be concave.
---@param points number[] the corners, flat, at least 3
---@return integer id
function Walls:add_polygon(points) end

--- Adds a solid circle.
---@param x number the centre
---@param y number
---@param r number the radius, >= 0
---@return integer id
---@overload fun(self: wend.Walls, position: wend.XY, r: number): integer
function Walls:add_circle(x, y, r) end

--- Removes a wall. Its id is never reused.
---@param id integer
---@return wend.Walls self
function Walls:remove(id) end

--- Saves the walls with their ids.
---@param file string
---@return true|nil saved
---@return string? message
---@return "io"? code
function Walls:save(file) end

--- The walls as bytes, the same on every machine. Read them with wend.decode.
---@return string
function Walls:encode() end

--- Whether a wall exists.
---@param id integer
---@return boolean
function Walls:has(id) end

--- Whether every point of the line is farther than radius from every wall.
---@param x1 number the first end; coordinates are finite and within 1e150
---@param y1 number
---@param x2 number the second end
---@param y2 number
---@param radius? number the required distance from walls, finite, >= 0; default 0
---@return boolean
---@overload fun(self: wend.Walls, a: wend.XY, b: wend.XY, radius?: number): boolean
function Walls:clear(x1, y1, x2, y2, radius) end

--- All walls: for kind, numbers, id in walls:each() do ... end
---@return fun(walls: wend.Walls): "segment"|"polygon"|"circle", number[], integer
---@return wend.Walls
function Walls:each() end

--- The number of walls.
---@return integer
function Walls:count() end

--- The memory used, in bytes.
---@return integer
function Walls:bytes() end

-- Queues -----------------------------------------------------------------------------------------------------------

--- The codes of requests that fail: those of the call, and
--- "cancelled": it was cancelled or replaced; "error": a function of the search raised, or the map was freed.
---@alias wend.RequestCode wend.FailureCode|"cancelled"|"error"

---@class wend.WalkerOptions
---@field x number
---@field y number
---@field radius? number 0.001 to 1e6, default 0.5; with a grid, both times the width of a cell, along the ground
---@field speed? number units per second, 0 to 1e6, default 1.5; with a grid likewise
---@field acceleration? number how much its velocity changes at most in a second, > 0; default math.huge: no limit
---@field patience? number seconds without progress after which it is stuck, > 0, or math.huge; default 10
---@field priority? integer -1e9 to 1e9: of two walkers, the one with less makes way; default 0
---@field group? string the name of its group; default "default"; a crowd has at most 32 groups
---@field avoids? string[] the groups for which it makes way; default: all
---@field costs? wend.Costs for its plans; default: those of the crowd
---@field agent? any for its plans
---@field data? any its field `data`

---@class wend.GoOptions
---@field costs? wend.Costs instead of those of the walker
---@field agent? any instead of that of the walker

---@class wend.Crowd
---@field on_arrive? fun(walker: wend.Walker) called after the update
---@field on_stuck? fun(walker: wend.Walker, blocked_by: wend.Walker?) called after the update
---@field on_lost? fun(walker: wend.Walker, message: string, code: wend.FailureCode) called after the update
local Crowd = {}

--- Adds a walker, which stands.
---@param options wend.WalkerOptions
---@return wend.Walker
function Crowd:add(options) end

--- Sends walkers to one place; each gets a spot of its own. Raises when a value is not a walker of this crowd.
---@param walkers wend.Walker[]
---@param x number
---@param y number
---@param options? wend.GoOptions
---@return wend.Crowd self
---@overload fun(self: wend.Crowd, walkers: wend.Walker[], to: wend.XY, options?: wend.GoOptions): wend.Crowd
function Crowd:go(walkers, x, y, options) end

--- Lets time pass, in steps of 1/30 second; then calls on_arrive, on_stuck and on_lost. Raises the first error of these
--- functions, after all of them have run.
---@param dt number seconds, >= 0
---@return integer steps
---@return number dropped seconds, because of max_steps
function Crowd:update(dt) end

--- The walkers whose centre is within r of a point, along the ground.
---@param x number
---@param y number
---@param r number >= 0
---@return wend.Walker[]
---@overload fun(self: wend.Crowd, at: wend.XY, r: number): wend.Walker[]
function Crowd:near(x, y, r) end

--- Iterates over the walkers.
---@return fun(): wend.Walker?
function Crowd:each() end

--- The number of walkers.
---@return integer
function Crowd:count() end

--- x and y of all walkers, flat, in the order of each.
---@param into? number[] a table to fill
---@return number[]
function Crowd:positions(into) end

--- Depends on all positions and states.
---@return string
function Crowd:hash() end

--- The crowd as bytes, the same on every machine. Read them with wend.decode, which needs the map. Raises in a function
--- of an event.
---@return string
function Crowd:encode() end

--- Saves the crowd; wend.load reads it, with its map.
---@param file string
---@return true?
---@return string? message
---@return "io"? code
function Crowd:save(file) end

--- The memory that the core uses for the crowd.
---@return integer
function Crowd:bytes() end

---@class wend.Walker
---@field x number the position now
---@field y number
---@field vx number the velocity of the last step
---@field vy number
---@field heading number radians from +x toward +y, -pi to pi
---@field state "waiting"|"moving"|"arrived"|"stuck"|"lost"|"removed"
---@field blocked_by? wend.Walker of a stuck walker: who is in its way
---@field reason? string of a lost walker
---@field code? wend.FailureCode of a lost walker
---@field goal_x number where it goes; of one that stands: where it comes back to
---@field goal_y number
---@field radius number
---@field speed number
---@field acceleration number
---@field held boolean
---@field crossing boolean whether it is on a link
---@field data any yours
local Walker = {}

--- Sends it to a position, along points, or to the nearest goal of a field.
---@param x number
---@param y number
---@param options? wend.GoOptions
---@return wend.Walker self
---@overload fun(self: wend.Walker, to: wend.XY, options?: wend.GoOptions): wend.Walker
---@overload fun(self: wend.Walker, points: wend.Line|wend.Field): wend.Walker
function Walker:go(x, y, options) end

--- It forgets its goal and stands.
---@return wend.Walker self
function Walker:stop() end

--- It does not move, and makes way for nobody.
---@param held? boolean false: it goes on; default true
---@return wend.Walker self
function Walker:hold(held) end

--- Adds a velocity that fades within about a second.
---@param vx number
---@param vy number
---@return wend.Walker self
function Walker:push(vx, vy) end

--- Puts it somewhere else, at rest.
---@param x number
---@param y number
---@return wend.Walker self
---@overload fun(self: wend.Walker, at: wend.XY): wend.Walker
function Walker:place(x, y) end

--- Takes it out of the crowd.
function Walker:remove() end

--- More options of a request, besides those of map:path, map:route and map:field.
---@class wend.RequestOptions
---@field priority? number finite; higher priorities come first; default 0
---@field owner? any not NaN: the request replaces the last one of this owner, if that is not over
---@field done? fun(result: any, message: string?, code: wend.RequestCode?, request: wend.Request) runs once
---@field share? boolean paths only: requests with the same map, goal and costs read their paths from one field

---@class wend.QueueStats
---@field waiting integer requests that have not started
---@field running integer requests that have started and are not over
---@field done integer requests that have a result
---@field failed integer requests that have none
---@field cancelled integer requests that were cancelled or replaced
---@field shared integer paths that were read from a shared field
---@field errors integer functions `done` that raised
---@field expansions integer
---@field restarts integer of searches, after edits
---@field steps integer calls of step and run
---@field longest integer the longest time from a request to its result, in steps

---@class wend.Queue
---@field stats wend.QueueStats
local Queue = {}

--- Queues a request. Arguments and options are those of map:path, with those of wend.RequestOptions among the options.
--- Raises as map:path does.
---@param map wend.Graph|wend.Grid
---@param ... any
---@return wend.Request|nil request
---@return string? message
---@return "full"|nil code
function Queue:path(map, ...) end

--- The same for map:route.
---@param map wend.Graph|wend.Grid
---@param ... any
---@return wend.Request|nil request
---@return string? message
---@return "full"|nil code
function Queue:route(map, ...) end

--- The same for map:field.
---@param map wend.Graph|wend.Grid
---@param ... any
---@return wend.Request|nil request
---@return string? message
---@return "full"|nil code
function Queue:field(map, ...) end

--- Works for n expansions. Raises the first error of a function `done`, after the other requests had their share.
---@param n number a whole number >= 1, or math.huge
---@return integer used
---@return integer pending
function Queue:step(n) end

--- Works until the clock has advanced by so many seconds. Raises as step does, and if the clock gives no number.
---@param seconds number >= 0
---@param clock? fun(): number default: the clock of the queue
---@return integer used
---@return integer pending
function Queue:run(seconds, clock) end

--- The number of requests that are not over, or whose `done` has not run yet.
---@return integer
function Queue:pending() end

--- Cancels the request of an owner.
---@param owner any
---@return boolean cancelled false: it has none
function Queue:cancel(owner) end

--- Cancels all requests, and drops shared fields.
---@return wend.Queue self
function Queue:clear() end

---@class wend.Request
---@field state "waiting"|"running"|"done"|"failed"|"cancelled"
---@field result? wend.Path|wend.GridPath|wend.Route|wend.Field
---@field message? string
---@field code? wend.RequestCode
local Request = {}

--- Ends the request with the code "cancelled". Its `done` runs in the next step.
---@return boolean cancelled false: it is over already
function Request:cancel() end

--- Whether its search has ended on a snapshot of the map, with a path or without.
---@return boolean
function Request:stale() end

-- Followers --------------------------------------------------------------------------------------------------------

---@class wend.Follower
---@field x number its position
---@field y number
---@field z? number in 3D
---@field heading number radians from +x toward +y, -pi to pi
---@field leg integer the number of the current leg, from 1; 0 on the way to the first point after retarget
---@field done boolean whether it is at the end
---@field speed number units per second, >= 0; may be set
---@field points number[] the points of its legs; do not change them
---@field edge? integer the edge of the current leg
---@field tag? string the tag of that edge; on a grid of the cell under it, or of the link at which it waits
---@field node? integer the node that it passed last
---@field waiting? string the tag of the leg at whose beginning it waits
---@field paused boolean whether pause() stopped it
local Follower = {}

--- Walks for dt seconds. Raises when `speed` was set to an invalid value.
---@param dt number seconds, finite, >= 0
---@return number x
---@return number y
---@return number? z
function Follower:update(dt) end

--- The distance to the end; math.huge on a loop. On a curve it may measure the legs ahead.
---@return number
function Follower:remaining() end

--- The points along its whole way, as wend.curve returns them.
---@return wend.Curve
function Follower:line() end

---@class wend.RetargetOptions
---@field join? boolean true: the points that it has passed already are left out

--- Sends it along other points from its current position. Raises as wend.follow does; it then continues as before.
---@param points wend.Line
---@param options? wend.RetargetOptions
---@return wend.Follower self
function Follower:retarget(points, options) end

--- It stays where it is until resume().
---@return wend.Follower self
function Follower:pause() end

--- Ends a pause; without a pause, the wait at a stop. With a position it ends that wait: the script has moved it over
--- the leg, and it goes on from there. Raises when it does not wait.
---@param x? number|table
---@param y? number
---@param z? number
---@return wend.Follower self
function Follower:resume(x, y, z) end

--- The follower as a table of plain values, for saved games: wend.restore gives it back.
---@return table
function Follower:state() end

-- Costs ------------------------------------------------------------------------------------------------------------

---@class wend.Costs
---@field on_error? fun(name: string, message: string, mod?: string) called when a rule fails; the search begins anew
---@field max_errors? integer a rule that has failed so many times sleeps; only with on_error
---@field base? wend.Costs the base profile; read only
---@field timing? boolean measures the time of each function: see wend.Stats
---@field max_instructions? integer the instructions that the functions of one call may use together
local Costs = {}

--- Sets the value of a tag, as in wend.costs.
---@param tag string
---@param value wend.TagCost|nil nil: removes the value
---@return wend.Costs self
function Costs:set(tag, value) end

--- The value of a tag as the game has set it, here or in the base profile; nil: there is none.
---@param tag string
---@return wend.TagCost|nil
function Costs:get(tag) end

---@class wend.RuleOptions
---@field priority? number default 0; lower priorities run first

--- Adds a rule about a tag. It runs once per search. It replaces a rule with the same name and tag.
---@param name string not empty, such as the name of a mod
---@param tag string
---@param fn wend.TagFunction
---@param options? wend.RuleOptions
---@return wend.Costs self
function Costs:rule(name, tag, fn, options) end

---@class wend.EdgeRuleOptions: wend.RuleOptions
---@field tags? string[] only for edges with one of these tags
---@field at_least? number a promise, 0 to 1: never returns less than this share of the cost that it receives

--- Adds a rule about edges or steps. It runs many times per search: give a promise (at_least) if you can.
---@param name string not empty
---@param fn wend.EdgeFunction|wend.StepFunction
---@param options? wend.EdgeRuleOptions
---@return wend.Costs self
function Costs:edge_rule(name, fn, options) end

--- Removes all rules with this name. Inherited rules stay.
---@param name string
---@return wend.Costs self
function Costs:remove(name) end

---@class wend.Rule
---@field name string
---@field mod? string the mod that has added it; nil: the game itself
---@field tag? string only tag rules
---@field tags? string[] only edge rules
---@field priority number
---@field at_least? number only edge rules
---@field calls? integer with timing: since it was switched on
---@field seconds? number
---@field asleep? boolean it is left out, because it has failed max_errors times
---@field fn? function nil: read from a read-only view

--- All rules in the order in which they apply, including inherited ones.
---@return wend.Rule[]
function Costs:rules() end

--- The tags that the profile names and nothing in the map has, sorted. nearest: a similar tag of the map.
---@param map wend.Graph|wend.Grid|wend.Level
---@return { tag: string, nearest: string? }[]
function Costs:unknown(map) end

--- Everything that one mod does to this profile. The mod is added if it is new.
---@param name string
---@param options? wend.RuleOptions priority: the values of the highest win. A priority that is given moves the mod
---@return wend.Mod
function Costs:mod(name, options) end

---@class wend.ModState
---@field name string
---@field priority number
---@field values integer how many tags it has set
---@field rules integer how many rules it has
---@field errors integer how many times its functions have failed since they were set
---@field asleep string[] the names of its functions that have failed max_errors times
---@field inherited? boolean the base profile has it
---@field calls? integer with timing: of all its functions
---@field seconds? number

--- All mods in the order in which their values apply, including inherited ones.
---@return wend.ModState[]
function Costs:mods() end

--- Removes a mod with all its values and rules.
---@param name string
---@return wend.Costs self
function Costs:remove_mod(name) end

--- A view that a mod can search with and read, but not change.
---@return wend.Costs
function Costs:readonly() end

---@class wend.Mod
---@field name string read only
---@field priority number read only
local Mod = {}

--- Sets the value of a tag, over the values of the game and of mods before this one.
---@param tag string
---@param value wend.TagCost|nil nil: removes the value
---@return wend.Mod self
function Mod:set(tag, value) end

--- The value of a tag as this mod has set it; nil: it has set none.
---@param tag string
---@return wend.TagCost|nil
function Mod:get(tag) end

--- Adds a rule about a tag. The name is private to the mod.
---@param name string
---@param tag string
---@param fn wend.TagFunction
---@param options? wend.RuleOptions
---@return wend.Mod self
function Mod:rule(name, tag, fn, options) end

--- Adds a rule about edges or steps. The name is private to the mod.
---@param name string
---@param fn wend.EdgeFunction|wend.StepFunction
---@param options? wend.EdgeRuleOptions
---@return wend.Mod self
function Mod:edge_rule(name, fn, options) end

--- Removes all rules of this mod with this name.
---@param name string
---@return wend.Mod self
function Mod:remove(name) end

--- Removes all values and rules of the mod. It keeps its place in the order.
---@return wend.Mod self
function Mod:reset() end

--- Runs fn(mine), which sets the values and rules anew. What it does not repeat is gone. If it raises, nothing changes.
---@param fn fun(mine: wend.Mod)
---@return wend.Mod self
function Mod:reload(fn) end

--- Runs the functions of tags once for an agent, and keeps the results. Queries take it as `costs`, without an agent.
---@param agent? any
---@return wend.ResolvedCosts
function Costs:resolve(agent) end

---@alias wend.PlainCost number|false|{ times: number, plus: number }

--- Costs that were resolved for one agent. They cannot be edited.
---@class wend.ResolvedCosts: wend.Costs
---@field agent any
---@field base wend.Costs the profile that was resolved
local ResolvedCosts = {}

--- What a tag costs this agent; 1 if nothing names it.
---@param tag string
---@return wend.PlainCost
function ResolvedCosts:get(tag) end

--- Whether the profile was edited since.
---@return boolean
function ResolvedCosts:stale() end

--- Runs the functions again, with the profile and the agent as they are now.
---@return wend.ResolvedCosts self
function ResolvedCosts:refresh() end

--- The edge rules that still run. They have no priority.
---@return wend.Rule[]
function ResolvedCosts:rules() end

---@class wend.RuleTime
---@field mod? string
---@field name string
---@field calls integer
---@field seconds number

-- Traces -----------------------------------------------------------------------------------------------------------

---@class wend.TraceRow
---@field node integer
---@field name? string
---@field visit? integer nil: not visited yet
---@field distance? number once visited
---@field temporary? number the best cost so far; nil: not reached
---@field previous? integer

---@class wend.TraceStep
---@field kind "start"|"visit"|"update"
---@field node integer the node that was visited last
---@field start integer
---@field title string
---@field table wend.TraceRow[] one for each node, in the order of ids
local TraceStep = {}

--- Three lists in the order of the table. Unknown distances are math.huge. Unknown previous nodes are the start.
---@return boolean[] found
---@return number[] distance
---@return integer[] previous
function TraceStep:arrays() end

--- The step as text; "table" is the default.
---@param form? "table"|"arrays"
---@return string
function TraceStep:text(form) end

---@class wend.Trace: { [integer]: wend.TraceStep }
---@field found boolean
---@field path? integer[] the nodes of the cheapest path
---@field cost? number of the path; nil: there is none
---@field message? string that there is no path
local Trace = {}

--- All steps as text; "table" is the default.
---@param form? "table"|"arrays"
---@return string
function Trace:text(form) end

return wend
