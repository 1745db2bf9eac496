---@meta wend
-- SPDX-License-Identifier: MIT
-- The public interface, for the Lua language server. Never required; doc/API.md says more.

--- A node: its id or its name.
---@alias wend.Node integer|string
---@alias wend.Edge integer

--- A position as one value.
---@alias wend.Point number[]|{ x: number, y: number }|{ x: number, y: number, z: number }

--- Says whether one can walk straight from one place to another: (x1, y1, x2, y2), in 3D (x1, y1, z1, x2, y2, z2).
---@alias wend.ClearFunction fun(...: number): boolean?

--- What can be asked that: a function, walls, a grid, or anything with such a method.
---@alias wend.Clear wend.ClearFunction|wend.Walls|wend.Grid|{ clear: fun(self: table, ...: number): boolean? }

--- Points to walk along: a flat list, a path (its points), or a route.
---@alias wend.Line number[]|wend.Path|wend.GridPath|wend.Route|wend.Curve

--- What a cell of a grid is: its weight; false: closed; its tag; or both.
---@alias wend.CellValue number|false|string|wend.Cell

---@class wend.Cell
---@field weight? number|false >= 0; false: closed; default 1
---@field tag? string

--- How a search can fail.
---@alias wend.FailureCode "no_path"|"budget"|"stale"

--- What a tag costs: a multiplier; false: closed; a multiplier and a price a passage; or a function that says so.
---@alias wend.TagCost number|false|wend.TagPrice|wend.TagFunction

---@class wend.TagPrice
---@field times? number multiplier, >= 0; default 1
---@field plus? number price a passage, >= 0; default 0

--- Asked once a search. Returns the factor (and a price a passage), false for closed, or nil for "as it was".
---@alias wend.TagFunction fun(agent: any, factor: number, tag: string): (number|false|nil, number?)

--- Asked for an edge. Returns the cost, false for closed, or nil for "as it was".
---@alias wend.EdgeFunction
---| fun(agent: any, cost: number, tag?: string, from: integer, to: integer, edge: integer): number|false|nil

--- Asked for a step of a grid. Returns the cost, false for closed, or nil for "as it was".
---@alias wend.StepFunction
---| fun(agent: any, cost: number, tag?: string, x1: integer, y1: integer, x2: integer, y2: integer): number|false|nil

--- Estimates the cost from a node to a goal; must not overestimate.
---@alias wend.HeuristicFunction fun(node: integer, goal: integer): number

--- Estimates the cost from a cell to a goal; must not overestimate.
---@alias wend.GridHeuristicFunction fun(x: integer, y: integer, goal_x: integer, goal_y: integer): number

---@alias wend.Heuristic "auto"|"zero"|"euclidean"|"manhattan"|"chebyshev"|"octile"

-- The module -------------------------------------------------------------------------------------------------------

---@class wend
---@field _VERSION string
---@field core wend.Core
local wend = {}

---@class wend.GraphOptions
---@field dimensions? 2|3 default 2

--- An empty graph.
---@param options? wend.GraphOptions
---@return wend.Graph
function wend.graph(options) end

---@class wend.GridOptions
---@field diagonals? "both_open"|"one_open"|"always"|"never" when a diagonal may be taken; default "both_open"
---@field cell? number the size of a cell in your world, > 0; default 1
---@field origin? wend.Point where the upper left corner of cell (1,1) is there; default { 0, 0 }

--- A grid of open cells of weight 1.
---@param width integer
---@param height integer
---@param options? wend.GridOptions
---@return wend.Grid
function wend.grid(width, height, options) end

--- A grid from a drawing. "#" (closed) and "." (open) need no legend.
---@param text string|string[] a text, or a list of rows
---@param legend? table<string, wend.CellValue> by character
---@param options? wend.GridOptions
---@return wend.Grid
function wend.parse_grid(text, legend, options) end

--- What a value is: the name of its type; nil: nothing of wend's.
---@param value any
---@return "graph"|"grid"|"search"|"path"|"field"|"walls"|"routes"|"costs"|"follower"|"trace"|"trace_step"|nil
function wend.type(value) end

---@class wend.CostsOptions
---@field default? wend.TagCost what tags that nobody set cost; default 1
---@field base? wend.Costs a profile to inherit from

--- A cost profile: what an agent thinks of the tags.
---@param rules? table<string, wend.TagCost>
---@param options? wend.CostsOptions
---@return wend.Costs
function wend.costs(rules, options) end

---@class wend.TraceOptions
---@field costs? wend.Costs
---@field agent? any
---@field cost? wend.EdgeFunction
---@field at_least? number
---@field algorithm? "astar"|"dijkstra"
---@field heuristic? wend.Heuristic|wend.HeuristicFunction

--- A search as a list of steps.
---@param graph wend.Graph
---@param from wend.Node
---@param to wend.Node|wend.Node[]
---@param options? wend.TraceOptions
---@return wend.Trace|nil trace
---@return string? message
---@return "stale"? code
function wend.trace(graph, from, to, options) end

---@class wend.ReadOptions
---@field max_bytes? number how many bytes a packed file may hold when it is unpacked; default 64 MiB

---@class wend.MapOptions: wend.GridOptions
---@field max_bytes? number how many bytes a packed file may hold when it is unpacked; default 64 MiB

--- Reads bot waypoints (.wpt, packed by gzip or not).
---@param file string
---@param options? wend.ReadOptions
---@return wend.Graph|nil graph 3D, directed
---@return string? message
---@return "io"|"format"|nil code
function wend.read_wpt(file, options) end

--- Reads a road network (.gr, with the .co beside it, packed by gzip or not).
---@param file string
---@param options? wend.ReadOptions
---@return wend.Graph|nil graph 2D, directed
---@return string? message
---@return "io"|"format"|nil code
function wend.read_gr(file, options) end

--- Reads a grid map of the Moving AI Lab (.map, packed by gzip or not): its letters as the tags ground, swamp, water.
---@param file string
---@param options? wend.MapOptions
---@return wend.Grid|nil grid
---@return string? message
---@return "io"|"format"|nil code
function wend.read_map(file, options) end

--- A problem: x1, y1, x2, y2, counted from 1.
---@class wend.Problem: { [integer]: integer }
---@field length number what the cheapest path costs
---@field map string the name of the map, as it stands in the file
---@field width integer of the map
---@field height integer

--- Reads the problems that belong to such a map (.scen, packed by gzip or not).
---@param file string
---@param options? wend.ReadOptions
---@return wend.Problem[]|nil problems
---@return string? message
---@return "io"|"format"|nil code
function wend.read_scen(file, options) end

---@class wend.TiledOptions
---@field diagonals? "both_open"|"one_open"|"always"|"never" of the grids; default "both_open"

--- A map made with Tiled. A unit of the world is a pixel.
---@class wend.TiledMap
---@field width integer of the grids, in cells
---@field height integer
---@field cell integer the width of a tile in pixels
---@field grids table<integer|string, wend.Grid> a grid for each layer of tiles, by number and by name
---@field grid? wend.Grid all layers of tiles in one
---@field graph? wend.Graph the nodes and edges among the objects
---@field walls? wend.Walls the walls among them
---@field names table<string, { x: number, y: number }> where each object with a name is

--- Reads a map made with Tiled, from its Lua export (tilesets embedded). Nothing in the file is run.
---@param map string|table the name of the file, or the table that it returns
---@param options? wend.TiledOptions
---@return wend.TiledMap|nil map
---@return string? message
---@return "io"|"format"|nil code
function wend.read_tiled(map, options) end

---@class wend.LoadOptions
---@field map? wend.Graph|wend.Grid of fields and route tables: what they are of
---@field costs? wend.Costs of fields and route tables: what they were made with
---@field agent? any
---@field cost? wend.EdgeFunction|wend.StepFunction
---@field at_least? number

--- What x:save has saved. Nothing in the file is believed, and nothing is run.
---@param file string
---@param options? wend.LoadOptions
---@return wend.Graph|wend.Grid|wend.Field|wend.Routes|nil
---@return string? message
---@return "io"|"format"|"stale"|nil code
function wend.load(file, options) end

--- The same of a string that x:encode has made.
---@param bytes string
---@param options? wend.LoadOptions
---@return wend.Graph|wend.Grid|wend.Field|wend.Routes|nil
---@return string? message
---@return "format"|"stale"|nil code
function wend.decode(bytes, options) end

--- A graph or a grid as plain text, the twin of its file: one thing a line, for diffs. Same map, same bytes.
---@param map wend.Graph|wend.Grid
---@return string
function wend.export(map) end

--- Walls, none at first.
---@return wend.Walls
function wend.walls() end

---@class wend.CurveOptions
---@field curve? "catmull_rom"|"hermite"|"linear" default "catmull_rom"
---@field spacing? number how far apart the points are, at most; > 0, default a 16th of the mean leg
---@field clear? wend.Clear a leg that would run into something stays straight
---@field loop? boolean from the last point to the first as well
---@field dimensions? 2|3 default: what the points say, or 2

--- Points along a curve, flat.
---@class wend.Curve: { [integer]: number }
---@field dimensions 2|3
---@field legs integer[] for each point but the last, the number of the leg it belongs to

--- A smooth line through all the points, as a denser list.
---@param points wend.Line
---@param options? wend.CurveOptions
---@return wend.Curve
function wend.curve(points, options) end

--- From a to b: a at v = 0, b at v = 1.
---@param a number
---@param b number
---@param v number
---@return number
function wend.lerp(a, b, v) end

--- The cubic from p0 at v = 0 to p1 at v = 1, with the slopes m0 and m1 there.
---@param p0 number
---@param m0 number
---@param p1 number
---@param m1 number
---@param v number
---@return number
function wend.hermite(p0, m0, p1, m1, v) end

---@class wend.FollowOptions
---@field speed? number units a second, >= 0; default 1
---@field curve? "linear"|"hermite"|"catmull_rom" default "linear"
---@field clear? wend.Clear what the curve must not run into
---@field spacing? number how fine the curve is, > 0; default a 16th of the mean leg
---@field loop? boolean from the last point to the first and on, for ever
---@field dimensions? 2|3 default: what the points say, or 2

--- Something that walks along points; it stands on the first one.
---@param points wend.Line
---@param options? wend.FollowOptions
---@return wend.Follower
function wend.follow(points, options) end

---@class wend.SvgOptions
---@field path? wend.Path|wend.GridPath|wend.Path[]|wend.GridPath[] of this map
---@field route? number[]|number[][] points, or a list of such
---@field points? number[]|number[][] likewise
---@field field? wend.Field of this map
---@field walls? wend.Walls
---@field costs? wend.Costs what is closed for this agent is drawn so
---@field agent? any
---@field width? number of the picture in pixels, 100 to 100000; default 800
---@field labels? boolean names of nodes; default true
---@field legend? boolean default true
---@field title? string

--- A picture: an SVG document.
---@param map? wend.Graph|wend.Grid|wend.Walls
---@param options? wend.SvgOptions
---@return string
function wend.svg(map, options) end

--- The C module, without the helpers in Lua.
---@class wend.Core
---@field version string
local core = {}

---@param value any
---@return string?
function core.type(value) end

---@param options? wend.GraphOptions
---@return wend.Graph
function core.graph(options) end

---@param width integer
---@param height integer
---@param options? wend.GridOptions
---@return wend.Grid
function core.grid(width, height, options) end

---@param text string|string[]
---@param legend? table<string, wend.CellValue>
---@param options? wend.GridOptions
---@return wend.Grid
function core.parse_grid(text, legend, options) end

---@return wend.Walls
function core.walls() end

---@param bytes string
---@param options? wend.LoadOptions
---@return wend.Graph|wend.Grid|wend.Field|wend.Routes|nil
---@return string? message
---@return "format"|"stale"|nil code
function core.decode(bytes, options) end

--- A search that expands in a fixed order and can be looked into: what wend.trace is made of.
---@param graph wend.Graph
---@param from wend.Node
---@param to wend.Node|wend.Node[]
---@param options? wend.PathOptions
---@return wend.Search
function core.watch(graph, from, to, options) end

--- What such a search knows of a node; nothing where it has not reached it.
---@param search wend.Search
---@param node wend.Node
---@return integer? visit 0: not yet
---@return number? cost
---@return integer? previous
function core.label(search, node) end

--- Bytes of search state a node.
---@return integer
function core.search_bytes() end

--- What gzip data holds, at most max_bytes of it.
---@param packed string
---@param max_bytes number
---@return string|nil data
---@return integer? unpacked how many bytes could be unpacked
---@return "format"|"budget"|nil code
function core.unpack(packed, max_bytes) end

-- Graphs -----------------------------------------------------------------------------------------------------------

---@class wend.Graph
local Graph = {}

---@class wend.NodeOptions
---@field name? string unique within the graph
---@field radius? number how far from the node points may be moved, >= 0; 0: not at all; default: no limit

--- Adds a node; without a position its edges need a weight.
---@param x number
---@param y number
---@param options? wend.NodeOptions
---@return integer node
---@overload fun(self: wend.Graph, options?: wend.NodeOptions): integer
---@overload fun(self: wend.Graph, x: number, y: number, z: number, options?: wend.NodeOptions): integer
function Graph:add_node(x, y, options) end

--- Adds many nodes.
---@param points number[] flat: x1, y1, x2, y2, ...
---@return integer? first nothing where the list is empty
---@return integer? last
function Graph:add_nodes(points) end

---@class wend.EdgeOptions
---@field weight? number >= 0; default: the distance
---@field tag? string
---@field directed? boolean default false

---@param from wend.Node
---@param to wend.Node
---@param options? wend.EdgeOptions
---@return wend.Edge edge
function Graph:add_edge(from, to, options) end

---@class wend.EdgesOptions
---@field weights? number[] one an edge
---@field tag? string of all of them
---@field directed? boolean all of them

--- Adds many edges.
---@param pairs wend.Node[] flat: from, to, from, to, ...
---@param options? wend.EdgesOptions
---@return wend.Edge? first nothing where the list is empty
---@return wend.Edge? last
function Graph:add_edges(pairs, options) end

--- Removes a node and the edges at it.
---@param node wend.Node
---@return wend.Graph self
function Graph:remove_node(node) end

---@param edge wend.Edge
---@return wend.Graph self
function Graph:remove_edge(edge) end

---@param node wend.Node
---@return boolean
function Graph:has(node) end

---@param edge wend.Edge
---@return boolean
function Graph:has_edge(edge) end

--- Closes a node for everybody: it cannot be entered.
---@param node wend.Node
---@return wend.Graph self
function Graph:close(node) end

---@param node wend.Node
---@return wend.Graph self
function Graph:open(node) end

---@param node wend.Node
---@return boolean
function Graph:is_closed(node) end

---@param edge wend.Edge
---@return wend.Graph self
function Graph:close_edge(edge) end

---@param edge wend.Edge
---@return wend.Graph self
function Graph:open_edge(edge) end

---@param name string
---@return integer? node
function Graph:node(name) end

---@param node wend.Node
---@return string? name
function Graph:name(node) end

---@param node wend.Node
---@param name? string nil: no name any more
---@return wend.Graph self
function Graph:set_name(node, name) end

---@param node wend.Node
---@return number? x nil: it has no position
---@return number? y
---@return number? z
function Graph:position(node) end

--- Moves a node, and remeasures the edges whose weight is their length.
---@param node wend.Node
---@param x number
---@param y number
---@param z? number in 3D
---@return wend.Graph self
function Graph:move(node, x, y, z) end

--- How far from the node points may be moved; nil: no limit.
---@param node wend.Node
---@return number|nil
function Graph:radius(node) end

--- How far from the node points may be moved. 0: not at all, as in a doorway; nil: no limit.
---@param node wend.Node
---@param radius number|nil
---@return wend.Graph self
function Graph:set_radius(node, radius) end

--- Whether the weight of an edge is its length, and stays so when a node is moved.
---@param edge wend.Edge
---@return boolean
function Graph:is_measured(edge) end

---@class wend.EdgeInfo
---@field from integer
---@field to integer
---@field weight number
---@field length? number nil where an end has no position
---@field tag? string
---@field directed boolean
---@field closed boolean

---@param edge wend.Edge
---@return wend.EdgeInfo
function Graph:edge(edge) end

---@param a wend.Node
---@param b wend.Node
---@return wend.Edge? edge
function Graph:edge_between(a, b) end

---@param edge wend.Edge
---@param weight? number nil: the length again
---@return wend.Graph self
function Graph:set_weight(edge, weight) end

---@param edge wend.Edge
---@param tag? string nil: no tag any more
---@return wend.Graph self
function Graph:set_tag(edge, tag) end

--- What leaves a node: for edge, neighbour, weight, tag in g:edges(node) do ... end
---@param node wend.Node
---@return fun(): wend.Edge, integer, number, string|nil
function Graph:edges(node) end

--- All nodes: for node in g:nodes() do ... end
---@return fun(graph: wend.Graph, node?: integer): integer
---@return wend.Graph
function Graph:nodes() end

---@return integer
function Graph:node_count() end

---@return integer
function Graph:edge_count() end

---@return 2|3
function Graph:dimensions() end

--- Memory held.
---@return integer nodes
---@return integer edges
function Graph:bytes() end

-- Paths ------------------------------------------------------------------------------------------------------------

---@class wend.Stats
---@field expanded? integer nodes expanded
---@field pushed? integer entries put into the open list
---@field callbacks? integer edges that a function was asked about
---@field bound? number the least cost per length that the heuristic relied on; 0: it did without

---@class wend.PathOptions: wend.TraceOptions
---@field max_expanded? integer budget
---@field max_cost? number budget
---@field partial? boolean where the goal is out of reach: the path to what is nearest to it
---@field variation? number a path by the seed that costs at most 1 + variation times the cheapest; >= 0, default 0
---@field seed? number a finite number
---@field into? table a table to fill
---@field stats? wend.Stats a table to fill

--- The cheapest path.
---@param from wend.Node
---@param to wend.Node|wend.Node[] a list: the cheapest to reach
---@param options? wend.PathOptions
---@return wend.Path|nil path
---@return string? message
---@return wend.FailureCode? code
function Graph:path(from, to, options) end

--- The same search, a slice at a time.
---@param from wend.Node
---@param to wend.Node|wend.Node[]
---@param options? wend.PathOptions
---@return wend.Search
function Graph:search(from, to, options) end

--- One search, every start.
---@param goals wend.Node|wend.Node[]
---@param options? wend.FieldOptions
---@return wend.Field|nil field
---@return string? message
---@return "budget"|"stale"|nil code
function Graph:field(goals, options) end

---@class wend.NearestOptions
---@field max_distance? number >= 0
---@field k? integer so many, as two lists; not of edges
---@field can_reach? wend.Node|wend.Node[]|wend.Field only what leads to one of them
---@field reachable_from? wend.Node|wend.Node[]|wend.Field only what one gets to from them; a field made with `outward`
---@field clear? wend.Clear only where the straight line is free
---@field costs? wend.Costs for whom the two hold
---@field agent? any
---@field cost? wend.EdgeFunction
---@field at_least? number

--- The nearest node; with k, lists of nodes and of distances.
---@param x number
---@param y number
---@param options? wend.NearestOptions
---@return integer|integer[]|nil node nil: there is none
---@return number|number[]|string|nil distance or the message
---@return "stale"? code, where on_error has edited the graph
---@overload fun(self, x: number, y: number, z: number, options?: wend.NearestOptions): any, any
---@overload fun(self, position: wend.Point, options?: wend.NearestOptions): any, any
function Graph:nearest(x, y, options) end

--- The nearest edge, and its nearest point.
---@param x number
---@param y number
---@param options? wend.NearestOptions
---@return wend.Edge? edge nil: there is none
---@return number|string|nil x or the message
---@return number|"stale"|nil y or the code, where on_error has edited the graph
---@return number? distance in 3D z comes first
---@overload fun(self, x: number, y: number, z: number, options?: wend.NearestOptions): wend.Edge?, any, any, any, any
---@overload fun(self, position: wend.Point, options?: wend.NearestOptions): wend.Edge?, any, any, any, any
function Graph:nearest_edge(x, y, options) end

---@class wend.LinkNearestOptions
---@field k? integer to so many of the nearest, >= 1; default 4
---@field max_distance? number >= 0
---@field walls? wend.Walls that must not lie between
---@field clear? wend.Clear what else must find the line free
---@field tag? string of all edges made
---@field directed? boolean default false

--- Makes edges from each node to the nearest others, where nothing lies between.
---@param options? wend.LinkNearestOptions
---@return integer count how many were made
function Graph:link(options) end

---@class wend.CheckOptions
---@field allow? string[] tags that may lead one way
---@field costs? wend.Costs
---@field agent? any
---@field cost? wend.EdgeFunction|wend.StepFunction
---@field at_least? number

--- A component that can be entered and not left.
---@class wend.Trap
---@field nodes integer[] of a grid x, y, x, y, ...
---@field entries integer[] edges that lead in; of a grid x, y from and to
---@field message string

--- Lists of nodes; of a grid flat, x and y.
---@class wend.Findings
---@field connected boolean
---@field components integer[][] strongly connected ones, the largest first
---@field isolated integer[] no way in or out
---@field sinks integer[] ways in, none out
---@field sources integer[] ways out, none in
---@field traps wend.Trap[]

--- What can be reached from where, as somebody sees it.
---@param options? wend.CheckOptions
---@return wend.Findings|nil findings
---@return string? message
---@return "stale"? code, where on_error has edited the map
function Graph:check(options) end

--- All of it as bytes, the same on every machine; for wend.decode.
---@return string
function Graph:encode() end

--- The same into a file, for wend.load.
---@param file string
---@return true|nil
---@return string? message
---@return "io"|nil code
function Graph:save(file) end

---@class wend.RoutesOptions
---@field costs? wend.Costs
---@field agent? any
---@field cost? wend.EdgeFunction
---@field at_least? number
---@field progress? fun(done: integer, total: integer) told now and then

--- All paths, worked out beforehand.
---@param options? wend.RoutesOptions
---@return wend.Routes|nil routes
---@return string? message
---@return "stale"? code, where on_error has edited the map
function Graph:routes(options) end

---@class wend.RouteOptions: wend.PathOptions
---@field max_distance? number of the ways on and off, each; >= 0
---@field enter? "node"|"edge" on and off at nodes (default), or at the nearest points of edges
---@field clear? wend.Clear ways on and off must be free; the straight line is taken where it is free and no dearer
---@field jitter? number points of nodes are moved at random within this distance; needs a seed

--- A flat list of points.
---@class wend.Route: { [integer]: number }
---@field cost number
---@field nodes integer[] the nodes it goes by
---@field dimensions 2|3
---@field partial? true it ends at a node, short of the goal

--- From any position to any position: on to the graph, along it, off it.
---@param from wend.Point|wend.Node
---@param to wend.Point|wend.Node
---@param options? wend.RouteOptions
---@return wend.Route|nil route
---@return string? message
---@return wend.FailureCode? code
function Graph:route(from, to, options) end

---@class wend.Search
local Search = {}

--- Expands at most n nodes.
---@param n integer
---@return "running"|"found"|"failed"
function Search:step(n) end

--- The result, once step has returned "found" or "failed".
---@return wend.Path|nil path
---@return string? message
---@return wend.FailureCode? code
function Search:path() end

--- An array of node ids.
---@class wend.Path: { [integer]: integer }
---@field cost number
---@field partial? true it leads only near the goal
---@field map wend.Graph
---@field costs? wend.Costs
---@field agent? any
---@field callback? wend.EdgeFunction
---@field trail userdata
local Path = {}

--- for i, node in path:each() do ... end
---@return fun(path: wend.Path, i: integer): integer, integer
---@return wend.Path
---@return integer
function Path:each() end

---@class wend.PointsOptions
---@field jitter? number each point is moved at random within this distance; needs a seed
---@field seed? number a finite number
---@field clear? wend.Clear a leg that is free stays free

--- The coordinates, flat.
---@param options? wend.PointsOptions
---@return number[]
function Path:points(options) end

---@return wend.Edge[]
function Path:edges() end

--- False once an edit or a closing has touched a node or an edge of it.
---@return boolean
function Path:valid() end

---@class wend.ExplainOptions
---@field costs? wend.Costs
---@field agent? any
---@field cost? wend.EdgeFunction
---@field at_least? number

---@class wend.ExplainedRule
---@field name string
---@field cost number what the edge cost after it

---@class wend.ExplainedEdge
---@field edge wend.Edge
---@field from integer
---@field to integer
---@field weight number
---@field tag? string
---@field cost number
---@field rules wend.ExplainedRule[] in the order in which they were applied

--- What each edge costs, and by which rules.
---@param options? wend.ExplainOptions default: what the path was found with
---@return wend.ExplainedEdge[]|nil steps
---@return string? message
---@return "stale"? code, where on_error has edited the map
function Path:explain(options) end

-- Grids ------------------------------------------------------------------------------------------------------------

---@class wend.Grid
local Grid = {}

---@return integer
function Grid:width() end

---@return integer
function Grid:height() end

--- Memory held.
---@return integer
function Grid:bytes() end

---@param x integer
---@param y integer
---@return number|false weight false: closed
---@return string? tag
function Grid:get(x, y) end

---@param x integer
---@param y integer
---@param value wend.CellValue
---@return wend.Grid self
function Grid:set(x, y, value) end

--- Sets all cells, or those of a rectangle.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param value wend.CellValue
---@return wend.Grid self
---@overload fun(self: wend.Grid, value: wend.CellValue): wend.Grid
function Grid:fill(x1, y1, x2, y2, value) end

--- Asks what each cell is, row by row.
---@param fn fun(x: integer, y: integer): wend.CellValue|nil nil: as it was
---@return wend.Grid self
function Grid:map(fn) end

--- A wall between two neighbours.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param closed? boolean false: takes the wall away; default true
---@return wend.Grid self
function Grid:wall(x1, y1, x2, y2, closed) end

---@class wend.LinkOptions
---@field weight? number >= 0, default 1
---@field tag? string
---@field directed? boolean default false

--- A step from a cell to any other: stairs, teleporters.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param options? wend.LinkOptions
---@return wend.Grid self
function Grid:link(x1, y1, x2, y2, options) end

--- Takes away what links there are between two cells.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@return wend.Grid self
function Grid:unlink(x1, y1, x2, y2) end

--- The cell at a point of your world.
---@param x number
---@param y number
---@return integer? x nil: outside of the grid
---@return integer? y
function Grid:cell_at(x, y) end

---@class wend.GridPathOptions
---@field costs? wend.Costs
---@field agent? any
---@field cost? wend.StepFunction
---@field at_least? number
---@field algorithm? "astar"|"dijkstra"
---@field heuristic? wend.Heuristic|wend.GridHeuristicFunction
---@field max_expanded? integer budget
---@field max_cost? number budget
---@field partial? boolean where the goal is out of reach: the path to what is nearest to it
---@field variation? number a path by the seed that costs at most 1 + variation times the cheapest; >= 0, default 0
---@field seed? number a finite number
---@field into? table a table to fill
---@field stats? wend.Stats a table to fill

--- The cheapest path.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param options? wend.GridPathOptions
---@return wend.GridPath|nil path
---@return string? message
---@return wend.FailureCode? code
---@overload fun(self, x1: integer, y1: integer, goals: integer[], options?: wend.GridPathOptions): wend.GridPath?
function Grid:path(x1, y1, x2, y2, options) end

--- The same search, a slice at a time.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param options? wend.GridPathOptions
---@return wend.GridSearch
---@overload fun(self, x1: integer, y1: integer, goals: integer[], options?: wend.GridPathOptions): wend.GridSearch
function Grid:search(x1, y1, x2, y2, options) end

---@class wend.GridSearch
---@field step fun(self: wend.GridSearch, n: integer): "running"|"found"|"failed"
---@field path fun(self: wend.GridSearch): wend.GridPath?, string?, wend.FailureCode?

---@class wend.ExplainedStep
---@field from_x integer
---@field from_y integer
---@field to_x integer
---@field to_y integer
---@field weight number length x weight
---@field tag? string
---@field cost number
---@field rules wend.ExplainedRule[] in the order in which they were applied

--- Returns i, x, y.
---@alias wend.CellIterator fun(path: wend.GridPath, i: integer): integer, integer, integer

--- Flat cells: x1, y1, x2, y2, ...
---@class wend.GridPath: { [integer]: integer }
---@field cost number
---@field partial? true it leads only near the goal
---@field map wend.Grid
---@field costs? wend.Costs
---@field agent? any
---@field callback? wend.StepFunction
---@field trail userdata
---@field each fun(self: wend.GridPath): wend.CellIterator, wend.GridPath, integer
---@field points fun(self: wend.GridPath, options?: wend.PointsOptions): number[]
---@field valid fun(self: wend.GridPath): boolean
---@field explain fun(self: wend.GridPath, options?: wend.WalkOptions): wend.ExplainedStep[]

--- For whom.
---@class wend.WalkOptions
---@field costs? wend.Costs
---@field agent? any
---@field cost? wend.StepFunction
---@field at_least? number

--- Whether the straight line between the middles of two cells is free.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param options? wend.WalkOptions
---@return boolean|nil clear
---@return string? message
---@return "stale"? code, where on_error has edited the map
function Grid:clear(x1, y1, x2, y2, options) end

--- The same between two points of your world.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param options? wend.WalkOptions
---@return boolean|nil clear
---@return string? message
---@return "stale"? code, where on_error has edited the map
function Grid:clear_points(x1, y1, x2, y2, options) end

---@class wend.StraightenOptions: wend.WalkOptions
---@field into? table a table to fill

--- A path without needless corners, never dearer.
---@param path wend.GridPath
---@param options? wend.StraightenOptions
---@return wend.GridPath|nil path
---@return string? message
---@return "stale"? code
function Grid:straighten(path, options) end

--- What can be reached from where, as somebody sees it.
---@param options? wend.CheckOptions
---@return wend.Findings|nil findings
---@return string? message
---@return "stale"? code, where on_error has edited the map
function Grid:check(options) end

--- All of it as bytes, the same on every machine; for wend.decode.
---@return string
function Grid:encode() end

--- The same into a file, for wend.load.
---@param file string
---@return true|nil
---@return string? message
---@return "io"|nil code
function Grid:save(file) end

--- Each wall once: for x1, y1, x2, y2 in grid:walls() do ... end
---@return fun(): integer, integer, integer, integer
function Grid:walls() end

--- Each link, one direction at a time: for x1, y1, x2, y2, weight, tag in grid:links() do ... end
---@return fun(): integer, integer, integer, integer, number, string?
function Grid:links() end

---@return "both_open"|"one_open"|"always"|"never"
function Grid:diagonals() end

---@return number
function Grid:cell_size() end

--- Where cell (1,1) begins.
---@return number x
---@return number y
function Grid:origin() end

-- Fields -----------------------------------------------------------------------------------------------------------

---@class wend.FieldOptions
---@field values? number[] one a goal: what it costs to be there; default 0
---@field costs? wend.Costs
---@field agent? any
---@field cost? wend.EdgeFunction|wend.StepFunction
---@field at_least? number
---@field outward? boolean from the goals to the others
---@field max_cost? number what costs more is not reached
---@field window? integer of grids: at most so many columns and rows from a goal
---@field max_expanded? integer budget
---@field into? wend.Field a field to use again
---@field stats? wend.Stats a table to fill

--- One search, every start.
---@param x integer
---@param y integer
---@param options? wend.FieldOptions
---@return wend.Field|nil field
---@return string? message
---@return "budget"|"stale"|nil code
---@overload fun(self: wend.Grid, goals: integer[], options?: wend.FieldOptions): wend.Field?, string?, string?
function Grid:field(x, y, options) end

--- Of a grid or of a graph: a place is x, y there, a node here.
---@class wend.Field
local Field = {}

--- What the path from there costs; nil: it is not reached.
---@param x integer
---@param y integer
---@return number?
---@overload fun(self: wend.Field, node: wend.Node): number?
function Field:cost(x, y) end

--- The step to take from there.
---@param x integer
---@param y integer
---@return integer? x nil: a goal, or not reached
---@return integer|string|nil y or the message
---@return "stale"? code, after arithmetic
---@overload fun(self: wend.Field, node: wend.Node): integer?
function Field:next(x, y) end

---@param x integer
---@param y integer
---@return wend.GridPath|nil path
---@return string? message
---@return "no_path"|nil code
---@overload fun(self: wend.Field, node: wend.Node): wend.Path?, string?, "no_path"?
function Field:path(x, y) end

--- The goal that the path leads to.
---@param x integer
---@param y integer
---@return integer? x
---@return integer? y
---@overload fun(self: wend.Field, node: wend.Node): integer?
function Field:goal(x, y) end

--- All that is reached and not closed: for x, y, cost in field:each() do ... end; of a graph: node, cost.
---@return fun(): integer, integer|number, number?
function Field:each() end

--- Memory held.
---@return integer
function Field:bytes() end

--- Whether the map has changed since.
---@return boolean
function Field:stale() end

--- All of it as bytes, the same on every machine; for wend.decode.
---@return string|nil bytes
---@return string? message
---@return "stale"? code
function Field:encode() end

--- The same into a file, for wend.load.
---@param file string
---@return true|nil
---@return string? message
---@return "io"|"stale"|nil code
function Field:save(file) end

--- Adds k times the costs of another field of the same map.
---@param other wend.Field
---@param k? number default 1
---@return wend.Field self
function Field:add(other, k) end

---@param k number
---@return wend.Field self
function Field:scale(k) end

--- Makes costs hang together again after arithmetic.
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

--- What it costs; nil: there is no way.
---@param a wend.Node
---@param b wend.Node
---@return number|nil cost
---@return string? message
---@return "stale"? code
function Routes:cost(a, b) end

--- The first step on the way; nil: there is none.
---@param a wend.Node
---@param b wend.Node
---@return integer|nil node
---@return integer|string|nil edge or the message
---@return "stale"? code
function Routes:next(a, b) end

--- Memory held.
---@return integer
function Routes:bytes() end

--- All of it as bytes, the same on every machine; for wend.decode.
---@return string|nil bytes
---@return string? message
---@return "stale"? code
function Routes:encode() end

--- The same into a file, for wend.load.
---@param file string
---@return true|nil
---@return string? message
---@return "io"|"stale"|nil code
function Routes:save(file) end

-- Walls ------------------------------------------------------------------------------------------------------------

---@class wend.Walls
local Walls = {}

---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@return wend.Walls self
function Walls:add_segment(x1, y1, x2, y2) end

--- Solid.
---@param points number[] the corners, flat, at least 3
---@return wend.Walls self
function Walls:add_polygon(points) end

--- Solid.
---@param x number
---@param y number
---@param r number >= 0
---@return wend.Walls self
function Walls:add_circle(x, y, r) end

--- Whether every point of the line is farther than radius from every wall.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param radius? number >= 0, default 0
---@return boolean
function Walls:clear(x1, y1, x2, y2, radius) end

--- What was added: for kind, numbers in walls:each() do ... end
---@return fun(walls: wend.Walls): "segment"|"polygon"|"circle", number[]
---@return wend.Walls
function Walls:each() end

--- How many were added.
---@return integer
function Walls:count() end

--- Memory held.
---@return integer
function Walls:bytes() end

-- Followers --------------------------------------------------------------------------------------------------------

---@class wend.Follower
---@field x number where it is
---@field y number
---@field z? number in 3D
---@field heading number radians from +x toward +y, -pi to pi
---@field leg integer the leg that it is on, from 1; 0 on the way to the first point after retarget
---@field done boolean at the end
---@field speed number units a second, >= 0; may be set
---@field points number[] what it walks along; not for changing
local Follower = {}

--- Walks on for dt seconds.
---@param dt number >= 0
---@return number x
---@return number y
---@return number? z
function Follower:update(dt) end

--- How far it is to the end; math.huge on a loop.
---@return number
function Follower:remaining() end

--- Sends it along other points, from where it is.
---@param points wend.Line
---@return wend.Follower self
function Follower:retarget(points) end

-- Costs ------------------------------------------------------------------------------------------------------------

---@class wend.Costs
---@field on_error? fun(name: string, message: string) called when a rule raises
---@field base? wend.Costs the profile that it inherits from; read only
local Costs = {}

---@param tag string
---@param value wend.TagCost|nil nil: as nobody had set it
---@return wend.Costs self
function Costs:set(tag, value) end

---@param tag string
---@return wend.TagCost|nil
function Costs:get(tag) end

---@class wend.RuleOptions
---@field priority? number default 0; the lower, the earlier

---@param name string
---@param tag string
---@param fn wend.TagFunction
---@param options? wend.RuleOptions
---@return wend.Costs self
function Costs:rule(name, tag, fn, options) end

---@class wend.EdgeRuleOptions: wend.RuleOptions
---@field tags? string[] only about edges with these tags
---@field at_least? number promise: never below this share, 0 to 1, of the cost it is handed

---@param name string
---@param fn wend.EdgeFunction
---@param options? wend.EdgeRuleOptions
---@return wend.Costs self
function Costs:edge_rule(name, fn, options) end

--- Takes away all rules of a name.
---@param name string
---@return wend.Costs self
function Costs:remove(name) end

---@class wend.Rule
---@field name string
---@field tag? string of a tag rule
---@field tags? string[] of an edge rule
---@field priority number
---@field at_least? number of an edge rule
---@field fn function

--- The rules in the order in which they apply, inherited ones too.
---@return wend.Rule[]
function Costs:rules() end

-- Traces -----------------------------------------------------------------------------------------------------------

---@class wend.TraceRow
---@field node integer
---@field name? string
---@field visit? integer nil: not visited yet
---@field distance? number once visited
---@field temporary? number the value so far; nil: not reached
---@field previous? integer

---@class wend.TraceStep
---@field kind "start"|"visit"|"update"
---@field node integer the node that was visited last
---@field start integer
---@field title string
---@field table wend.TraceRow[] one a node, in the order of ids
local TraceStep = {}

--- Three lists in the order of the table. Unknown distances are math.huge, unknown previous nodes the start.
---@return boolean[] found
---@return number[] distance
---@return integer[] previous
function TraceStep:arrays() end

---@param form? "table"|"arrays"
---@return string
function TraceStep:text(form) end

---@class wend.Trace: { [integer]: wend.TraceStep }
---@field found boolean
---@field path? wend.Path
---@field cost? number
---@field message? string why there is no path
local Trace = {}

---@param form? "table"|"arrays"
---@return string
function Trace:text(form) end

return wend
