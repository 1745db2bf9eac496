---@meta wend
-- SPDX-License-Identifier: MIT
-- Generated from doc/api/*.md; edit those, and run make reference.
-- The public interface, as annotations for the Lua language server. No program loads this file.

--- position and options
---@class wend.NewNode
---@field name? string a string that no other node of this graph has
---@field radius? number how far from the node varied points may be, >= 0. Default: no limit
---@field tag? string a word for the node, such as `"gate"`: see tags of nodes
---@field x number
---@field y number
---@field z? number

---@class wend.EdgeInfo
---@field from integer
---@field to integer
---@field weight number
---@field length? number
---@field tag? string
---@field directed boolean
---@field closed boolean
---@field width? number

--- a value with several parts
---@class wend.Cell
---@field weight? number|false
---@field tag? string
---@field closed? boolean

--- the value of a cell
---@alias wend.CellValue number|false|string|wend.Cell

--- what a block is
---@alias wend.BlockKind "solid"|"air"|"water"|"ladder"|"door"

--- the same with a tag, and the weight of a step of length 1 onto it, 1e-6 .. 1e6, default 1
---@class wend.BlockClass
---@field kind wend.BlockKind
---@field tag? string
---@field cost? number

---@class wend.ExplainedEdges: { [integer]: wend.ExplainedEdge }
---@field cost number

---@class wend.ExplainedSteps: { [integer]: wend.ExplainedStep }
---@field cost number

--- why a step cannot be taken
---@alias wend.CauseName "closed"|"tag"|"rule"|"wall"|"corner"|"one_way"|"no_edge"|"outside"|"width"

---@class wend.Comparison: { [integer]: wend.Stretch }
---@field cost number
---@field other_cost number
---@field difference number

--- what is due to a tag
---@class wend.TagShare
---@field tag? string
---@field steps integer
---@field other_steps integer
---@field cost number
---@field other_cost number
---@field difference number

--- what is due to a rule
---@class wend.RuleShare
---@field name string
---@field mod? string
---@field cost number
---@field other_cost number
---@field difference number

--- `entries`: the edges that lead in; `message`: a sentence for people
---@class wend.Trap
---@field nodes integer[]
---@field entries integer[]
---@field message string

--- an edge
---@class wend.Narrow
---@field edge integer
---@field from integer
---@field to integer
---@field cause "width"
---@field width number
---@field message string

--- an edge
---@class wend.Walled
---@field edge integer
---@field from integer
---@field to integer
---@field cause "wall"
---@field message string

--- two nodes
---@class wend.TooClose
---@field a integer
---@field b integer
---@field distance number
---@field message string

--- an edge with its ends, or a node with its nearest
---@class wend.TooFar
---@field edge? integer
---@field from? integer
---@field to? integer
---@field node? integer
---@field nearest? integer
---@field distance number
---@field message string

---@class wend.Chokepoint
---@field node? integer
---@field edge? wend.Edge
---@field from? integer
---@field to? integer
---@field x? integer
---@field y? integer
---@field to_x? integer
---@field to_y? integer
---@field cuts integer

---@class wend.Cause
---@field cause "closed"|"tag"|"one_way"|"width"|"wall"|"rule"|"no_edge"|"outside"
---@field tag? string
---@field rule? string
---@field mod? string

---@class wend.Obstacle
---@field cause "closed"|"tag"|"one_way"|"width"|"wall"|"rule"|"no_edge"|"outside"
---@field tag? string
---@field rule? string
---@field mod? string
---@field also? wend.Cause[]
---@field node? integer
---@field edge? integer
---@field from? integer
---@field to? integer
---@field x? integer
---@field y? integer
---@field to_x? integer
---@field to_y? integer
---@field link? boolean

--- the value of a tag
---@alias wend.TagCost number|false|wend.TagPrice|wend.TagFunction

--- a factor and a price, each >= 0, default 1 and 0, and whether a step ends the turn. A value that is a function
--- leaves this as it is inherited
---@class wend.TagPrice
---@field times? number
---@field plus? number
---@field ends_turn? boolean

---@class wend.RuleTime
---@field mod? string
---@field name string
---@field calls integer
---@field seconds number

--- why a walker is lost. `"gone"`: the target of a chase is gone
---@alias wend.LostCode wend.FailureCode|"gone"|"error"

---@alias wend.RequestCode wend.FailureCode|"cancelled"|"error"

--- a tile: its number in its tileset, its class, the name of the tileset; its properties, with those of its class; and
--- its shapes
---@class wend.Tile
---@field id integer
---@field class? string
---@field tileset? string
---@field properties table<string, any>
---@field shapes wend.TileShape[]

--- a shape, in pixels of the tile: `"rectangle"`, `"ellipse"`, `"polygon"` or `"polyline"`; `points`: the corners of
--- the last two
---@class wend.TileShape
---@field shape string
---@field x number
---@field y number
---@field width number
---@field height number
---@field rotation number
---@field class? string
---@field properties table<string, any>
---@field points? number[]

---@class wend.SlicedPrepareOptions
---@field landmarks? integer 1 to 16, default 16 for graphs and 8 for grids. With a number, a grid gets tables also where all open cells are alike
---@field costs? wend.Costs the profile that the tables are for; default: the weights. Its tag functions run once. Its edge rules are ignored
---@field agent? any the profile that the tables are for; default: the weights. Its tag functions run once. Its edge rules are ignored
---@field on_progress? fun(share: number) is called from time to time with the share that is done, at the end with 1
---@field threads? integer how many threads may work at the same time, default 1. More than two gain nothing. On grids the second one takes 4 more bytes for each cell meanwhile
---@field sliced true

---@class wend.PrepareReport
---@field landmarks integer
---@field bytes integer
---@field seconds number
---@field used boolean
---@field reason? string

---@alias wend.TypeName "graph"|"grid"|"search"|"path"|"field"|"walls"|"routes"|"costs"|"mod"|"influence"|"surface"|"watch"|"follower"|"crowd"|"walker"|"level"|"queue"|"request"|"comparison"|"why"

--- a node: its id, from 1, or its name
---@alias wend.Node integer|string

--- an edge: its id, from 1
---@alias wend.Edge integer

--- a position or a cell as one value: a table, userdata or cdata with these fields
---@class wend.XY
---@field x number
---@field y number
---@field z? number

--- a position: `{x, y}`, in 3 dimensions `{x, y, z}`, or anything with fields `x`, `y`[, `z`]
---@alias wend.Point number[]|wend.XY

--- one cell, or a flat list of cells
---@alias wend.Cells wend.XY|integer[]

--- points to walk along: a flat list, a path (its points), or a route
---@alias wend.Line number[]|wend.Path|wend.GridPath|wend.Route|wend.GridRoute|wend.Curve

--- whether the straight line between two positions is free: (x1, y1, x2, y2), in 3 dimensions (x1, y1, z1, x2, y2, z2)
---@alias wend.ClearFunction fun(...: number): boolean?

--- a test of straight lines
---@alias wend.Clear wend.ClearFunction|wend.Walls|wend.Grid|{ clear: fun(self: table, ...: number): boolean? }

--- runs once per search and tag. Returns the factor (and a price for each edge or step), false for closed, or nil for
--- no change
---@alias wend.TagFunction fun(agent: any, factor: number, tag: string): (number|false|nil, number?)

--- runs for an edge, in the direction of travel; many times per search. Returns the cost, >= 0, false for closed, or
--- nil for no change
---@alias wend.EdgeFunction fun(agent: any, cost: number, tag?: string, from: integer, to: integer, edge: integer, node_tag?: string): number|false|nil

--- the same for a step of a grid, from (x1,y1) to (x2,y2)
---@alias wend.StepFunction fun(agent: any, cost: number, tag?: string, x1: integer, y1: integer, x2: integer, y2: integer): number|false|nil

--- an estimate that wend computes
---@alias wend.Heuristic "auto"|"zero"|"euclidean"|"manhattan"|"chebyshev"|"octile"

--- estimates the cost from a node to a goal; must not overestimate
---@alias wend.HeuristicFunction fun(node: integer, goal: integer): number

--- the same for cells
---@alias wend.GridHeuristicFunction fun(x: integer, y: integer, goal_x: integer, goal_y: integer): number

--- the codes of failed searches
---@alias wend.FailureCode "no_path"|"budget"|"stale"

--- a flat list of layers and factors, or `path.influence`
---@alias wend.Influences (wend.Influence|number)[]|userdata

--- `"#rrggbb"`, or `{ red, green, blue[, alpha] }` from 0 to 1
---@alias wend.Colour string|number[]

---@class wend.TraceRow
---@field node integer
---@field name? string
---@field visit? integer
---@field distance? number
---@field temporary? number
---@field previous? integer

---@class wend
---@field _VERSION string the version of the module, such as `wend 0.10.0`
---@field core wend.Core the C module
local wend = {}

---@class wend.Graph
local Graph = {}

---@class wend.Grid
local Grid = {}

---@class wend.Path: { [integer]: integer }
---@field cost number the sum of the costs of its edges
---@field turns_used? integer with `per_turn`: the number of turns in which it moves; otherwise nil
---@field partial? true `true` when the path ends near the goal but not at it; otherwise nil
---@field goal? integer if the call got a list of goals: the index of the goal that the path reaches, from 1; of equal goals the first. On grids it counts goals, not numbers. nil if the path is partial, and for paths of fields: see `field:goal`
---@field map wend.Graph the graph or grid, and options of the call
---@field costs? wend.Costs the graph or grid, and options of the call
---@field agent? any the graph or grid, and options of the call
---@field callback? wend.EdgeFunction the graph or grid, and options of the call
---@field size? number the graph or grid, and options of the call
---@field influence? userdata the graph or grid, and options of the call
---@field trail userdata internal
local Path = {}

---@class wend.Search
local Search = {}

---@class wend.Costs
---@field on_error? fun(name: string, message: string, mod?: string) handles the errors of functions: see below
---@field base? wend.Costs the base profile. It cannot be changed
---@field max_errors? integer how many times a function may fail before it sleeps
---@field timing? boolean time and limits of functions; nil: the setting of the base profile
---@field max_instructions? integer time and limits of functions; nil: the setting of the base profile
local Costs = {}

---@class wend.Mod
---@field name string can be read
---@field priority number can be read
local Mod = {}

---@class wend.Influence
local Influence = {}

---@class wend.Surface
---@field graph wend.Graph its graph, which scripts cannot edit
local Surface = {}

---@class wend.Field
local Field = {}

---@class wend.Routes
local Routes = {}

---@class wend.Walls
local Walls = {}

---@class wend.Watch
local Watch = {}

---@class wend.Follower
---@field x number the position of the follower; `z` in 3 dimensions
---@field y number the position of the follower; `z` in 3 dimensions
---@field z? number the position of the follower; `z` in 3 dimensions
---@field heading number its direction in radians from +x toward +y, -pi to pi. At the end it keeps its last value
---@field leg integer the number of the current leg, from 1; at the end, the last leg. It is 0 on the way to the first point after `go`
---@field done boolean whether it is at the end
---@field speed number may be set at any time
---@field on_point? fun(f: wend.Follower, i: integer) may be set at any time
---@field points number[] the points of its legs; after `go` they begin with the place where it was. Do not change them
---@field edge? integer the id of the edge of the current leg; nil if the leg is on no edge
---@field tag? string the tag of that edge; on a grid of the cell under the follower, or of the link that it crosses
---@field node? integer the node that it passed last
---@field waiting? string the tag of the leg before which it waits
---@field paused boolean whether `f:pause()` stopped it
local Follower = {}

---@class wend.Crowd
---@field on_arrive? fun(walker: wend.Walker) it has arrived. Once for each `go`; again when it was pushed away and comes back
---@field on_stuck? fun(walker: wend.Walker, blocked_by: wend.Walker?) it has made no progress for its patience. It goes on trying
---@field on_lost? fun(walker: wend.Walker, message: string, code: wend.LostCode) there is no path to its goal. It has stopped
---@field on_link? fun(walker: wend.Walker, tag: string?, x: number, y: number, to_x: number, to_y: number) it begins to cross a link with this tag, or none, from one point to another
---@field on_bump? fun(walker: wend.Walker, x: integer, y: integer) its body touches the cell x,y, which is closed for it on the map of the crowd, and open or unknown on its own
---@field costs? wend.Costs the profile for plans. On a grid, cells whose tag it closes are also walls for the body
---@field influence? wend.Influences layers of the map and factors, for plans. Default: none
---@field speeds? table<string, number>|"costs" how the ground of a grid slows walkers: factors by tag, each finite, >= 0; or `"costs"`. Default: it does not
---@field squeeze? number|false seconds without progress after which walkers pass through others, > 0; `false` or `math.huge`: never. Default 3
---@field links? "cost"|"jump"|"walk" how walkers cross links of a grid. Default `"cost"`
local Crowd = {}

---@class wend.Walker
---@field x number the position now, between those after the last two steps
---@field y number the position now, between those after the last two steps
---@field height number the position now, between those after the last two steps
---@field vx number the velocity of the last step
---@field vy number the velocity of the last step
---@field heading number the direction of a smoothed velocity, in radians from +x toward +y, -pi to pi. At its place a walker keeps it
---@field state "waiting"|"moving"|"arrived"|"stuck"|"lost"|"removed" one of the states
---@field blocked_by? wend.Walker of a stuck walker: the walker that is in its way; nil: there is none, but perhaps a wall
---@field message? string of a lost walker: why, as a message and a code
---@field code? wend.LostCode of a lost walker: why, as a message and a code
---@field goal_x number the goal of its last order, in a group its spot. Of a walker that waits: the position to which it returns
---@field goal_y number the goal of its last order, in a group its spot. Of a walker that waits: the position to which it returns
---@field paused boolean whether `w:pause()` stopped it
---@field crossing false|{ x: number, y: number, to_x: number, to_y: number, tag: string? } the link that it is on: where it begins and ends, and its tag; otherwise `false`
---@field own_points boolean whether it goes along points of your own, not along a plan, a path, a route or a field of the map of the crowd
---@field radius number its settings, as for `add`
---@field speed number its settings, as for `add`
---@field acceleration number its settings, as for `add`
---@field patience number its settings, as for `add`
---@field priority integer its settings, as for `add`
---@field group string its settings, as for `add`
---@field avoids string[]? its settings, as for `add`
---@field agent any its settings, as for `add`
---@field map wend.Grid? its settings, as for `add`
---@field costs? wend.Costs the profile for plans. On a grid, cells whose tag it closes are also walls for the body
---@field influence? wend.Influences layers of the map and factors, for plans. Default: none
---@field speeds? table<string, number>|"costs" how the ground of a grid slows walkers: factors by tag, each finite, >= 0; or `"costs"`. Default: it does not
---@field squeeze? number|false seconds without progress after which walkers pass through others, > 0; `false` or `math.huge`: never. Default 3
---@field links? "cost"|"jump"|"walk" how walkers cross links of a grid. Default `"cost"`
---@field data any yours
local Walker = {}

---@class wend.Queue
---@field stats wend.QueueStats numbers that the queue keeps up to date; all except the first two count since it was made
local Queue = {}

---@class wend.Request
---@field state "waiting"|"running"|"done"|"failed"|"cancelled" its state
---@field result? wend.Path|wend.GridPath|wend.Route|wend.Field|boolean|table|integer what the call returns; of `q:update` the number of costs. nil before the end
---@field rebuilt? boolean of `q:update`: whether all of the field was made again
---@field message? string of a request that failed or was cancelled; otherwise nil
---@field code? wend.RequestCode of a request that failed or was cancelled; otherwise nil
---@field on_done? fun(result: any, message: string?, code: wend.RequestCode?, request: wend.Request) the option; it can be assigned until the request is over
local Request = {}

---@class wend.Level
---@field grid? wend.Grid the grid of the level, with all layers. Default: the only grid of `grids`
---@field grids table<integer|string, wend.Grid> are always there
---@field graph? wend.Graph a graph; walls
---@field walls? wend.Walls a graph; walls
---@field names table<string, wend.XY> are always there
---@field width? integer the size of the grids in cells; the size of a cell. Default: those of `grid`
---@field height? integer the size of the grids in cells; the size of a cell. Default: those of `grid`
---@field cell? number the size of the grids in cells; the size of a cell. Default: those of `grid`
---@field data? any values of your own: a string, a finite number, a boolean, or a plain table of them, with string keys or a list, nested at most 100 deep
---@field hints? string[] of a map of Tiled. Not saved
local Level = {}

---@class wend.Preparation
local Preparation = {}

---@class wend.Love
local draw = {}

---@class wend.Trace: { [integer]: wend.TraceStep }
---@field found boolean whether there is a path
---@field path? integer[] the path, a list of nodes, and its cost
---@field cost? number the path, a list of nodes, and its cost
---@field message? string why there is no path
local Trace = {}

---@class wend.TraceStep
---@field kind "start"|"visit"|"update" `"start"`; `"visit"`: the next node was chosen; `"update"`: its neighbours got new values
---@field node integer the node visited last
---@field start integer the node where the search began
---@field title string a line that describes the step
---@field table wend.TraceRow[] a row for each node, in the order of ids
local TraceStep = {}

---@class wend.Core
---@field version string the version without the name
local core = {}

---@class wend.GraphOptions
---@field dimensions? 2|3 of positions, default 2

---@class wend.NodeOptions
---@field name? string a string that no other node of this graph has
---@field radius? number how far from the node varied points may be, >= 0. Default: no limit
---@field tag? string a word for the node, such as `"gate"`: see tags of nodes

---@class wend.EdgeOptions
---@field weight? number the cost before profiles and rules: a finite number >= 0. Default: the distance between the ends
---@field tag? string a word for what the edge leads over, such as `"road"`
---@field directed? boolean `true`: only from `from` to `to`. Default `false`
---@field width? number a finite number > 0: the edge is closed to larger agents. Default: open to all

---@class wend.NodesOptions
---@field tag? string of all of them, as for `add_node`

---@class wend.EdgesOptions
---@field weights? number[] one for each edge, >= 0. Default: the distances
---@field tag? string of all of them, as for `add_edge`
---@field directed? boolean of all of them, as for `add_edge`
---@field width? number of all of them, as for `add_edge`

---@class wend.NearestOptions
---@field max_distance? number the largest distance, >= 0; `math.huge` is allowed
---@field clear? wend.Clear only places to which the straight line is free. It runs for the nearest place first, and only until enough are found
---@field clearance? number only places to which the straight line is free. It runs for the nearest place first, and only until enough are found
---@field open? boolean `true`: only nodes that paths may enter and that have an edge as wide as `size`, or none; only edges that the agent can take to a node that is not closed. Default: closed places are found too
---@field can_reach? wend.Node|wend.Node[]|wend.Field a node, a list of nodes, or a field toward them: only places that lead to one of them
---@field reachable_from? wend.Node|wend.Node[]|wend.Field a node, a list of nodes, or a field of them made with `outward`: only places that they lead to
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field limit? integer >= 1: returns at most this many nodes and their distances as two lists, the nearest first
---@field into? table with `limit`: a table `{ nodes, distances }` whose two lists are filled

---@class wend.NearestEdgeOptions
---@field max_distance? number the largest distance, >= 0; `math.huge` is allowed
---@field clear? wend.Clear only places to which the straight line is free. It runs for the nearest place first, and only until enough are found
---@field clearance? number only places to which the straight line is free. It runs for the nearest place first, and only until enough are found
---@field open? boolean `true`: only nodes that paths may enter and that have an edge as wide as `size`, or none; only edges that the agent can take to a node that is not closed. Default: closed places are found too
---@field can_reach? wend.Node|wend.Node[]|wend.Field a node, a list of nodes, or a field toward them: only places that lead to one of them
---@field reachable_from? wend.Node|wend.Node[]|wend.Field a node, a list of nodes, or a field of them made with `outward`: only places that they lead to
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`

---@class wend.NodeFilters
---@field can_reach? wend.Node|wend.Node[]|wend.Field a node, a list of nodes, or a field toward them: only places that lead to one of them
---@field reachable_from? wend.Node|wend.Node[]|wend.Field a node, a list of nodes, or a field of them made with `outward`: only places that they lead to
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`

---@class wend.LinkNearestOptions
---@field limit? integer how many of its nearest nodes each node is joined to, >= 1, default 4. A node may get more edges, from others
---@field max_distance? number the longest edge, >= 0. Default: no limit
---@field walls? wend.Walls walls, which edges must not cross
---@field clear? wend.Clear a further test of the line
---@field tag? string the tag of all new edges
---@field directed? boolean `true`: directed edges from each node to its nearest. Default `false`
---@field widths? boolean `true`: each edge gets a width: twice the distance from the line to the nearest of `walls`

---@class wend.GridOptions
---@field diagonals? "both_open"|"one_open"|"always"|"never" when a diagonal step is allowed. Default `"both_open"`
---@field diagonal_length? number the length of a diagonal step, 1 .. 2. Default: the square root of 2
---@field cell? number|number[] the size of a cell in your world, > 0, default 1; or its width and height: `{ 64, 32 }`. One number makes regular hexes
---@field origin? wend.Point the position of the upper left corner of cell (1,1) in your world: `{x, y}`, or anything with fields `x` and `y`. Default `{0, 0}`. Isometric: of its upper corner. Hexes: of the box around a hex (1,1) that is not shifted
---@field projection? "orthogonal"|"isometric" `"orthogonal"` (default): cells are rectangles in rows and columns; `"isometric"`: diamonds
---@field shape? "square"|"hex" `"hex"`: hexes. Default `"square"`
---@field shift? "odd"|"even" of hexes: which rows, counted from 1, are shifted by half a hex. Default `"odd"`
---@field flat? boolean of hexes: `true`: columns are shifted, downwards, and hexes have a flat top. Default `false`
---@field side? number of hexes: the length of the upright sides, 0 .. height, or with `flat` of the level ones, 0 .. width. Default: half of that

---@class wend.AssignOptions
---@field area? integer[] `{ x1, y1, x2, y2 }`: two opposite corners of the rectangle of cells that `data` is for. Default: the whole grid
---@field bytes? 1|2|4 the size of a number, without a sign, in the byte order of the machine. Default 1
---@field stride? integer how many bytes a row begins after the one before. Default: those of a row of the area
---@field length? integer how many bytes of `data` may be read. Default: all that it has

---@class wend.WallOptions
---@field directed? boolean `true`: close, or with `closed = false` open, only the step from the first cell to the second. Default `false`

---@class wend.LinkOptions
---@field weight? number the cost before profiles and rules: a finite number >= 0, default 1
---@field tag? string a word for the link, such as `"stairs"`
---@field directed? boolean `true`: only from the first cell to the second (one-way). Default `false`

---@class wend.TextOptions
---@field path? wend.GridPath|wend.GridPath[] a path of the grid, or a list of them: drawn as `*`, with all cells that the agent covers
---@field route? number[]|number[][] a flat list of points of your world, or a list of such lists: the lines between them are drawn as `*`
---@field points? number[]|number[][] a flat list of points of your world, or a list of such lists: the lines between them are drawn as `*`
---@field marks? table<string, wend.Point|wend.Point[]> a table by character: a position in your world, or a list of them. A position is `{x, y}`, or anything with fields `x` and `y`, such as a walker. Of a cell: `{grid:position(x, y)}`
---@field area? integer[] `{x1, y1, x2, y2}`: two opposite corners of the part that is drawn. Default: the whole grid

---@class wend.NearestCellOptions
---@field max_distance? number the largest distance, >= 0; `math.huge` is allowed
---@field can_reach? wend.Cells|wend.Field a cell, a flat list of cells, or a field toward them: only cells that lead to one of them
---@field reachable_from? wend.Cells|wend.Field a cell, a flat list of cells, or a field of them made with `outward`: only cells that they lead to
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction receives `(agent, cost, tag, from_x, from_y, to_x, to_y)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`

---@class wend.CellFilters
---@field can_reach? wend.Cells|wend.Field a cell, a flat list of cells, or a field toward them: only cells that lead to one of them
---@field reachable_from? wend.Cells|wend.Field a cell, a flat list of cells, or a field of them made with `outward`: only cells that they lead to
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction receives `(agent, cost, tag, from_x, from_y, to_x, to_y)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`

---@class wend.StraightenOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction receives `(agent, cost, tag, from_x, from_y, to_x, to_y)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field into? table a table to fill

---@class wend.SightOptions
---@field opaque? string[] tags whose cells block the line, also open ones: smoke, high grass
---@field transparent? string[] tags whose closed cells do not block it: water, windows. A tag of both lists blocks

---@class wend.VisibleOptions
---@field opaque? string[] tags whose cells block the line, also open ones: smoke, high grass
---@field transparent? string[] tags whose closed cells do not block it: water, windows. A tag of both lists blocks
---@field into? table a table that becomes the list

---@class wend.SurfaceOptions
---@field classes table<integer, wend.BlockKind|wend.BlockClass> required: what blocks are, by their ids, whole numbers in 0 .. 65535. At most 255 different classes
---@field height? integer the height of the walker in blocks, 1 .. 8, default 2
---@field step? integer how many blocks it steps up, 0 .. 8, default 1
---@field drop? integer how many blocks it drops at most, 0 .. 16, default 3
---@field jump? integer over how many columns it jumps, 0 .. 8, default 0
---@field swim? boolean `true`: it swims in water, it climbs ladders. Default `false`
---@field climb? boolean `true`: it swims in water, it climbs ladders. Default `false`
---@field diagonals? "both_open"|"one_open"|"always"|"never" as those of grids, default `"both_open"`
---@field up? "y"|"z" the axis that is up, default `"y"`
---@field centred? boolean `true`: the middle of a block has whole coordinates, as in Luanti. Default `false`: its lowest corner

---@class wend.PathOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field algorithm? "astar"|"dijkstra" the search algorithm
---@field heuristic? wend.Heuristic|wend.HeuristicFunction the search algorithm
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field into? table a table to reuse, which becomes the path. Its old list is removed. If the call fails, it is emptied
---@field stats? wend.Stats a table to fill with these numbers
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field within? number places at a straight distance of at most this, >= 0: on grids in cells, from centre to centre, over hexes in steps; on graphs between positions. A node without a position is not within
---@field beside? boolean `true`: places from which one step leads onto the goal, or would if the goal were open. So no wall lies between, and diagonals obey the grid's rule. The goal's own place does not fit. Default: `false`
---@field sight? boolean|wend.Walls|wend.SightOptions places that see the goal. `true`, on grids only: closed cells and walls block the straight line; tags do not. A table `{ opaque = { "smoke" }, transparent = { "window" } }`: as for `grid:sees` with these options. `wend.walls`: these walls block it, and nothing else. Default: `false`
---@field per_turn? number the points of a turn, finite and > 0. A step that does not fit into the rest of a turn begins the next one; a step that costs more than a turn is closed
---@field rest? number the points that are left of the turn in which the path begins: 0 to `per_turn`, the default
---@field last_step? "fits"|"any" default `"fits"`. `"any"` is the rule of Civilization and Freeciv: a step may be taken if anything is left, and ends the turn if it does not fit. So no step costs too much
---@field pass_only? string[] tags. Paths may cross cells and nodes of these tags, and begin there, but not end there
---@field corners? boolean grids only: `true`: the path lists only the cells where it turns

---@class wend.SearchedOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field algorithm? "astar"|"dijkstra" the search algorithm
---@field heuristic? wend.Heuristic|wend.HeuristicFunction the search algorithm
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field into? table a table to reuse, which becomes the path. Its old list is removed. If the call fails, it is emptied
---@field stats? wend.Stats a table to fill with these numbers

---@class wend.GridPathOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction these functions receive cells
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field algorithm? "astar"|"dijkstra" the search algorithm
---@field heuristic? wend.Heuristic|wend.GridHeuristicFunction these functions receive cells
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field into? table a table to reuse, which becomes the path. Its old list is removed. If the call fails, it is emptied
---@field stats? wend.Stats a table to fill with these numbers
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field within? number places at a straight distance of at most this, >= 0: on grids in cells, from centre to centre, over hexes in steps; on graphs between positions. A node without a position is not within
---@field beside? boolean `true`: places from which one step leads onto the goal, or would if the goal were open. So no wall lies between, and diagonals obey the grid's rule. The goal's own place does not fit. Default: `false`
---@field sight? boolean|wend.Walls|wend.SightOptions places that see the goal. `true`, on grids only: closed cells and walls block the straight line; tags do not. A table `{ opaque = { "smoke" }, transparent = { "window" } }`: as for `grid:sees` with these options. `wend.walls`: these walls block it, and nothing else. Default: `false`
---@field per_turn? number the points of a turn, finite and > 0. A step that does not fit into the rest of a turn begins the next one; a step that costs more than a turn is closed
---@field rest? number the points that are left of the turn in which the path begins: 0 to `per_turn`, the default
---@field last_step? "fits"|"any" default `"fits"`. `"any"` is the rule of Civilization and Freeciv: a step may be taken if anything is left, and ends the turn if it does not fit. So no step costs too much
---@field pass_only? string[] tags. Paths may cross cells and nodes of these tags, and begin there, but not end there
---@field corners? boolean grids only: `true`: the path lists only the cells where it turns

---@class wend.GridPath: { [integer]: integer }
---@field cost number the sum of the costs of its edges
---@field turns_used? integer with `per_turn`: the number of turns in which it moves; otherwise nil
---@field partial? true `true` when the path ends near the goal but not at it; otherwise nil
---@field goal? integer if the call got a list of goals: the index of the goal that the path reaches, from 1; of equal goals the first. On grids it counts goals, not numbers. nil if the path is partial, and for paths of fields: see `field:goal`
---@field map wend.Grid the grid, and the option `cost` of the call
---@field costs? wend.Costs the graph or grid, and options of the call
---@field agent? any the graph or grid, and options of the call
---@field callback? wend.StepFunction the grid, and the option `cost` of the call
---@field size? number the graph or grid, and options of the call
---@field influence? userdata the graph or grid, and options of the call
---@field trail userdata internal
---@field each fun(self: wend.GridPath): (fun(): integer, integer, integer) a method: iterates over i, x, y
---@field points fun(self: wend.GridPath, opts?: wend.PointsOptions): number[] a method: the centres of the cells in your world, flat
---@field valid fun(self: wend.GridPath): boolean a method: false once a cell on the path, or beside one of its diagonals, a wall across it, a link between its cells, or the cost of a tag of these has changed
---@field explain fun(self: wend.GridPath, opts?: wend.StepCosts): wend.ExplainedStep[] a method: an entry for each step
---@field compare fun(self: wend.GridPath, other: table, opts?: wend.StepCosts): wend.Comparison?, string?, string? a method: what makes the difference
---@field turns fun(self: wend.GridPath, opts?: { into?: table }): integer[] a method: the numbers of the cells where turns end
---@field encode fun(self: wend.GridPath): string a method: its bytes, for saved games

---@class wend.AgentCosts
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction|wend.StepFunction a cost function for this call. It runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none

---@class wend.EdgeCosts
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none

---@class wend.StepCosts
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction receives `(agent, cost, tag, from_x, from_y, to_x, to_y)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none

---@class wend.ClosedGoal
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`

---@class wend.GoalRange
---@field within? number places at a straight distance of at most this, >= 0: on grids in cells, from centre to centre, over hexes in steps; on graphs between positions. A node without a position is not within
---@field beside? boolean `true`: places from which one step leads onto the goal, or would if the goal were open. So no wall lies between, and diagonals obey the grid's rule. The goal's own place does not fit. Default: `false`
---@field sight? boolean|wend.Walls|wend.SightOptions places that see the goal. `true`, on grids only: closed cells and walls block the straight line; tags do not. A table `{ opaque = { "smoke" }, transparent = { "window" } }`: as for `grid:sees` with these options. `wend.walls`: these walls block it, and nothing else. Default: `false`

---@class wend.Turns
---@field per_turn? number the points of a turn, finite and > 0. A step that does not fit into the rest of a turn begins the next one; a step that costs more than a turn is closed
---@field rest? number the points that are left of the turn in which the path begins: 0 to `per_turn`, the default
---@field last_step? "fits"|"any" default `"fits"`. `"any"` is the rule of Civilization and Freeciv: a step may be taken if anything is left, and ends the turn if it does not fit. So no step costs too much
---@field pass_only? string[] tags. Paths may cross cells and nodes of these tags, and begin there, but not end there

---@class wend.Budgets
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions

---@class wend.Reuse
---@field into? table a table to reuse, which becomes the path. Its old list is removed. If the call fails, it is emptied
---@field stats? wend.Stats a table to fill with these numbers

---@class wend.Stats
---@field expanded? integer the number of nodes, cells or jump points whose neighbours were examined
---@field pushed? integer the number of entries put into the open list
---@field callbacks? integer the number of edges for which a function ran
---@field bound? number the smallest cost per length that the heuristic used. 0: there was none, or it is your function
---@field shortcuts? integer the directions of shortcuts that the heuristic knew
---@field lowered? number by how much short shortcuts lowered the heuristic
---@field known? true labels showed without a search that there is no path
---@field landmarks? true the estimates came from the tables of a prepared map
---@field loop? "walk"|"jumps"|"flood"|"cells"|"steps"|"graph" how it took steps: the next table. nil: there was nothing to search
---@field rules? wend.RuleTime[] with `costs.timing`: the rules that ran

---@class wend.Variation
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`

---@class wend.AlternativesOptions
---@field count? integer the largest number of paths, 1 to 64; default 3
---@field worse? number by which share a path may cost more than the cheapest: finite, > 0; default 0.3
---@field overlap? number the largest part of the length of a path that those before it have already taken: > 0 and <= 1; default 0.5
---@field seed? number a finite number: the paths after the first depend on it; default 0
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field within? number places at a straight distance of at most this, >= 0: on grids in cells, from centre to centre, over hexes in steps; on graphs between positions. A node without a position is not within
---@field beside? boolean `true`: places from which one step leads onto the goal, or would if the goal were open. So no wall lies between, and diagonals obey the grid's rule. The goal's own place does not fit. Default: `false`
---@field sight? boolean|wend.Walls|wend.SightOptions places that see the goal. `true`, on grids only: closed cells and walls block the straight line; tags do not. A table `{ opaque = { "smoke" }, transparent = { "window" } }`: as for `grid:sees` with these options. `wend.walls`: these walls block it, and nothing else. Default: `false`
---@field algorithm? "astar"|"dijkstra" as for `g:path`
---@field heuristic? wend.Heuristic|wend.HeuristicFunction as for `g:path`
---@field pass_only? string[] as for `g:path`
---@field corners? boolean as for `g:path`
---@field max_expanded? integer limits of each search. Only the first search lets the call fail
---@field max_cost? number limits of each search. Only the first search lets the call fail

---@class wend.GridAlternativesOptions
---@field count? integer the largest number of paths, 1 to 64; default 3
---@field worse? number by which share a path may cost more than the cheapest: finite, > 0; default 0.3
---@field overlap? number the largest part of the length of a path that those before it have already taken: > 0 and <= 1; default 0.5
---@field seed? number a finite number: the paths after the first depend on it; default 0
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction these functions receive cells
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field within? number places at a straight distance of at most this, >= 0: on grids in cells, from centre to centre, over hexes in steps; on graphs between positions. A node without a position is not within
---@field beside? boolean `true`: places from which one step leads onto the goal, or would if the goal were open. So no wall lies between, and diagonals obey the grid's rule. The goal's own place does not fit. Default: `false`
---@field sight? boolean|wend.Walls|wend.SightOptions places that see the goal. `true`, on grids only: closed cells and walls block the straight line; tags do not. A table `{ opaque = { "smoke" }, transparent = { "window" } }`: as for `grid:sees` with these options. `wend.walls`: these walls block it, and nothing else. Default: `false`
---@field algorithm? "astar"|"dijkstra" as for `g:path`
---@field heuristic? wend.Heuristic|wend.GridHeuristicFunction these functions receive cells
---@field pass_only? string[] as for `g:path`
---@field corners? boolean as for `g:path`
---@field max_expanded? integer limits of each search. Only the first search lets the call fail
---@field max_cost? number limits of each search. Only the first search lets the call fail

---@class wend.BatchOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field algorithm? "astar"|"dijkstra" as for `g:path`
---@field heuristic? wend.Heuristic|wend.HeuristicFunction as for `g:path`
---@field corners? boolean as for `g:path`
---@field stats? wend.BatchStats a table that receives sums over all trips
---@field threads? integer how many threads search at the same time, 1 (default) to 64. Not for requests of a queue

---@class wend.GridBatchOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction these functions receive cells
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field algorithm? "astar"|"dijkstra" as for `g:path`
---@field heuristic? wend.Heuristic|wend.GridHeuristicFunction these functions receive cells
---@field corners? boolean as for `g:path`
---@field stats? wend.BatchStats a table that receives sums over all trips
---@field threads? integer how many threads search at the same time, 1 (default) to 64. Not for requests of a queue

---@class wend.BatchStats
---@field expanded? integer as of one search
---@field pushed? integer as of one search
---@field callbacks? integer as of one search
---@field fields? integer the number of fields that were made

---@class wend.ReachOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`

---@class wend.GridReachOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction the function receives cells
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`

---@class wend.ExplainedEdge
---@field edge? wend.Edge the edge and its properties; `from` and `to` in the direction of travel
---@field from integer the edge and its properties; `from` and `to` in the direction of travel
---@field to integer the edge and its properties; `from` and `to` in the direction of travel
---@field weight? number the edge and its properties; `from` and `to` in the direction of travel
---@field tag? string the edge and its properties; `from` and `to` in the direction of travel
---@field node_tag? string the tag of the node that it enters
---@field cost number its cost; `math.huge`: it cannot be taken
---@field cause? wend.CauseName why it cannot be taken; of a path only `tag`, `rule` and `width`
---@field rules wend.ExplainedRule[] the rules that ran, in their order

---@class wend.ExplainedStep
---@field from_x integer a step on a grid; its weight is length x weight of the cell
---@field from_y integer a step on a grid; its weight is length x weight of the cell
---@field to_x integer a step on a grid; its weight is length x weight of the cell
---@field to_y integer a step on a grid; its weight is length x weight of the cell
---@field weight? number a step on a grid; its weight is length x weight of the cell
---@field tag? string a step on a grid; its weight is length x weight of the cell
---@field cost number as of an edge
---@field cause? wend.CauseName as of an edge
---@field rules wend.ExplainedRule[] as of an edge

---@class wend.ExplainedRule
---@field name string the rule, and the mod that has added it
---@field mod? string the rule, and the mod that has added it
---@field cost number the cost after it

---@class wend.PointsOptions
---@field jitter? number moves each point at random by at most this distance, >= 0, default 0, and by at most the `radius` of its node. A point on a grid stays in its cell, but with `clear` it may go as far as there is room
---@field seed? number a finite number, required with `jitter`
---@field clear? wend.Clear what legs must avoid: a leg that is free between the nodes stays free
---@field clearance? number what legs must avoid: a leg that is free between the nodes stays free
---@field into? table a table to fill instead of a new one. Its list is replaced; other fields stay

---@class wend.Stretch
---@field from? integer the nodes where they part and meet, and their names. nil where they begin or end at different places
---@field to? integer the nodes where they part and meet, and their names. nil where they begin or end at different places
---@field from_name? string the nodes where they part and meet, and their names. nil where they begin or end at different places
---@field to_name? string the nodes where they part and meet, and their names. nil where they begin or end at different places
---@field cost number the cost of the stretch for both
---@field other_cost number the cost of the stretch for both
---@field difference number the cost of the stretch for both
---@field steps integer the number of steps, and the sum of their weights before any rule
---@field other_steps integer the number of steps, and the sum of their weights before any rule
---@field weight number the number of steps, and the sum of their weights before any rule
---@field other_weight number the number of steps, and the sum of their weights before any rule
---@field first integer the numbers of these steps in the two explanations
---@field last integer the numbers of these steps in the two explanations
---@field other_first integer the numbers of these steps in the two explanations
---@field other_last integer the numbers of these steps in the two explanations
---@field tags wend.TagShare[] one for each tag; without `tag` for untagged steps
---@field rules wend.RuleShare[] one for each rule: what it adds to the cost. The name `"weight"` stands for the weights
---@field closed? wend.ExplainedEdge|wend.ExplainedStep the first step that cannot be taken, as an entry of `explain`
---@field other_closed? wend.ExplainedEdge|wend.ExplainedStep the first step that cannot be taken, as an entry of `explain`
---@field from_x? integer the cells, on a grid
---@field from_y? integer the cells, on a grid
---@field to_x? integer the cells, on a grid
---@field to_y? integer the cells, on a grid

---@class wend.SearchOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field algorithm? "astar"|"dijkstra" the search algorithm
---@field heuristic? wend.Heuristic|wend.HeuristicFunction the search algorithm
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field into? table a table to reuse, which becomes the path. Its old list is removed. If the call fails, it is emptied
---@field stats? wend.Stats a table to fill with these numbers
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field within? number places at a straight distance of at most this, >= 0: on grids in cells, from centre to centre, over hexes in steps; on graphs between positions. A node without a position is not within
---@field beside? boolean `true`: places from which one step leads onto the goal, or would if the goal were open. So no wall lies between, and diagonals obey the grid's rule. The goal's own place does not fit. Default: `false`
---@field sight? boolean|wend.Walls|wend.SightOptions places that see the goal. `true`, on grids only: closed cells and walls block the straight line; tags do not. A table `{ opaque = { "smoke" }, transparent = { "window" } }`: as for `grid:sees` with these options. `wend.walls`: these walls block it, and nothing else. Default: `false`
---@field per_turn? number the points of a turn, finite and > 0. A step that does not fit into the rest of a turn begins the next one; a step that costs more than a turn is closed
---@field rest? number the points that are left of the turn in which the path begins: 0 to `per_turn`, the default
---@field last_step? "fits"|"any" default `"fits"`. `"any"` is the rule of Civilization and Freeciv: a step may be taken if anything is left, and ends the turn if it does not fit. So no step costs too much
---@field pass_only? string[] tags. Paths may cross cells and nodes of these tags, and begin there, but not end there
---@field corners? boolean grids only: `true`: the path lists only the cells where it turns
---@field labels? boolean `true` (default): the search uses labels that earlier searches have made. `false`: its steps depend only on the map and the options, as replays need
---@field visited? boolean `true`: the search keeps what it looks at, for `search:each`, in 16 bytes for each expansion. Default: `false`

---@class wend.GridSearchOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction these functions receive cells
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field algorithm? "astar"|"dijkstra" the search algorithm
---@field heuristic? wend.Heuristic|wend.GridHeuristicFunction these functions receive cells
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field into? table a table to reuse, which becomes the path. Its old list is removed. If the call fails, it is emptied
---@field stats? wend.Stats a table to fill with these numbers
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field within? number places at a straight distance of at most this, >= 0: on grids in cells, from centre to centre, over hexes in steps; on graphs between positions. A node without a position is not within
---@field beside? boolean `true`: places from which one step leads onto the goal, or would if the goal were open. So no wall lies between, and diagonals obey the grid's rule. The goal's own place does not fit. Default: `false`
---@field sight? boolean|wend.Walls|wend.SightOptions places that see the goal. `true`, on grids only: closed cells and walls block the straight line; tags do not. A table `{ opaque = { "smoke" }, transparent = { "window" } }`: as for `grid:sees` with these options. `wend.walls`: these walls block it, and nothing else. Default: `false`
---@field per_turn? number the points of a turn, finite and > 0. A step that does not fit into the rest of a turn begins the next one; a step that costs more than a turn is closed
---@field rest? number the points that are left of the turn in which the path begins: 0 to `per_turn`, the default
---@field last_step? "fits"|"any" default `"fits"`. `"any"` is the rule of Civilization and Freeciv: a step may be taken if anything is left, and ends the turn if it does not fit. So no step costs too much
---@field pass_only? string[] tags. Paths may cross cells and nodes of these tags, and begin there, but not end there
---@field corners? boolean grids only: `true`: the path lists only the cells where it turns
---@field labels? boolean `true` (default): the search uses labels that earlier searches have made. `false`: its steps depend only on the map and the options, as replays need
---@field visited? boolean `true`: the search keeps what it looks at, for `search:each`, in 16 bytes for each expansion. Default: `false`

---@class wend.GridSearch
---@field step fun(self: wend.GridSearch, n: integer): "running"|"found"|"failed", integer see above
---@field result fun(self: wend.GridSearch): wend.GridPath?, string?, wend.FailureCode? see above
---@field each fun(self: wend.GridSearch): fun(): integer, integer, number, integer see above
---@field bytes fun(self: wend.GridSearch): integer see above

---@class wend.CheckOptions
---@field allow? string[] tags that may lead one way: a trap or sink that only they lead into is not reported, nor is a source that only they lead out of
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction|wend.StepFunction a cost function for this call. It runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field walls? wend.Clear graphs only. What the edges must not cross: walls, a grid or a function
---@field too_close? number graphs only. The least and the greatest distance between neighbours: finite, > 0
---@field too_far? number graphs only. The least and the greatest distance between neighbours: finite, > 0

---@class wend.Findings
---@field connected boolean whether every place can be reached from every other
---@field components integer[][] lists of places that can reach each other (strongly connected components), the largest first
---@field isolated integer[] places without any way in or out
---@field sinks integer[] places with ways in and none out; places with ways out and none in
---@field sources integer[] places with ways in and none out; places with ways out and none in
---@field traps wend.Trap[] components that can be entered but not left, also those of one place. The largest component is none, unless all have one place
---@field narrow? wend.Narrow[] graphs only, with `size`: the edges that are too narrow, and whose ends no other way joins
---@field walls? wend.Walled[] with the option: the edges whose straight line is not clear
---@field too_close? wend.TooClose[] with the option: the pairs of nodes that are nearer to each other
---@field too_far? wend.TooFar[] with the option: the edges that are longer; then the nodes whose nearest node is farther

---@class wend.ChokepointsOptions
---@field min? integer leaves out what cuts off fewer places than this, >= 1, default 1
---@field limit? integer the greatest length of the list; default: no limit
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction|wend.StepFunction a cost function for this call. It runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none

---@class wend.WhyOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field algorithm? "astar"|"dijkstra" the search algorithm
---@field heuristic? wend.Heuristic|wend.HeuristicFunction the search algorithm
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field into? table a table to reuse, which becomes the path. Its old list is removed. If the call fails, it is emptied
---@field stats? wend.Stats a table to fill with these numbers
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field corners? boolean as for `g:path`
---@field obstacles? wend.ObstacleCosts how much each kind of obstacle counts, 1 to 100: the report is the set with the least sum

---@class wend.GridWhyOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction these functions receive cells
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field algorithm? "astar"|"dijkstra" the search algorithm
---@field heuristic? wend.Heuristic|wend.GridHeuristicFunction these functions receive cells
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field into? table a table to reuse, which becomes the path. Its old list is removed. If the call fails, it is emptied
---@field stats? wend.Stats a table to fill with these numbers
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field corners? boolean as for `g:path`
---@field obstacles? wend.ObstacleCosts how much each kind of obstacle counts, 1 to 100: the report is the set with the least sum

---@class wend.ObstacleCosts
---@field closed? integer a closed node, edge or link, a narrow edge, and a closed cell that has a tag. Default 1
---@field solid? integer a closed cell without a tag, such as a rock, which players can rarely change. Default 2
---@field wall? integer a wall between two cells. Default 2
---@field tag? integer the other causes below. Default 1
---@field one_way? integer the other causes below. Default 1
---@field rule? integer the other causes below. Default 1

---@class wend.Why
---@field from integer|wend.XY the ends: ids, on a grid `{ x =, y = }`. With several goals, `to` is the goal that the path would reach
---@field to? integer|wend.XY the ends: ids, on a grid `{ x =, y = }`. With several goals, `to` is the goal that the path would reach
---@field obstacles wend.Obstacle[] a list, in the order of travel
---@field reached? integer how many nodes or cells the start reaches, including itself
---@field reaching? integer how many open nodes or cells reach a goal, including the goals
---@field cost? number of the path once the obstacles are opened. nil: nothing connects the two
---@field limit? "max_cost"|"max_expanded" only this option is in the way. There are no obstacles then
---@field text string the sentences
---@field blocked_by? wend.Walker only of walkers: the walker that is in the way
---@field narrow? wend.XY only of walkers: where the way is too narrow

---@class wend.CostsOptions
---@field default? wend.TagCost the value of tags without a value; `false`: closed
---@field base? wend.Costs a profile to inherit from: its values, rules, default and `on_error`. Later changes to it count too

---@class wend.RuleOptions
---@field priority? number default 0. Lower priorities run first

---@class wend.EdgeRuleOptions
---@field priority? number default 0. Lower priorities run first
---@field tags? string[] a list: the rule applies only to edges with one of these tags, or that lead to a node with one
---@field at_least? number a promise, 0 to 1: the rule never returns less than this share of the cost it receives. Default 0: no promise

---@class wend.Rule
---@field name string its name, and the mod that has added it; nil: the game
---@field mod? string its name, and the mod that has added it; nil: the game
---@field tag? string of a rule about a tag
---@field tags? string[] of an edge rule
---@field at_least? number of an edge rule
---@field priority number lower priorities run first
---@field fn? function the function; nil in a read-only view
---@field asleep? boolean the rule is left out, because it has failed `max_errors` times
---@field calls? integer with timing
---@field seconds? number with timing

---@class wend.ModState
---@field name string the mod, and how many values and rules it has
---@field priority number the mod, and how many values and rules it has
---@field values integer the mod, and how many values and rules it has
---@field rules integer the mod, and how many values and rules it has
---@field errors integer how many times functions of the mod have failed and `on_error` was called
---@field asleep string[] the names of functions that sleep
---@field inherited? boolean a mod of a base profile
---@field calls? integer with timing, what its functions have used
---@field seconds? number with timing, what its functions have used

---@class wend.OverlayOptions
---@field unknown? number|false|{ weight?: number|false, tag?: string } grids only: no cell is known at first, and all have this weight and tag; `false`: they are closed. See unknown cells

---@class wend.FieldOptions
---@field values? number[] one number for each goal: the cost at that goal. Default 0
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction|wend.StepFunction a cost function for this call. It runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field within? number places at a straight distance of at most this, >= 0: on grids in cells, from centre to centre, over hexes in steps; on graphs between positions. A node without a position is not within
---@field beside? boolean `true`: places from which one step leads onto the goal, or would if the goal were open. So no wall lies between, and diagonals obey the grid's rule. The goal's own place does not fit. Default: `false`
---@field sight? boolean|wend.Walls|wend.SightOptions places that see the goal. `true`, on grids only: closed cells and walls block the straight line; tags do not. A table `{ opaque = { "smoke" }, transparent = { "window" } }`: as for `grid:sees` with these options. `wend.walls`: these walls block it, and nothing else. Default: `false`
---@field per_turn? number the points of a turn, finite and > 0. A step that does not fit into the rest of a turn begins the next one; a step that costs more than a turn is closed
---@field rest? number the points that are left of the turn in which the path begins: 0 to `per_turn`, the default
---@field last_step? "fits"|"any" default `"fits"`. `"any"` is the rule of Civilization and Freeciv: a step may be taken if anything is left, and ends the turn if it does not fit. So no step costs too much
---@field pass_only? string[] tags. Paths may cross cells and nodes of these tags, and begin there, but not end there
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field outward? boolean `true`: from the goals to all places, for example a range of movement. Default: from all places to the goals
---@field max_cost? number places that cost more are not reached
---@field window? integer grids only: the field covers only cells at most this many columns and rows from a goal, >= 1. Time and memory depend on the window, not on the map
---@field max_expanded? integer the most cells or nodes to expand. If it is not enough: `budget`
---@field into? wend.Field a field to reuse, even of another map. If the call fails, this field is empty
---@field stats? wend.Stats a table to fill, as for paths

---@class wend.RoutesOptions
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field on_progress? fun(done: integer, total: integer) called from time to time with the number of finished nodes

---@class wend.RouteOptions
---@field enter? "node"|"edge" `"node"` (default): the route enters and leaves the graph at nodes. `"edge"`: at the nearest points of edges, so that an agent does not walk back to a node first
---@field max_distance? number the longest way to the graph, and from it; >= 0. Default: no limit
---@field clear? wend.Clear where one can walk in a straight line. The ways to and from the graph must be free. If the direct line is free and the graph is not cheaper, it is the route. Default: all ways are free, and the route is never the direct line
---@field clearance? number where one can walk in a straight line. The ways to and from the graph must be free. If the direct line is free and the graph is not cheaper, it is the route. Default: all ways are free, and the route is never the direct line
---@field straighten? boolean `true`: takes shortcuts where `clear` allows. Default `false`
---@field jitter? number moves the points of nodes, as in `path:points`; it needs a `seed`
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction receives `(agent, cost, tag, from, to, edge, node_tag)`
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field algorithm? "astar"|"dijkstra" the search algorithm
---@field heuristic? wend.Heuristic|wend.HeuristicFunction the search algorithm
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field into? table a table to reuse, which becomes the path. Its old list is removed. If the call fails, it is emptied
---@field stats? wend.Stats a table to fill with these numbers
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`

---@class wend.Route: { [integer]: number }
---@field cost number the agent's cost on the graph, plus the length of the rest
---@field nodes integer[] the ids of the nodes on the route, in order; empty for a direct line
---@field edges (integer|false)[] for each leg, from point `i` to point `i + 1`, the id of its edge, or `false`: the leg is on no edge
---@field map wend.Graph the graph
---@field dimensions 2|3 of the points
---@field partial? true `true` if it ends at a node and not at `to`

---@class wend.GridRouteOptions
---@field straighten? boolean `true` (default): straight legs replace steps where they cost no more. `false`: the centres of cells are points
---@field clear? wend.Clear where one can walk in a straight line, besides the cells and walls of the grid. The search ignores it: only straight legs must be free
---@field clearance? number where one can walk in a straight line, besides the cells and walls of the grid. The search ignores it: only straight legs must be free
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.StepFunction these functions receive cells
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field algorithm? "astar"|"dijkstra" the search algorithm
---@field heuristic? wend.Heuristic|wend.GridHeuristicFunction these functions receive cells
---@field max_expanded? integer the most nodes, cells or jump points to expand, >= 0, or `math.huge`, the default. If it is not enough: `budget`
---@field max_cost? number the largest cost of a path, >= 0. Default: no limit. If the cheapest path costs more: `budget`
---@field partial? boolean `true`: if the goal cannot be reached or the budget is used up, the result is a path to the reached place that is nearest to a goal in a straight line; of these the cheapest, then the smallest id, or the first row by row. Goals need positions
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field into? table a table to reuse, which becomes the path. Its old list is removed. If the call fails, it is emptied
---@field stats? wend.Stats a table to fill with these numbers
---@field closed_goal? boolean `true`: goals may be closed by `close`, in the map or in an overlay. The last step costs what it would cost if the goal were open. Default: `false`
---@field within? number the cell of `to` is a goal in range: the route ends at the centre of a cell that fits it
---@field beside? boolean the cell of `to` is a goal in range: the route ends at the centre of a cell that fits it
---@field sight? boolean the cell of `to` is a goal in range: the route ends at the centre of a cell that fits it

---@class wend.GridRoute: { [integer]: number }
---@field cost number the sum of the costs of its legs, in the units of `path.cost`
---@field links? table<integer, true> a table with `true` at the number of each leg that is a link; nil if there is none
---@field map wend.Grid the grid
---@field dimensions 2 of the points
---@field partial? true `true` if it ends before `to`; otherwise nil

---@class wend.CurveOptions
---@field curve? "catmull_rom"|"hermite"|"linear" `"catmull_rom"` (default), `"hermite"`, `"linear"`: points along the straight legs
---@field spacing? number the largest distance between points, > 0. Default: a 16th of the mean leg
---@field clear? wend.Clear what it must avoid: if the curve of a leg is not free, that leg stays straight, and its number is listed in `straight`
---@field clearance? number what it must avoid: if the curve of a leg is not free, that leg stays straight, and its number is listed in `straight`
---@field loop? boolean `true`: the line also leads from the last point to the first
---@field dimensions? 2|3 default: `points.dimensions`, or the dimensions of the path's map, or 2
---@field into? table a table to fill instead of a new one, with its lists `legs` and `straight`. If the call raises, it holds a part of the line

---@class wend.Curve: { [integer]: number }
---@field dimensions 2|3 of the points
---@field legs integer[] for each point but the last the number of its leg
---@field straight? integer[] with `clear`: the numbers of the legs that stay straight because their curve is not free

---@class wend.FollowOptions
---@field speed? number units per second, finite, >= 0, default 1
---@field curve? "linear"|"hermite"|"catmull_rom" default `"linear"`
---@field clear? wend.Clear as for `wend.curve`
---@field clearance? number as for `wend.curve`
---@field spacing? number as for `wend.curve`
---@field dimensions? 2|3 as for `wend.curve`
---@field loop? boolean `true`: from the last point to the first and on, without end
---@field stops? string[] a list of tags: the follower waits where a leg with such a tag begins
---@field links? "cost"|"jump"|"walk" how it crosses links of a grid. Default `"jump"`
---@field speeds? table<string, number> factors of the speed by tag, each finite, >= 0
---@field on_point? fun(f: wend.Follower, i: integer) runs when the follower passes point i

---@class wend.FollowerGoOptions
---@field join? boolean leaves out points that the follower has passed already, or that lie behind it

---@class wend.CrowdOptions
---@field map? wend.Graph|wend.Grid a grid: its closed cells, its walls and everything outside are solid for all walkers. Or a graph of 2 dimensions, with `up` of 3, for plans. Default: none
---@field walls? wend.Walls walls that are solid too, within 1e9 of the origin. You may change them at any time. A circle becomes a polygon of 16 corners. Only the sides of polygons are solid. Plans on a grid ignore them
---@field seed? number decides ties between walkers, for example which one leaves a jam first. Default: walkers that were added first go first
---@field up? "y"|"z" heights. `tall`: default 2
---@field tall? number heights. `tall`: default 2
---@field queue? wend.Queue a queue for plans, for which you call `q:step` or `q:run`. Default: a queue of its own
---@field budget? integer the expansions of its own queue in each step, >= 1, default 4096. Beginning a search counts as 64
---@field max_steps? integer how many steps an update takes at most, 1 to 1,000,000, default 8
---@field costs? wend.Costs the profile for plans. On a grid, cells whose tag it closes are also walls for the body
---@field influence? wend.Influences layers of the map and factors, for plans. Default: none
---@field speeds? table<string, number>|"costs" how the ground of a grid slows walkers: factors by tag, each finite, >= 0; or `"costs"`. Default: it does not
---@field squeeze? number|false seconds without progress after which walkers pass through others, > 0; `false` or `math.huge`: never. Default 3
---@field links? "cost"|"jump"|"walk" how walkers cross links of a grid. Default `"cost"`
---@field on_arrive? fun(walker: wend.Walker) it has arrived. Once for each `go`; again when it was pushed away and comes back
---@field on_stuck? fun(walker: wend.Walker, blocked_by: wend.Walker?) it has made no progress for its patience. It goes on trying
---@field on_lost? fun(walker: wend.Walker, message: string, code: wend.LostCode) there is no path to its goal. It has stopped
---@field on_link? fun(walker: wend.Walker, tag: string?, x: number, y: number, to_x: number, to_y: number) it begins to cross a link with this tag, or none, from one point to another
---@field on_bump? fun(walker: wend.Walker, x: integer, y: integer) its body touches the cell x,y, which is closed for it on the map of the crowd, and open or unknown on its own

---@class wend.WalkerDefaults
---@field costs? wend.Costs the profile for plans. On a grid, cells whose tag it closes are also walls for the body
---@field influence? wend.Influences layers of the map and factors, for plans. Default: none
---@field speeds? table<string, number>|"costs" how the ground of a grid slows walkers: factors by tag, each finite, >= 0; or `"costs"`. Default: it does not
---@field squeeze? number|false seconds without progress after which walkers pass through others, > 0; `false` or `math.huge`: never. Default 3
---@field links? "cost"|"jump"|"walk" how walkers cross links of a grid. Default `"cost"`

---@class wend.CrowdEvents
---@field on_arrive? fun(walker: wend.Walker) it has arrived. Once for each `go`; again when it was pushed away and comes back
---@field on_stuck? fun(walker: wend.Walker, blocked_by: wend.Walker?) it has made no progress for its patience. It goes on trying
---@field on_lost? fun(walker: wend.Walker, message: string, code: wend.LostCode) there is no path to its goal. It has stopped
---@field on_link? fun(walker: wend.Walker, tag: string?, x: number, y: number, to_x: number, to_y: number) it begins to cross a link with this tag, or none, from one point to another
---@field on_bump? fun(walker: wend.Walker, x: integer, y: integer) its body touches the cell x,y, which is closed for it on the map of the crowd, and open or unknown on its own

---@class wend.WalkerOptions
---@field x number required: where it stands, within 1e9 of the origin, on a grid in cells
---@field y number required: where it stands, within 1e9 of the origin, on a grid in cells
---@field radius? number in units of your world, 0.001 to 1e6, default 0.5. With a grid, limits and default are multiplied by the width of a cell
---@field speed? number units per second, 0 to 1e6, default 1.5. With a grid likewise. At most 16 radii in a step
---@field acceleration? number how much it changes its velocity at most, in units per second squared, > 0; pushes and walls may change it more. Default `math.huge`: no limit
---@field patience? number seconds without progress after which it is stuck, > 0, or `math.huge`. Default 10
---@field priority? integer -1e9 to 1e9: of two walkers, the one with less makes way. Default 0
---@field group? string the name of its group, default `"default"`. A crowd has at most 32 groups
---@field avoids? string[] the groups for which it makes way. It passes through walkers of other groups, also if they avoid it but cannot make way. Default: all
---@field agent? any any value; the functions of its costs receive it
---@field costs? wend.Costs the profile for plans. On a grid, cells whose tag it closes are also walls for the body
---@field influence? wend.Influences layers of the map and factors, for plans. Default: none
---@field speeds? table<string, number>|"costs" how the ground of a grid slows walkers: factors by tag, each finite, >= 0; or `"costs"`. Default: it does not
---@field squeeze? number|false seconds without progress after which walkers pass through others, > 0; `false` or `math.huge`: never. Default 3
---@field links? "cost"|"jump"|"walk" how walkers cross links of a grid. Default `"cost"`
---@field map? wend.Grid an overlay of the map of the crowd, for its plans: see maps of players. Default: the map of the crowd
---@field height? number with `up`
---@field data? any anything. It becomes the field `data`

---@class wend.GoOptions
---@field partial? boolean `true`: without a path, the walker goes to the reachable place nearest to the goal and arrives there. Members of a group arrive beside each other, without spots. The same order again leads on if a door to the goal has opened
---@field closed_goal? boolean `true`: the goal may be closed by `close`. The walker gets as near as the cell lets it, and is stuck there: use `w:stop`
---@field stop? boolean `false`: it keeps its speed until it arrives, for way points and exits. Default `true`
---@field height? number of the goal, if the map has 3 dimensions
---@field within? number where its plan may end
---@field beside? boolean where its plan may end
---@field sight? boolean where its plan may end
---@field pass_only? string[] where its plan may end
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`

---@class wend.GoOrder
---@field goals wend.XY[] required: positions. It goes to the cheapest one
---@field partial? boolean `true`: without a path, the walker goes to the reachable place nearest to the goal and arrives there. Members of a group arrive beside each other, without spots. The same order again leads on if a door to the goal has opened
---@field closed_goal? boolean `true`: the goal may be closed by `close`. The walker gets as near as the cell lets it, and is stuck there: use `w:stop`
---@field stop? boolean `false`: it keeps its speed until it arrives, for way points and exits. Default `true`
---@field height? number of the goal, if the map has 3 dimensions
---@field within? number where its plan may end
---@field beside? boolean where its plan may end
---@field sight? boolean where its plan may end
---@field pass_only? string[] where its plan may end
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`

---@class wend.GroupOptions
---@field partial? boolean `true`: without a path, the walker goes to the reachable place nearest to the goal and arrives there. Members of a group arrive beside each other, without spots. The same order again leads on if a door to the goal has opened
---@field closed_goal? boolean `true`: the goal may be closed by `close`. The walker gets as near as the cell lets it, and is stuck there: use `w:stop`
---@field stop? boolean `false`: it keeps its speed until it arrives, for way points and exits. Default `true`
---@field height? number of the goal, if the map has 3 dimensions
---@field within? number where its plan may end
---@field beside? boolean where its plan may end
---@field sight? boolean where its plan may end
---@field pass_only? string[] where its plan may end
---@field variation? number by which share a path may cost more than the cheapest: finite, >= 0; default 0
---@field seed? number a finite number, required with `variation`
---@field formation? "keep"|number[] the spots: see formations. Default: as said above
---@field turn? boolean `false`: the offsets of the formation are not turned. Default `true`
---@field together? boolean `true`: nobody is faster than the slowest walker of the list, and they wait for each other. Default `false`

---@class wend.SurroundOptions
---@field distance? number of the inner ring from the target, between centres, >= 0. Default: 1.1 times the sum of the radii

---@class wend.NearOptions
---@field limit? integer the nearest walkers only, at most this many, the nearest first; >= 1 or `math.huge`
---@field into? table a table to fill

---@class wend.LoadedWalker
---@field agent? any as for `add`; wend raises if the walker had one and gets none. Walkers that share an agent share plans
---@field costs? wend.Costs as for `add`; wend raises if the walker had one and gets none. Walkers that share an agent share plans
---@field influence? wend.Influences as for `add`; wend raises if the walker had one and gets none. Walkers that share an agent share plans
---@field speeds? table<string, number>|"costs" instead of the saved ones
---@field field? wend.Field the field that it follows, if it has other costs, another agent or other layers than the walker. Otherwise the field is saved
---@field map? wend.Grid its own map. wend raises if the walker had one and gets none
---@field target? any what it chases, if that is not a walker of the crowd

---@class wend.ChaseOptions
---@field distance? number the distance between the centres at which the target is in reach, finite, >= 0. Default: they touch
---@field angle? number in radians, from the heading of the target: the walker keeps to the spot in this direction, at this distance

---@class wend.QueueOptions
---@field limit? number how many requests may wait or run, >= 1, or `math.huge`. Default: no limit
---@field clock? fun(): number the clock of `q:run`: a function that returns seconds, such as `love.timer.getTime`. Default: `os.clock`, which measures CPU time

---@class wend.RequestOptions
---@field priority? number finite, default 0. Higher priorities come first
---@field owner? any any value, such as a unit. A new request of this owner replaces its last one, if that is not over, and keeps its position. The old one ends with the code `cancelled`
---@field on_done? fun(result: any, message: string?, code: wend.RequestCode?, request: wend.Request) a function `(result, message, code, request)`. It runs once, inside `q:step` or `q:run`, when the request is over
---@field share? boolean `true`: one field for many paths. `q:path` only

---@class wend.QueueStats
---@field waiting integer requests that are not over
---@field running integer requests that are not over
---@field done integer requests with a result, without one, and cancelled ones
---@field failed integer requests with a result, without one, and cancelled ones
---@field cancelled integer requests with a result, without one, and cancelled ones
---@field shared integer paths from shared fields
---@field errors integer `on_done` functions that raised
---@field expansions integer expansions; calls of `step` and `run`
---@field steps integer expansions; calls of `step` and `run`
---@field longest integer the longest time from a request to its result, in steps

---@class wend.LevelFields
---@field grid? wend.Grid the grid of the level, with all layers. Default: the only grid of `grids`
---@field grids? table<integer|string, wend.Grid> a grid for each layer, by number from the lowest, and by names. Default: a list of `grid`
---@field graph? wend.Graph a graph; walls
---@field walls? wend.Walls a graph; walls
---@field names? table<string, wend.XY> positions by name: `{ x =, y = }`, or any objects with these fields
---@field width? integer the size of the grids in cells; the size of a cell. Default: those of `grid`
---@field height? integer the size of the grids in cells; the size of a cell. Default: those of `grid`
---@field cell? number the size of the grids in cells; the size of a cell. Default: those of `grid`
---@field data? any values of your own: a string, a finite number, a boolean, or a plain table of them, with string keys or a list, nested at most 100 deep

---@class wend.TiledOptions
---@field diagonals? "both_open"|"one_open"|"always"|"never" as for `wend.grid`
---@field diagonal_length? number as for `wend.grid`
---@field closed? string[] the names of layers, classes and properties that block
---@field tile? fun(tile: wend.Tile, layer: string|integer, x: integer, y: integer): wend.CellValue|nil what a tile means
---@field project? string|table|false the file of Tiled's project, or the table that it holds: see classes. `false`: none

---@class wend.PrepareOptions
---@field landmarks? integer 1 to 16, default 16 for graphs and 8 for grids. With a number, a grid gets tables also where all open cells are alike
---@field costs? wend.Costs the profile that the tables are for; default: the weights. Its tag functions run once. Its edge rules are ignored
---@field agent? any the profile that the tables are for; default: the weights. Its tag functions run once. Its edge rules are ignored
---@field on_progress? fun(share: number) is called from time to time with the share that is done, at the end with 1
---@field threads? integer how many threads may work at the same time, default 1. More than two gain nothing. On grids the second one takes 4 more bytes for each cell meanwhile
---@field sliced? boolean `true`: returns a preparation, which works when its method `step` is called. Not together with `on_progress` or several threads. A grid is copied meanwhile, in about 2 bytes for each cell

---@class wend.PreparedInfo
---@field landmarks integer as in the report
---@field bytes integer as in the report
---@field own boolean whether the tables are for the agent's own costs
---@field used boolean whether the agent's searches use landmarks
---@field scale number the factor by which the agent's costs scale the estimates; 0: they use none
---@field slack number the cost by which edits have lowered the estimates, the mean of all landmarks: see edits
---@field reason? string a text that says why they are not used; otherwise nil

---@class wend.UnprepareOptions
---@field costs? wend.Costs the profile. Its tag functions run once
---@field agent? any the profile. Its tag functions run once

---@class wend.EncodeOptions
---@field prepared? boolean `false` leaves out the tables of prepared maps

---@class wend.LoadOptions
---@field map? wend.Graph|wend.Grid required for fields, route tables, paths, influence layers, overlays (their base), and followers and crowds that have a map: the map, with the same content as when they were saved, including names; otherwise `stale`
---@field costs? wend.Costs a profile made by `wend.costs`. Default: weights unchanged
---@field agent? any any value; the functions of the profile receive it. Default: an empty table
---@field cost? wend.EdgeFunction|wend.StepFunction a cost function for this call. It runs after all rules
---@field at_least? number the promise of `cost`, 0 to 1. Default 0: no promise
---@field size? number the size of the agent: on grids a whole number in 1 .. 32, in cells; on graphs a finite number > 0, compared with the widths of edges. Default: one cell, and all edges
---@field influence? wend.Influences layers and factors: `{ danger, 2, crowded, 0.5 }`. Default: none
---@field pass_only? string[] of a field: as it was made, for `relax`
---@field clear? wend.Clear of a follower: required if it had them
---@field clearance? number of a follower: required if it had them
---@field on_point? fun(follower: wend.Follower, point: integer) of a follower: required if it had them
---@field walker? fun(walker: wend.Walker): wend.LoadedWalker? of a crowd: what was not saved of a walker
---@field walls? wend.Walls of a crowd: its walls, which may change later. Default: a copy of the saved ones

---@class wend.SvgOptions
---@field path? wend.Path|wend.GridPath|wend.Path[]|wend.GridPath[] a path of the map, or a list of them
---@field route? number[]|number[][] a flat list of points, or a list of such lists: routes, curves, the points of followers
---@field points? number[]|number[][] a flat list of points, or a list of such lists: routes, curves, the points of followers
---@field field? wend.Field a field of the map: costs as colours, and the next steps
---@field search? wend.Search|wend.GridSearch instead of a field: what a search with `visited = true` has looked at, in colours of its costs
---@field walls? wend.Walls walls
---@field costs? wend.Costs what is closed for this agent is drawn as closed
---@field agent? any what is closed for this agent is drawn as closed
---@field width? number the width of the picture in pixels: 100 to 100000, default 800
---@field labels? boolean `false`: no names of nodes; no legend. Default `true`
---@field legend? boolean `false`: no names of nodes; no legend. Default `true`
---@field title? string a line above the picture
---@field walkers? wend.Crowd|wend.Walker|wend.Follower|table crowds or walkers to draw, to scale
---@field chokepoints? wend.Chokepoint[] what `map:chokepoints` returns: rings around nodes and cells, bands along edges and links

---@class wend.LoveMapOptions
---@field view? number[] `{ x, y, width, height }`: the part of the world to draw. Default: what is visible
---@field costs? wend.Costs what is closed for this agent is drawn as closed
---@field agent? any what is closed for this agent is drawn as closed
---@field colours? table<string, wend.Colour> colours by tag, `"#rrggbb"` or `{ red, green, blue }` from 0 to 1. `""`: without a tag
---@field alpha? number of cells and fields, 0 to 1, default 0.6
---@field labels? boolean `false`: no names. Default `true`. With more than 300 nodes there are none
---@field legend? boolean|number[] `true`, or `{ x, y }` on the screen: explains the visible tags
---@field limit? integer the largest number of cells, default 16384, or of nodes, default 2000. If more are visible, some stand for all
---@field reach? number graphs: edges are drawn if they begin at most so far beyond the border. Default: the length of the longest edge of a visible node
---@field z? number[] graphs of 3 dimensions: `{ low, high }`, the nodes to draw. Without it, each call looks at all nodes

---@class wend.LoveFieldOptions
---@field range? number[] `{ least, most }`: the costs of the palest and the darkest colour. Default: those of the visible places
---@field arrows? boolean `false`: no arrows
---@field view? number[] as for `draw.map`
---@field alpha? number as for `draw.map`
---@field limit? integer as for `draw.map`
---@field reach? number as for `draw.map`
---@field z? number[] as for `draw.map`

---@class wend.LoveSearchOptions
---@field view? number[] as for `draw.field`
---@field alpha? number as for `draw.field`
---@field limit? integer as for `draw.field`
---@field range? number[] as for `draw.field`
---@field reach? number as for `draw.field`
---@field z? number[] as for `draw.field`

---@class wend.LoveOptions
---@field view? number[] as above
---@field colour? wend.Colour `"#rrggbb"`, or 3 or 4 numbers from 0 to 1
---@field width? number of lines, in pixels, 0.1 to 100

---@class wend.LoveRouteOptions
---@field view? number[] as above
---@field colour? wend.Colour `"#rrggbb"`, or 3 or 4 numbers from 0 to 1
---@field width? number of lines, in pixels, 0.1 to 100
---@field dimensions? 2|3 default: `points.dimensions`, or 2

---@class wend.LoveFollowerOptions
---@field view? number[] as above
---@field colour? wend.Colour `"#rrggbb"`, or 3 or 4 numbers from 0 to 1
---@field width? number of lines, in pixels, 0.1 to 100
---@field line? boolean `true` draws the curve instead, by `f:line()`

---@class wend.LoveWalkersOptions
---@field view? number[] as above
---@field colour? wend.Colour `"#rrggbb"`, or 3 or 4 numbers from 0 to 1
---@field width? number of lines, in pixels, 0.1 to 100
---@field map? wend.Grid the grid, for its cells

--- Makes an empty graph.
---@param opts? wend.GraphOptions
---@return wend.Graph graph
function wend.graph(opts) end

--- Adds a node. A node may have no position; edges at such a node need a weight. One plain table `{ x =, y =, name =,
--- … }` gives the position and the options. If `opts` follows, or if the table has a metatable, only its position is
--- read. So `g:add_node(ogre, {})` adds a node at a game object.
---@param x number
---@param y number
---@param opts? wend.NodeOptions
---@return integer id
---@overload fun(self: wend.Graph, x: number, y: number, z: number, opts?: wend.NodeOptions): integer
---@overload fun(self: wend.Graph, position: wend.XY, opts?: wend.NodeOptions): integer
---@overload fun(self: wend.Graph, opts?: wend.NodeOptions): integer
---@overload fun(self: wend.Graph, node: wend.NewNode): integer
function Graph:add_node(x, y, opts) end

--- Adds an edge. Two nodes may have several edges between them.
---@param from wend.Node
---@param to wend.Node
---@param opts? wend.EdgeOptions
---@return wend.Edge edge
function Graph:add_edge(from, to, opts) end

--- Adds nodes with consecutive ids at the coordinates of a flat list.
---@param points number[]
---@param opts? wend.NodesOptions
---@return integer? first
---@return integer? last
function Graph:add_nodes(points, opts) end

--- Adds edges with consecutive ids. `pairs`: `{from, to, from, to, …}`.
---@param pairs wend.Node[]
---@param opts? wend.EdgesOptions
---@return wend.Edge? first
---@return wend.Edge? last
function Graph:add_edges(pairs, opts) end

--- Removes a node and its edges, or an edge. The id is never used again: calls with it raise.
---@param node wend.Node
---@return wend.Graph graph
function Graph:remove_node(node) end

--- Removes a node and its edges, or an edge. The id is never used again: calls with it raise.
---@param edge wend.Edge
---@return wend.Graph graph
function Graph:remove_edge(edge) end

--- Closes or opens a node. No path enters a closed node, except with `closed_goal`.
---@param node wend.Node
---@return wend.Graph graph
function Graph:close(node) end

--- Closes or opens a node. No path enters a closed node, except with `closed_goal`.
---@param node wend.Node
---@return wend.Graph graph
function Graph:open(node) end

--- Closes or opens an edge.
---@param edge wend.Edge
---@return wend.Graph graph
function Graph:close_edge(edge) end

--- Closes or opens an edge.
---@param edge wend.Edge
---@return wend.Graph graph
function Graph:open_edge(edge) end

--- Sets the weight, the tag or the width of an edge. With `nil` the weight is the length again, or there is no tag or
--- width.
---@param edge wend.Edge
---@param weight number|nil
---@return wend.Graph graph
function Graph:set_weight(edge, weight) end

--- Sets the weight, the tag or the width of an edge. With `nil` the weight is the length again, or there is no tag or
--- width.
---@param edge wend.Edge
---@param tag string|nil
---@return wend.Graph graph
function Graph:set_tag(edge, tag) end

--- Sets the weight, the tag or the width of an edge. With `nil` the weight is the length again, or there is no tag or
--- width.
---@param edge wend.Edge
---@param width number|nil
---@return wend.Graph graph
function Graph:set_width(edge, width) end

--- Moves a node. Edges whose weight is their length get their new length. A node without a position gets one.
---@param node wend.Node
---@param x number
---@param y number
---@param z? number
---@return wend.Graph graph
---@overload fun(self: wend.Graph, node: wend.Node, position: wend.XY): wend.Graph
function Graph:move(node, x, y, z) end

--- Sets the name, the radius or the tag of a node. `nil` removes it.
---@param node wend.Node
---@param name string|nil
---@return wend.Graph graph
function Graph:set_name(node, name) end

--- Sets the name, the radius or the tag of a node. `nil` removes it.
---@param node wend.Node
---@param radius number|nil
---@return wend.Graph graph
function Graph:set_radius(node, radius) end

--- Sets the name, the radius or the tag of a node. `nil` removes it.
---@param node wend.Node
---@param tag string|nil
---@return wend.Graph graph
function Graph:set_node_tag(node, tag) end

--- Whether the node or edge exists. Unknown ids and names do not raise here.
---@param node wend.Node
---@return boolean
function Graph:has(node) end

--- Whether the node or edge exists. Unknown ids and names do not raise here.
---@param edge wend.Edge
---@return boolean
function Graph:has_edge(edge) end

--- Whether the node is closed.
---@param node wend.Node
---@return boolean
function Graph:is_closed(node) end

--- The id of the node with that name, or nil.
---@param name string
---@return integer? id
function Graph:node(name) end

--- The name, position, radius or tag of a node; nil if it has none.
---@param node wend.Node
---@return string? name
function Graph:name(node) end

--- The name, position, radius or tag of a node; nil if it has none.
---@param node wend.Node
---@return number? x
---@return number? y
---@return number? z
function Graph:position(node) end

--- The name, position, radius or tag of a node; nil if it has none.
---@param node wend.Node
---@return number? radius
function Graph:radius(node) end

--- The name, position, radius or tag of a node; nil if it has none.
---@param node wend.Node
---@return string? tag
function Graph:node_tag(node) end

--- The properties of an edge. `length` is nil if an end has no position, `width` if the edge is open to all sizes.
---@param edge wend.Edge
---@return wend.EdgeInfo properties
function Graph:edge(edge) end

--- Whether the weight of the edge is its length, also when a node moves.
---@param edge wend.Edge
---@return boolean
function Graph:is_measured(edge) end

--- The edge from a to b with the smallest weight, closed ones too, or nil; of equal weights the one with the smallest
--- id.
---@param a wend.Node
---@param b wend.Node
---@return wend.Edge? edge
function Graph:edge_between(a, b) end

--- The edges that leave the node, closed ones too: first the directed ones, then the others.
---@param node wend.Node
---@return fun(): wend.Edge, integer, number, string|nil, boolean, boolean
---@overload fun(self: wend.Graph): fun(): wend.Edge, integer, integer, number, string|nil, boolean, boolean
function Graph:edges(node) end

--- All nodes, including closed ones.
---@return fun(): integer
function Graph:nodes() end

--- The numbers of nodes and edges, and the dimensions of positions.
---@return integer nodes
function Graph:node_count() end

--- The numbers of nodes and edges, and the dimensions of positions.
---@return integer edges
function Graph:edge_count() end

--- The numbers of nodes and edges, and the dimensions of positions.
---@return 2|3 dimensions
function Graph:dimensions() end

--- The number of edges and nodes that have each tag now, closed ones too; and the number of edges without a tag. Cost:
--- proportional to the number of edges.
---@return table<string, integer> counts
---@return integer untagged
function Graph:tags() end

--- The memory used for nodes and for edges, in bytes.
---@return integer nodes
---@return integer edges
function Graph:bytes() end

--- An independent map with the same content, also ids. Paths and fields of one map do not belong to the other. Cost:
--- that of `encode` and `wend.decode` together.
---@return wend.Graph map
function Graph:copy() end

--- An independent map with the same content, also ids. Paths and fields of one map do not belong to the other. Cost:
--- that of `encode` and `wend.decode` together.
---@return wend.Grid map
function Grid:copy() end

--- The node nearest to a position, and its distance; nil if there is none. With `limit` it returns two lists. Of
--- equally near nodes it is the one with the smallest id. Closed nodes are found too, unless `open` is given.
---@param x number
---@param y number
---@param opts? wend.NearestOptions
---@return integer|integer[]|nil node
---@return number|number[]|string|nil distance
---@return "stale"|nil code
---@overload fun(self: wend.Graph, x: number, y: number, z: number, opts?: wend.NearestOptions): integer|integer[]|nil, number|number[]|string|nil, "stale"|nil
---@overload fun(self: wend.Graph, position: wend.XY, opts?: wend.NearestOptions): integer|integer[]|nil, number|number[]|string|nil, "stale"|nil
---@overload fun(self: wend.Graph, position: wend.Point, opts?: wend.NearestOptions): integer|integer[]|nil, number|number[]|string|nil, "stale"|nil
function Graph:nearest(x, y, opts) end

--- The nearest edge, the nearest point of it (in 3 dimensions with z), and the distance; nil if there is none. An edge
--- is the straight line between its ends. Of equally near edges it is the one with the smallest id. Closed edges are
--- found too, but not with `can_reach` or `reachable_from`, which one of its ends must meet.
---@param x number
---@param y number
---@param opts? wend.NearestEdgeOptions
---@return wend.Edge? edge
---@return number|string|nil x
---@return number|"stale"|nil y
---@return number distance
---@overload fun(self: wend.Graph, x: number, y: number, z: number, opts?: wend.NearestEdgeOptions): wend.Edge?, number|string|nil, number|"stale"|nil, number
---@overload fun(self: wend.Graph, position: wend.XY, opts?: wend.NearestEdgeOptions): wend.Edge?, number|string|nil, number|"stale"|nil, number
---@overload fun(self: wend.Graph, position: wend.Point, opts?: wend.NearestEdgeOptions): wend.Edge?, number|string|nil, number|"stale"|nil, number
function Graph:nearest_edge(x, y, opts) end

--- A random open node or cell, all with the same probability; nil if there is none. The same map, seed and options give
--- the same result on every machine. Give each call its own seed, for example a counter. The options are the filters of
--- `g:nearest` and `grid:nearest`.
---@param seed number
---@param opts? wend.NodeFilters
---@return integer? node
---@return string|nil message
---@return "stale"|nil code
function Graph:random(seed, opts) end

--- A random open node or cell, all with the same probability; nil if there is none. The same map, seed and options give
--- the same result on every machine. Give each call its own seed, for example a counter. The options are the filters of
--- `g:nearest` and `grid:nearest`.
---@param seed number
---@param opts? wend.CellFilters
---@return integer? x
---@return integer|string|nil y
---@return "stale"|nil code
function Grid:random(seed, opts) end

--- Makes edges from each node to the nearest others, where the straight line is free, and returns their number. It
--- skips pairs that already have an edge, and nodes without a position.
---@param opts? wend.LinkNearestOptions
---@return integer edges
function Graph:link(opts) end

--- Makes a grid of open cells without tags, all of weight 1. (width + 1) x (height + 2) is below 2^31 - 1. Cost:
--- proportional to the number of cells.
---@param width integer
---@param height integer
---@param opts? wend.GridOptions
---@return wend.Grid grid
function wend.grid(width, height, opts) end

--- Makes a grid from a drawing: a string, of which blank lines at both ends and the common indentation are removed, or
--- a list of rows. `legend` gives each character (in UTF-8) a cell value, for at most 256 characters. `"#"` (closed)
--- and `"."` (open, weight 1) are predefined and can be redefined.
---@param text string|string[]
---@param legend? table<string, wend.CellValue>
---@param opts? wend.GridOptions
---@return wend.Grid grid
function wend.parse_grid(text, legend, opts) end

--- Sets a cell to a value. A tag can follow a weight or `false`, so `grid:set(x, y, grid:get(x2, y2))` copies a cell.
---@param x integer
---@param y integer
---@param value wend.CellValue
---@param tag? string
---@return wend.Grid grid
---@overload fun(self: wend.Grid, cell: wend.XY, value: wend.CellValue, tag?: string): wend.Grid
function Grid:set(x, y, value, tag) end

--- Sets all cells, or a rectangle between two corners.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param value wend.CellValue
---@param tag? string
---@return wend.Grid grid
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, value: wend.CellValue, tag?: string): wend.Grid
---@overload fun(self: wend.Grid, value: wend.CellValue, tag?: string): wend.Grid
function Grid:fill(x1, y1, x2, y2, value, tag) end

--- Closes or opens a cell, or all cells of a rectangle. Cells keep their weights and tags. No path enters a closed
--- cell, except with `closed_goal`.
---@param x integer
---@param y integer
---@param x2? integer
---@param y2? integer
---@return wend.Grid grid
---@overload fun(self: wend.Grid, cell: wend.XY, to?: wend.XY): wend.Grid
function Grid:close(x, y, x2, y2) end

--- Closes or opens a cell, or all cells of a rectangle. Cells keep their weights and tags. No path enters a closed
--- cell, except with `closed_goal`.
---@param x integer
---@param y integer
---@param x2? integer
---@param y2? integer
---@return wend.Grid grid
---@overload fun(self: wend.Grid, cell: wend.XY, to?: wend.XY): wend.Grid
function Grid:open(x, y, x2, y2) end

--- Calls `fn(x, y)` for each cell, row by row, and sets the cell to the value that it returns: one result, or nil for
--- no change. If `fn` raises or returns an invalid value, the grid is unchanged.
---@param fn fun(x: integer, y: integer): wend.CellValue|nil
---@return wend.Grid grid
function Grid:map(fn) end

--- Gives each cell the value of a number in `data`, row by row from the top. `values` has the value of each number.
--- Only cells that differ are edits, so assign the whole map after each change.
---@param data any
---@param values table<integer, wend.CellValue>
---@param opts? wend.AssignOptions
---@return wend.Grid grid
function Grid:assign(data, values, opts) end

--- Puts a wall between two neighbouring cells, for both directions. `closed = false` removes it. Between two cells that
--- touch at a corner the wall closes only that diagonal.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param closed? boolean
---@param opts? wend.WallOptions
---@return wend.Grid grid
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, closed?: boolean, opts?: wend.WallOptions): wend.Grid
function Grid:wall(x1, y1, x2, y2, closed, opts) end

--- Adds a step from any cell to any other, for stairs or teleporters. It costs `weight` x `times` + `plus` of *its own*
--- tag. A second link between the same two cells replaces the first.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param opts? wend.LinkOptions
---@return wend.Grid grid
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, opts?: wend.LinkOptions): wend.Grid
function Grid:link(x1, y1, x2, y2, opts) end

--- Removes the links between the two cells, in both directions. Cost of `link` and `unlink`: at most proportional to
--- the number of links. Cost of `wall`: constant.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@return wend.Grid grid
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY): wend.Grid
function Grid:unlink(x1, y1, x2, y2) end

--- The weight of a cell, or `false` if it is closed; and its tag, or nil.
---@param x integer
---@param y integer
---@return number|false weight
---@return string? tag
---@overload fun(self: wend.Grid, cell: wend.XY): number|false, string?
function Grid:get(x, y) end

--- Whether the cell is closed for all agents.
---@param x integer
---@param y integer
---@return boolean
---@overload fun(self: wend.Grid, cell: wend.XY): boolean
function Grid:is_closed(x, y) end

--- The weight of a cell. For a closed cell: the weight that it has when it is opened.
---@param x integer
---@param y integer
---@return number weight
---@overload fun(self: wend.Grid, cell: wend.XY): number
function Grid:weight(x, y) end

--- Whether the grid has this cell. Any number may be asked.
---@param x number
---@param y number
---@return boolean
---@overload fun(self: wend.Grid, position: wend.XY): boolean
function Grid:has(x, y) end

--- The centre of a cell in your world.
---@param x integer
---@param y integer
---@return number x
---@return number y
---@overload fun(self: wend.Grid, cell: wend.XY): number, number
function Grid:position(x, y) end

--- The numbers of columns and rows.
---@return integer columns
function Grid:width() end

--- The numbers of columns and rows.
---@return integer rows
function Grid:height() end

--- All walls, each once, row by row: the two cells beside it, and whether it closes only the step from the first to the
--- second.
---@return fun(): integer, integer, integer, integer, boolean
function Grid:walls() end

--- All links, by the cell where they start, row by row. A link that leads both ways appears twice.
---@return fun(): integer, integer, integer, integer, number, string?
function Grid:links() end

--- The options of the grid; `side`, `shift` and `flat` of hexes.
---@return "both_open"|"one_open"|"always"|"never"
function Grid:diagonals() end

--- The options of the grid; `side`, `shift` and `flat` of hexes.
---@return number
function Grid:diagonal_length() end

--- The options of the grid; `side`, `shift` and `flat` of hexes.
---@return number width
---@return number height
---@return number? side
function Grid:cell_size() end

--- The options of the grid; `side`, `shift` and `flat` of hexes.
---@return number x
---@return number y
function Grid:origin() end

--- The options of the grid; `side`, `shift` and `flat` of hexes.
---@return "orthogonal"|"isometric"
function Grid:projection() end

--- The options of the grid; `side`, `shift` and `flat` of hexes.
---@return "square"|"hex" shape
---@return "odd"|"even"? shift
---@return boolean? flat
function Grid:shape() end

--- The memory used, in bytes.
---@return integer bytes
function Grid:bytes() end

--- The cell at a point of your world; nil outside the grid. A point on a border belongs to the cell on its right, or
--- below.
---@param x number
---@param y number
---@return integer? x
---@return integer? y
---@overload fun(self: wend.Grid, position: wend.XY): integer?, integer?
function Grid:cell_at(x, y) end

--- The number of cells and links that have each tag now, closed cells too; and the number of those without a tag. A
--- link that leads both ways counts twice. Cost: proportional to the number of different cells and of links.
---@return table<string, integer> counts
---@return integer untagged
function Grid:tags() end

--- Draws the grid as text, row by row. A value of the legend keeps its character; of several with one value, the most
--- used in the drawing. Other cells without a tag are `#` if they are closed, `.`, or a digit for weights 2 to 9. A
--- tag, open or closed, gets the first of its characters that is not in use. Everything else is `?`. Walls and links
--- are not drawn.
---@param opts? wend.TextOptions
---@return string
function Grid:text(opts) end

--- The open cell nearest to a position of your world, also outside the grid; nil if there is none. The distance is that
--- to the cell's centre, in units of your world. Of equally near cells it is the first one, row by row. With a `size`
--- all of this is about the centre of the agent.
---@param x number
---@param y number
---@param opts? wend.NearestCellOptions
---@return integer? x
---@return integer|string|nil y
---@return number|"stale"|nil distance
---@overload fun(self: wend.Grid, position: wend.XY, opts?: wend.NearestCellOptions): integer?, integer|string|nil, number|"stale"|nil
---@overload fun(self: wend.Grid, position: wend.Point, opts?: wend.NearestCellOptions): integer?, integer|string|nil, number|"stale"|nil
function Grid:nearest(x, y, opts) end

--- Whether an agent can walk in a straight line from the centre of one cell to the centre of another. It tests walking,
--- not visibility: water that the agent cannot enter blocks the line. The agent must be able to take each step: a
--- straight one where the line crosses a side, a diagonal one where it passes through a corner (`"never"` counts as
--- `"both_open"`).
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param opts? wend.StepCosts
---@return boolean|nil clear
---@return string|nil message
---@return "stale"|nil code
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, opts?: wend.StepCosts): boolean|nil, string|nil, "stale"|nil
function Grid:clear(x1, y1, x2, y2, opts) end

--- The same between two points of your world. If a point lies outside the grid, the result is false.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param opts? wend.StepCosts
---@return boolean|nil clear
---@return string|nil message
---@return "stale"|nil code
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, opts?: wend.StepCosts): boolean|nil, string|nil, "stale"|nil
function Grid:clear_points(x1, y1, x2, y2, opts) end

--- Returns a path with fewer corners. It lists only the cells where it turns; between them it is straight, in any
--- direction. It never crosses a cell that is closed for the agent, and never costs more than the old path.
---@param path wend.GridPath
---@param opts? wend.StraightenOptions
---@return wend.GridPath|nil path
---@return string|nil message
---@return "stale"|nil code
function Grid:straighten(path, opts) end

--- Whether nothing blocks the straight line between the centres of two cells: neither closed cells nor walls, nor a
--- corner through which no diagonal step leads (`"never"` counts as `"both_open"`). The two cells block nothing, so a
--- unit sees from a closed cell. It is the same both ways. A line that runs between two hexes is free if it is free on
--- one side.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param opts? wend.SightOptions
---@return boolean sees
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, opts?: wend.SightOptions): boolean
function Grid:sees(x1, y1, x2, y2, opts) end

--- What a unit sees: the cells that a cell `sees` within `radius` (>= 0, or `math.huge`), in cells from centre to
--- centre, over hexes in steps, as a flat list row by row. The cell itself is one of them, and so are the closed cells
--- where its view ends.
---@param x integer
---@param y integer
---@param radius number
---@param opts? wend.VisibleOptions
---@return integer[] cells
---@overload fun(self: wend.Grid, cell: wend.XY, radius: number, opts?: wend.VisibleOptions): integer[]
function Grid:visible(x, y, radius, opts) end

--- Makes a surface without blocks.
---@param opts wend.SurfaceOptions
---@return wend.Surface surface
function wend.surface(opts) end

--- Loads the blocks of a box, or replaces them. Its lowest corner is block (x, y, z), its sizes along x, y and z are
--- `w`, `h` and `d`. `ids`: one for each block, x first, then y, then z. They are in a list, a string, a `Data` of
--- LÖVE, or in memory: then `ids` is a pointer of LuaJIT or light userdata, and `length` counts its bytes. Outside of
--- lists an id has one byte, or two in the order of the machine (the low byte first, nearly everywhere): the length
--- tells. At most 67,108,864 blocks.
---@param x integer
---@param y integer
---@param z integer
---@param w integer
---@param h integer
---@param d integer
---@param ids any
---@param length integer?
---@return wend.Surface surface
---@overload fun(self: wend.Surface, cell: wend.XY, w: integer, h: integer, d: integer, ids: any, length: integer?): wend.Surface
function Surface:load(x, y, z, w, h, d, ids, length) end

--- Changes a block. Raises if the block is not loaded, or the id has no class.
---@param x integer
---@param y integer
---@param z integer
---@param id integer
---@return wend.Surface surface
---@overload fun(self: wend.Surface, cell: wend.XY, id: integer): wend.Surface
function Surface:changed(x, y, z, id) end

--- Unloads the blocks of a box. Those that are not loaded do not matter.
---@param x integer
---@param y integer
---@param z integer
---@param w integer
---@param h integer
---@param d integer
---@return wend.Surface surface
---@overload fun(self: wend.Surface, cell: wend.XY, w: integer, h: integer, d: integer): wend.Surface
function Surface:unload(x, y, z, w, h, d) end

--- The place in the block with this position, or else the highest one in the 64 blocks below; nil if there is none.
--- Solid blocks between do not matter.
---@param x number
---@param y number
---@param z number
---@return integer? node
---@overload fun(self: wend.Surface, position: wend.XY): integer?
---@overload fun(self: wend.Surface, position: wend.Point): integer?
function Surface:at(x, y, z) end

--- Frees the surface. Its graph stays as it is. The collector does the same to surfaces that are not used any more.
function Surface:free() end

--- The memory of the surface without its graph.
---@return integer bytes
function Surface:bytes() end

--- Finds the cheapest path. `to` may be a list of nodes; the path then leads to the cheapest one. An empty list gives
--- `no_path`. `from` may be a follower on a path over this graph. A path may start on a closed node. `stale`:
--- `on_error` has changed the graph.
---@param from wend.Node
---@param to wend.Node|wend.Node[]
---@param opts? wend.PathOptions
---@return wend.Path|nil path
---@return string|nil message
---@return "no_path"|"budget"|"stale"|nil code
function Graph:path(from, to, opts) end

--- Finds the cheapest path. `goals` is a flat list of cells. A path may start in a closed cell; a closed goal is
--- `no_path`.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param opts? wend.GridPathOptions
---@return wend.GridPath|nil path
---@return string|nil message
---@return "no_path"|"budget"|"stale"|nil code
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, opts?: wend.GridPathOptions): wend.GridPath|nil, string|nil, "no_path"|"budget"|"stale"|nil
---@overload fun(self: wend.Grid, x1: integer, y1: integer, goals: integer[], opts?: wend.GridPathOptions): wend.GridPath|nil, string|nil, "no_path"|"budget"|"stale"|nil
---@overload fun(self: wend.Grid, from: wend.XY, goals: integer[], opts?: wend.GridPathOptions): wend.GridPath|nil, string|nil, "no_path"|"budget"|"stale"|nil
function Grid:path(x1, y1, x2, y2, opts) end

--- Finds several paths that share little, for a choice of routes or a horde: the cheapest one first, then others in no
--- order. There may be fewer than `count`, but at least one.
---@param from wend.Node
---@param to wend.Node|wend.Node[]
---@param opts? wend.AlternativesOptions
---@return wend.Path[]|nil list
---@return string|nil message
---@return "no_path"|"budget"|"stale"|nil code
function Graph:alternatives(from, to, opts) end

--- Finds several paths that share little, for a choice of routes or a horde: the cheapest one first, then others in no
--- order. There may be fewer than `count`, but at least one.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param opts? wend.GridAlternativesOptions
---@return wend.GridPath[]|nil list
---@return string|nil message
---@return "no_path"|"budget"|"stale"|nil code
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, opts?: wend.GridAlternativesOptions): wend.GridPath[]|nil, string|nil, "no_path"|"budget"|"stale"|nil
---@overload fun(self: wend.Grid, x1: integer, y1: integer, goals: integer[], opts?: wend.GridAlternativesOptions): wend.GridPath[]|nil, string|nil, "no_path"|"budget"|"stale"|nil
---@overload fun(self: wend.Grid, from: wend.XY, goals: integer[], opts?: wend.GridAlternativesOptions): wend.GridPath[]|nil, string|nil, "no_path"|"budget"|"stale"|nil
function Grid:alternatives(x1, y1, x2, y2, opts) end

--- Finds a path for each trip, all for one profile. `trips` is a flat list: of nodes `{ from, to, from, to, … }`, or
--- of cells `{ x1, y1, x2, y2, … }`. The result has a path for each trip, or `false` where `path` would fail. Each
--- path costs the same as that of `path`, except for rounding; of equally cheap paths it may be another one.
---@param trips wend.Node[]
---@param opts? wend.BatchOptions
---@return (wend.Path|false)[]|nil list
---@return string|nil message
---@return "stale"|nil code
function Graph:paths(trips, opts) end

--- Finds a path for each trip, all for one profile. `trips` is a flat list: of nodes `{ from, to, from, to, … }`, or
--- of cells `{ x1, y1, x2, y2, … }`. The result has a path for each trip, or `false` where `path` would fail. Each
--- path costs the same as that of `path`, except for rounding; of equally cheap paths it may be another one.
---@param trips integer[]
---@param opts? wend.GridBatchOptions
---@return (wend.GridPath|false)[]|nil list
---@return string|nil message
---@return "stale"|nil code
function Grid:paths(trips, opts) end

--- Whether `path` would find a path without limits.
---@param from wend.Node
---@param to wend.Node|wend.Node[]
---@param opts? wend.ReachOptions
---@return boolean|nil reached
---@return string|nil message
---@return "stale"|nil code
function Graph:can_reach(from, to, opts) end

--- Whether `path` would find a path without limits.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param opts? wend.GridReachOptions
---@return boolean|nil reached
---@return string|nil message
---@return "stale"|nil code
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, opts?: wend.GridReachOptions): boolean|nil, string|nil, "stale"|nil
---@overload fun(self: wend.Grid, x1: integer, y1: integer, goals: integer[], opts?: wend.GridReachOptions): boolean|nil, string|nil, "stale"|nil
---@overload fun(self: wend.Grid, from: wend.XY, goals: integer[], opts?: wend.GridReachOptions): boolean|nil, string|nil, "stale"|nil
function Grid:can_reach(x1, y1, x2, y2, opts) end

--- A cell of `from` in the rectangle counts as cut off, if it has a way now: a unit stands there.
---@param cells integer[]
---@param from integer[]
---@param to integer[]
---@param opts? wend.GridReachOptions
---@return integer? index
---@return string|nil message
---@return "stale"|nil code
function Grid:first_cut(cells, from, to, opts) end

--- The nodes with their positions in the path, from the start to the goal.
---@return fun(): integer, integer
function Path:each() end

--- Returns the current coordinates of the nodes as a flat list; with z in 3 dimensions. The options are those of varied
--- points. Paths on grids differ slightly.
---@param opts? wend.PointsOptions
---@return number[] points
function Path:points(opts) end

--- The edges of the path: one fewer than its nodes.
---@param opts? { into?: table }
---@return wend.Edge[] edges
function Path:edges(opts) end

--- Where the turns of a path with `per_turn` end: numbers of its nodes, the last one too. Number `i` is `path[i]`; on a
--- grid the cell `path[2 * i - 1], path[2 * i]`.
---@param opts? { into?: table }
---@return integer[] ends
function Path:turns(opts) end

--- False once one of its nodes or edges was moved, closed, opened or removed, got another weight, tag or width, or the
--- costs of one of its tags have changed. Cost: constant if nothing was edited since the last call; otherwise
--- proportional to the number of edits, or to the length of the path. For thousands of paths, see watches.
---@return boolean
function Path:valid() end

--- Lists what each edge costs and why, by default with the costs, agent, function and size of the search. The functions
--- run again. Cost: proportional to the length of the path times the number of rules.
---@param opts? wend.EdgeCosts
---@return wend.ExplainedEdge[]|nil steps
---@return string|nil message
---@return "stale"|nil code
function Path:explain(opts) end

--- The cost of each step of a list: node ids or names, or x and y of cells. The entries are those of `path:explain`;
--- the field `cost` of the list is their sum. Between two nodes it takes the edge that is cheapest for the agent,
--- between two cells a step or a link. Straight legs of a path are explained cell by cell.
---@param nodes wend.Node[]
---@param opts? wend.ReachOptions
---@return wend.ExplainedEdges|nil steps
---@return string|nil message
---@return "stale"|nil code
function Graph:explain(nodes, opts) end

--- The cost of each step of a list: node ids or names, or x and y of cells. The entries are those of `path:explain`;
--- the field `cost` of the list is their sum. Between two nodes it takes the edge that is cheapest for the agent,
--- between two cells a step or a link. Straight legs of a path are explained cell by cell.
---@param cells integer[]
---@param opts? wend.GridReachOptions
---@return wend.ExplainedSteps|nil steps
---@return string|nil message
---@return "stale"|nil code
function Grid:explain(cells, opts) end

--- Says where two paths part and meet again, and what makes the difference. `other`: a path of the same map, of its
--- base or of another overlay, or a list of nodes or cells. Both are explained on the map of *this* path, with its
--- costs or with those of the options. `tostring(comparison)` gives sentences. A comparison is a list of stretches.
---@param other wend.Path|wend.Node[]
---@param opts? wend.EdgeCosts
---@return wend.Comparison|nil comparison
---@return string|nil message
---@return "stale"|nil code
function Path:compare(other, opts) end

--- Makes an empty watch for paths of a graph or a grid.
---@param map wend.Graph|wend.Grid
---@return wend.Watch watch
function wend.watch(map) end

--- Adds a path, which the watch keeps alive until it is removed. Raises also when the path is of another map, or is
--- held already.
---@param path wend.Path|wend.GridPath
---@return wend.Watch watch
function Watch:add(path) end

--- Removes a path from the watch. Cost of both: proportional to the length of the path.
---@param path wend.Path|wend.GridPath
---@return wend.Watch watch
function Watch:remove(path) end

--- The paths that edits have touched since the last call, in the order in which they were added: something that
--- `path:valid` looks at has changed, also if the path is valid again. A path that was valid at the last call is in the
--- list exactly if it is not valid now. Paths stay held. If a search fills the table of a held path again (`into`), the
--- watch follows the new path.
---@param opts? { into?: table }
---@return (wend.Path|wend.GridPath)[] paths
function Watch:affected(opts) end

--- The number of held paths; and the memory used, in bytes: about 45 for each node of a path, on grids about 65 for
--- each cell.
---@return integer paths
function Watch:count() end

--- The number of held paths; and the memory used, in bytes: about 45 for each node of a path, on grids about 65 for
--- each cell.
---@return integer bytes
function Watch:bytes() end

--- Begins a search as `path` does, which then runs in slices. The tag functions run now.
---@param from wend.Node
---@param to wend.Node|wend.Node[]
---@param opts? wend.SearchOptions
---@return wend.Search search
function Graph:search(from, to, opts) end

--- Begins a search as `path` does, which then runs in slices. The tag functions run now.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param opts? wend.GridSearchOptions
---@return wend.GridSearch search
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, opts?: wend.GridSearchOptions): wend.GridSearch
---@overload fun(self: wend.Grid, x1: integer, y1: integer, goals: integer[], opts?: wend.GridSearchOptions): wend.GridSearch
---@overload fun(self: wend.Grid, from: wend.XY, goals: integer[], opts?: wend.GridSearchOptions): wend.GridSearch
function Grid:search(x1, y1, x2, y2, opts) end

--- Expands at most n nodes, >= 1. `used` is how many it has expanded in this step. After the end it does nothing. When
--- a function of the profile raises, the next step begins the search again.
---@param n integer
---@return "running"|"found"|"failed" state
---@return integer used
function Search:step(n) end

--- The path, or the failure. It does not depend on the slices. Raises while the search is running.
---@return wend.Path|nil path
---@return string|nil message
---@return "no_path"|"budget"|"stale"|nil code
function Search:result() end

--- An iterator over what the search has expanded so far, in that order: on grids cells with their cost and order, on
--- graphs `node, cost, order`. It needs the option `visited`. `cost`: what the way there had cost by then. A node that
--- becomes cheaper later is listed again. `wend.svg { search = search }` and `draw.search` draw it.
---@return fun(): integer, integer|number, number, integer?
function Search:each() end

--- The memory that the search holds now, in bytes: 16 to 20 for each cell that it has reached, or 24 for each node. It
--- is kept until the search is collected.
---@return integer bytes
function Search:bytes() end

--- Finds places that are cut off, dead ends and traps, for one agent or for all. Closed places are left out. Cost:
--- proportional to the size of the map.
---@param opts? wend.CheckOptions
---@return wend.Findings|nil findings
---@return string|nil message
---@return "stale"|nil code
function Graph:check(opts) end

--- Finds places that are cut off, dead ends and traps, for one agent or for all. Closed places are left out. Cost:
--- proportional to the size of the map.
---@param opts? wend.CheckOptions
---@return wend.Findings|nil findings
---@return string|nil message
---@return "stale"|nil code
function Grid:check(opts) end

--- Finds nodes, edges, cells and links whose loss cuts off a part of the map: good places for guards, and bad places
--- for an obstacle. Two places count as joined if a step leads from one to the other in either direction. Cost: about
--- that of `check`.
---@param opts? wend.ChokepointsOptions
---@return wend.Chokepoint[]|nil list
---@return string|nil message
---@return "stale"|nil code
function Graph:chokepoints(opts) end

--- Finds nodes, edges, cells and links whose loss cuts off a part of the map: good places for guards, and bad places
--- for an obstacle. Two places count as joined if a step leads from one to the other in either direction. Cost: about
--- that of `check`.
---@param opts? wend.ChokepointsOptions
---@return wend.Chokepoint[]|nil list
---@return string|nil message
---@return "stale"|nil code
function Grid:chokepoints(opts) end

--- Reports what is in the way; nil exactly where `path` finds a path. The report lists a smallest set of obstacles:
--- once all of them are opened, there is a path. `tostring(report)` is a few sentences. why.md is the tutorial.
---@param from wend.Node
---@param to wend.Node|wend.Node[]
---@param opts? wend.WhyOptions
---@return wend.Why? report
---@return string|nil message
---@return "stale"|nil code
function Graph:why_not(from, to, opts) end

--- Reports what is in the way; nil exactly where `path` finds a path. The report lists a smallest set of obstacles:
--- once all of them are opened, there is a path. `tostring(report)` is a few sentences. why.md is the tutorial.
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param opts? wend.GridWhyOptions
---@return wend.Why? report
---@return string|nil message
---@return "stale"|nil code
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, opts?: wend.GridWhyOptions): wend.Why?, string|nil, "stale"|nil
---@overload fun(self: wend.Grid, x1: integer, y1: integer, goals: integer[], opts?: wend.GridWhyOptions): wend.Why?, string|nil, "stale"|nil
---@overload fun(self: wend.Grid, from: wend.XY, goals: integer[], opts?: wend.GridWhyOptions): wend.Why?, string|nil, "stale"|nil
function Grid:why_not(x1, y1, x2, y2, opts) end

--- Makes a cost profile. `rules` gives each tag a value.
---@param rules? table<string, wend.TagCost>
---@param opts? wend.CostsOptions
---@return wend.Costs costs
function wend.costs(rules, opts) end

--- Sets or returns the value of a tag, as in `wend.costs`. `nil` removes it. `get` gives what the game has set, here or
--- in the base profile, and not the values of mods.
---@param tag string
---@param value wend.TagCost|nil
---@return wend.Costs costs
function Costs:set(tag, value) end

--- Sets or returns the value of a tag, as in `wend.costs`. `nil` removes it. `get` gives what the game has set, here or
--- in the base profile, and not the values of mods.
---@param tag string
---@return wend.TagCost|nil value
function Costs:get(tag) end

--- Adds a rule about a tag. It applies after the tag's value. `fn(agent, factor, tag)` runs once per search and returns
--- what tag functions return. `factor` is the result so far; `math.huge` if the tag is closed. A second rule of this
--- name for this tag replaces the first.
---@param name string
---@param tag string
---@param fn wend.TagFunction
---@param opts? wend.RuleOptions
---@return wend.Costs costs
function Costs:rule(name, tag, fn, opts) end

--- Adds a rule about edges or steps. `fn(agent, cost, tag, from, to, edge, node_tag)` returns the cost, `false` for
--- closed, or nil for no change. `from` and `to` are in the direction of travel; `node_tag` is the tag of the node that
--- the step enters. On grids: `(agent, cost, tag, from_x, from_y, to_x, to_y)`.
---@param name string
---@param fn wend.EdgeFunction|wend.StepFunction
---@param opts? wend.EdgeRuleOptions
---@return wend.Costs costs
function Costs:edge_rule(name, fn, opts) end

--- Removes all rules with that name from this profile. Inherited rules and rules of mods stay.
---@param name string
---@return wend.Costs costs
function Costs:remove(name) end

--- All rules, including inherited ones and those of mods, in the order in which they apply.
---@return wend.Rule[] rules
function Costs:rules() end

--- The tags that this profile names and that nothing in the map has, sorted. Values and rules count, here and in base
--- profiles. `nearest` is the tag of the map with the most similar spelling (one or two bytes differ), or nil. Cost:
--- that of `map:tags`, and at most about 0.5 ms for each unknown tag.
---@param map wend.Graph|wend.Grid|wend.Level
---@return { tag: string, nearest?: string }[] list
function Costs:unknown(map) end

--- Returns the object that holds all values and rules of one mod; a new mod is added. Names of rules are private to a
--- mod. The object gives no access to the profile or to other mods, so a game can hand it to the mod's script.
--- modding.md is the tutorial.
---@param name string
---@param opts? wend.RuleOptions
---@return wend.Mod mod
function Costs:mod(name, opts) end

--- The calls of profiles, for the values and rules of this mod. A function as a value receives the factor of the game
--- and of the mods before. `mine:set(tag, nil)` restores what the mod had replaced.
---@param tag string
---@param value wend.TagCost|nil
---@return wend.Mod mod
function Mod:set(tag, value) end

--- The calls of profiles, for the values and rules of this mod. A function as a value receives the factor of the game
--- and of the mods before. `mine:set(tag, nil)` restores what the mod had replaced.
---@param tag string
---@return wend.TagCost|nil value
function Mod:get(tag) end

--- The calls of profiles, for the values and rules of this mod. A function as a value receives the factor of the game
--- and of the mods before. `mine:set(tag, nil)` restores what the mod had replaced.
---@param name string
---@param tag string
---@param fn wend.TagFunction
---@param opts? wend.RuleOptions
---@return wend.Mod mod
function Mod:rule(name, tag, fn, opts) end

--- The calls of profiles, for the values and rules of this mod. A function as a value receives the factor of the game
--- and of the mods before. `mine:set(tag, nil)` restores what the mod had replaced.
---@param name string
---@param fn wend.EdgeFunction|wend.StepFunction
---@param opts? wend.EdgeRuleOptions
---@return wend.Mod mod
function Mod:edge_rule(name, fn, opts) end

--- The calls of profiles, for the values and rules of this mod. A function as a value receives the factor of the game
--- and of the mods before. `mine:set(tag, nil)` restores what the mod had replaced.
---@param name string
---@return wend.Mod mod
function Mod:remove(name) end

--- Removes all values and rules of the mod. It keeps its position in the order.
---@return wend.Mod mod
function Mod:reset() end

--- Runs `fn(mine)`, which sets the values and rules of the mod again. What `fn` does not repeat is gone when it
--- returns. The mod keeps its position in the order, and its sleeping rules wake. If `fn` raises, nothing changes, and
--- the error is raised with the name of the mod in front. `fn` cannot yield.
---@param fn fun(mine: wend.Mod)
---@return wend.Mod mod
function Mod:reload(fn) end

--- Removes a mod with all its values and rules. Inherited mods stay. If the mod is added again, it is loaded last.
---@param name string
---@return wend.Costs costs
function Costs:remove_mod(name) end

--- All mods, also those of base profiles, in the order in which their values apply.
---@return wend.ModState[] mods
function Costs:mods() end

--- A view of the profile that is safe to hand to mods. Searches take it like the profile, and it shows later edits. It
--- has `get`, `rules`, `mods`, `unknown`, `base` and `max_errors`, but gives no access to functions and tables of the
--- game. `path.costs` is the profile of the search, so find paths for mods with a view.
---@return wend.Costs costs
function Costs:readonly() end

--- Makes a layer for a map, with the number 0 everywhere. It takes 4 bytes for each cell, or 8 bytes for each node.
---@param map wend.Graph|wend.Grid
---@return wend.Influence layer
function wend.influence(map) end

--- The number of a node or cell.
---@param node wend.Node
---@return number
---@overload fun(self: wend.Influence, x: integer, y: integer): number
---@overload fun(self: wend.Influence, cell: wend.XY): number
function Influence:get(node) end

--- Sets it, 0 .. 1e30, or adds to it, -1e30 .. 1e30; the number does not become less than 0.
---@param node wend.Node
---@param value number
---@return wend.Influence layer
---@overload fun(self: wend.Influence, x: integer, y: integer, value: number): wend.Influence
---@overload fun(self: wend.Influence, cell: wend.XY, value: number): wend.Influence
function Influence:set(node, value) end

--- Sets it, 0 .. 1e30, or adds to it, -1e30 .. 1e30; the number does not become less than 0.
---@param node wend.Node
---@param value number
---@return wend.Influence layer
---@overload fun(self: wend.Influence, x: integer, y: integer, value: number): wend.Influence
---@overload fun(self: wend.Influence, cell: wend.XY, value: number): wend.Influence
function Influence:add(node, value) end

--- Adds `value` at a node or cell, and less of it around, down to 0 at the distance `radius` > 0: on a grid in cells,
--- over hexes in steps, on a graph in the unit of positions. Walls do not matter. `value`: as for `add`; a negative one
--- takes a stamp away again. With d for distance / radius, `"linear"`, the default, leaves 1 - d of it, `"smooth"` (1 -
--- d²)², and `"flat"` all of it.
---@param node wend.Node
---@param radius number
---@param value number
---@param falloff? "linear"|"smooth"|"flat"
---@return wend.Influence layer
---@overload fun(self: wend.Influence, x: integer, y: integer, radius: number, value: number, falloff?: "linear"|"smooth"|"flat"): wend.Influence
---@overload fun(self: wend.Influence, cell: wend.XY, radius: number, value: number, falloff?: "linear"|"smooth"|"flat"): wend.Influence
function Influence:stamp(node, radius, value, falloff) end

--- Multiplies all numbers by a factor in 0 .. 1. What gets below 1e-20 becomes 0.
---@param factor number
---@return wend.Influence layer
function Influence:decay(factor) end

--- Sets all numbers to 0, and frees their memory.
---@return wend.Influence layer
function Influence:reset() end

--- Sets the number of each cell to its distance to the nearest closed cell or the outside of the grid, from centre to
--- centre: straight steps count 1, diagonal ones 1.414. Closed cells have 0. Closed tags do not count. Only for grids.
---@return wend.Influence layer
function Influence:obstacle_distance() end

--- Sets the numbers to the costs of a field of the map. Places that it does not reach get `unreached`, 0 .. 1e30,
--- default 0.
---@param field wend.Field
---@param unreached? number
---@return wend.Influence layer
function Influence:from_field(field, unreached) end

--- Sets the number of each cell to how many cells of a flat list see it, at most `radius` away. So the layer keeps
--- agents in cover. Only for grids. Cost: that of `grid:visible` for each cell of the list.
---@param cells integer[]
---@param radius number
---@param opts? wend.SightOptions
---@return wend.Influence layer
function Influence:visible_from(cells, radius, opts) end

--- Replaces each number by `most` minus it, or 0 where it is greater. So `layer:obstacle_distance():invert(4)` keeps
--- agents 4 cells away from walls where that is worth it.
---@param most number
---@return wend.Influence layer
function Influence:invert(most) end

--- Frees the layer, as the collector does; and the memory used.
function Influence:free() end

--- Frees the layer, as the collector does; and the memory used.
---@return integer bytes
function Influence:bytes() end

--- Makes an overlay that equals its base, keeps it alive, and is used like any graph or grid. The base may be an
--- overlay itself; at most 100 can lie on each other. Cost: that of a copy.
---@return wend.Graph graph
function Graph:overlay() end

--- Makes an overlay that equals its base, keeps it alive, and is used like any graph or grid. The base may be an
--- overlay itself; at most 100 can lie on each other. Cost: that of a copy.
---@param opts? wend.OverlayOptions
---@return wend.Grid grid
function Grid:overlay(opts) end

--- Undoes all changes of the overlay. Cost: proportional to the number of changes, plus the size of the map / 64; on
--- grids with walls plus the size of the map / 8.
---@return wend.Graph overlay
---@overload fun(self: wend.Graph, node: wend.Node): wend.Graph
function Graph:reset() end

--- Undoes all changes of the overlay. Cost: proportional to the number of changes, plus the size of the map / 64; on
--- grids with walls plus the size of the map / 8.
---@return wend.Grid overlay
---@overload fun(self: wend.Grid, x: integer, y: integer, x2?: integer, y2?: integer): wend.Grid
---@overload fun(self: wend.Grid, cell: wend.XY, to?: wend.XY): wend.Grid
function Grid:reset() end

--- Undoes the changes of a node, an edge, a cell, or a rectangle of cells, with the walls at these cells.
---@param edge wend.Edge
---@return wend.Graph overlay
function Graph:reset_edge(edge) end

--- An overlay made with `unknown` is what one player has seen. It does not follow its base. `reveal` copies a cell, or
--- a rectangle of cells, from the base: their weights and tags, the walls around each of them, and the links that leave
--- them.
---@param x integer
---@param y integer
---@param x2? integer
---@param y2? integer
---@return wend.Grid overlay
---@overload fun(self: wend.Grid, cell: wend.XY, to?: wend.XY): wend.Grid
function Grid:reveal(x, y, x2, y2) end

--- Whether a cell of such an overlay was revealed, or set by an edit of the overlay.
---@param x integer
---@param y integer
---@return boolean
---@overload fun(self: wend.Grid, cell: wend.XY): boolean
function Grid:is_known(x, y) end

--- The frontier of what is known, as a flat list, row by row: the open cells that are known and share a side with an
--- unknown one, without a wall there, or have a link to one. These are goals for a path or a field: exploring. With
--- `into`, that table becomes the list. Cost: 0.05 ms for 512 x 512 cells.
---@param opts? { into?: table }
---@return integer[] cells
function Grid:frontier(opts) end

--- Makes a field. `goals`: a node or a list of nodes; on a grid, one cell, or a flat list of cells.
---@param goals wend.Node|wend.Node[]
---@param opts? wend.FieldOptions
---@return wend.Field|nil field
---@return string|nil message
---@return "budget"|"stale"|nil code
function Graph:field(goals, opts) end

--- Makes a field. `goals`: a node or a list of nodes; on a grid, one cell, or a flat list of cells.
---@param x integer
---@param y integer
---@param opts? wend.FieldOptions
---@return wend.Field|nil field
---@return string|nil message
---@return "budget"|"stale"|nil code
---@overload fun(self: wend.Grid, cell: wend.XY, opts?: wend.FieldOptions): wend.Field|nil, string|nil, "budget"|"stale"|nil
---@overload fun(self: wend.Grid, goals: integer[], opts?: wend.FieldOptions): wend.Field|nil, string|nil, "budget"|"stale"|nil
function Grid:field(x, y, opts) end

--- The cost of the cheapest path from this place, including the value of the goal; with `outward`, of the path to this
--- place. nil: not reached. A path may start in a closed cell, so a closed cell beside a reached one has a cost.
---@param x integer
---@param y integer
---@return number? cost
---@overload fun(self: wend.Field, cell: wend.XY): number?
---@overload fun(self: wend.Field, node: wend.Node): number?
function Field:cost(x, y) end

--- The next step from this place; nil at a goal, and where the field is not reached. With `outward` it is the previous
--- cell or node on the way from the goal. `stale` can only happen after arithmetic.
---@param x integer
---@param y integer
---@return integer? x
---@return integer|string|nil y
---@return "stale"|nil code
---@overload fun(self: wend.Field, cell: wend.XY): integer?, integer|string|nil, "stale"|nil
---@overload fun(self: wend.Field, node: wend.Node): integer?, string|nil, "stale"|nil
function Field:next(x, y) end

--- The path from this place to its goal; with `outward`, from the goal to this place. `into`: a table to reuse.
--- `corners`: as for paths. `path.cost` is the field's cost minus the value of the goal.
---@param x integer
---@param y integer
---@param opts? { corners?: boolean, into?: table }
---@return wend.GridPath|nil path
---@return string|nil message
---@return "no_path"|"stale"|nil code
---@overload fun(self: wend.Field, cell: wend.XY, opts?: { corners?: boolean, into?: table }): wend.GridPath|nil, string|nil, "no_path"|"stale"|nil
---@overload fun(self: wend.Field, node: wend.Node, opts?: { into?: table }): wend.Path|nil, string|nil, "no_path"|"stale"|nil
function Field:path(x, y, opts) end

--- The goal to which the path from this place leads; after `relax`, the place where the path ends. nil: not reached.
---@param x integer
---@param y integer
---@return integer? x
---@return integer? y
---@overload fun(self: wend.Field, cell: wend.XY): integer?, integer?
---@overload fun(self: wend.Field, node: wend.Node): integer?
function Field:goal(x, y) end

--- All places that are reached and open, with their cost: row by row, on a graph node by node.
---@return fun(): integer, integer|number, number?
function Field:each() end

--- The memory used, in bytes.
---@return integer bytes
function Field:bytes() end

---@return boolean
function Field:valid() end

--- Brings the field up to date after edits of its map. It then equals a new field with the same goals and options, to
--- the last bit. It mends only the places whose cheapest way has changed. Edits are those of cells, walls and links, of
--- nodes and edges, or of numbers of influence layers; it may be a grid of hexes or an overlay, and the agent may have
--- a `size`. `changed`: how many costs were found again; `rebuilt`: whether all of them were.
---@return integer|nil changed
---@return boolean|string|nil rebuilt
---@return "stale"|nil code
function Field:update() end

--- Adds the costs of the other field times the factor, a finite number, default 1. Places that one of the two does not
--- reach become unreached. The fields are of one map, its base or another overlay.
---@param other wend.Field
---@param factor? number
---@return wend.Field field
function Field:add(other, factor) end

--- Multiplies all costs by the factor, a finite number.
---@param factor number
---@return wend.Field field
function Field:scale(factor) end

--- Makes the costs consistent again. Each cost becomes the smaller of itself and the cost of a neighbour plus the step
--- to it, until nothing changes.
---@return wend.Field|nil field
---@return string|nil message
---@return "stale"|nil code
function Field:relax() end

--- Calculates all paths of a graph in advance, from every node to every other.
---@param opts? wend.RoutesOptions
---@return wend.Routes|nil routes
---@return string|nil message
---@return "stale"|nil code
function Graph:routes(opts) end

--- A path as cheap as that of `g:path`. If several cost the same, it may be another one. `into`: a table to fill.
---@param a wend.Node
---@param b wend.Node
---@param opts? { into?: table }
---@return wend.Path|nil path
---@return string|nil message
---@return "no_path"|"stale"|nil code
function Routes:path(a, b, opts) end

--- The cost of this path, the sum of its edges; nil if there is no path.
---@param a wend.Node
---@param b wend.Node
---@return number? cost
---@return string|nil message
---@return "stale"|nil code
function Routes:cost(a, b) end

--- The next node and the edge on the way from a to b: a look-up. nil if there is no path, and if a is b.
---@param a wend.Node
---@param b wend.Node
---@return integer? node
---@return wend.Edge|string|nil edge
---@return "stale"|nil code
function Routes:next(a, b) end

--- The memory used, in bytes; and `false` once the graph, or the costs of a tag of the graph, have changed since the
--- table was made. The calls above that may fail then return `stale`.
---@return integer bytes
function Routes:bytes() end

--- The memory used, in bytes; and `false` once the graph, or the costs of a tag of the graph, have changed since the
--- table was made. The calls above that may fail then return `stale`.
---@return boolean
function Routes:valid() end

--- Finds a route from any position or node to any other: in a straight line to the graph, along it, and in a straight
--- line to the goal. Off the graph a unit of length costs 1.
---@param from wend.Point|wend.Node
---@param to wend.Point|wend.Node
---@param opts? wend.RouteOptions
---@return wend.Route|nil route
---@return string|nil message
---@return "no_path"|"budget"|"stale"|nil code
function Graph:route(from, to, opts) end

--- Finds a route from any position of your world to any other: along the cheapest path of cells, in straight legs. It
--- begins exactly at `from` and ends exactly at `to`, so a unit can ask for a new route in every frame.
---@param from wend.Point
---@param to wend.Point
---@param opts? wend.GridRouteOptions
---@return wend.GridRoute|nil route
---@return string|nil message
---@return "no_path"|"budget"|"stale"|nil code
---@overload fun(self: wend.Grid, x1: number, y1: number, x2: number, y2: number, opts?: wend.GridRouteOptions): wend.GridRoute|nil, string|nil, "no_path"|"budget"|"stale"|nil
---@overload fun(self: wend.Grid, from: wend.XY, to: wend.XY, opts?: wend.GridRouteOptions): wend.GridRoute|nil, string|nil, "no_path"|"budget"|"stale"|nil
function Grid:route(from, to, opts) end

--- Makes an empty set of walls.
---@return wend.Walls walls
function wend.walls() end

--- Adds a straight wall without thickness.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@return integer id
---@overload fun(self: wend.Walls, from: wend.XY, to: wend.XY): integer
function Walls:add_segment(x1, y1, x2, y2) end

--- Adds a solid polygon. `points`: a flat list of at least 3 corners, in either direction. If its sides cross, the
--- even-odd rule says what is inside.
---@param points number[]
---@return integer id
function Walls:add_polygon(points) end

--- Adds a solid circle with radius r >= 0.
---@param x number
---@param y number
---@param r number
---@return integer id
---@overload fun(self: wend.Walls, position: wend.XY, r: number): integer
function Walls:add_circle(x, y, r) end

--- Removes a wall. Its id is never reused.
---@param id integer
---@return wend.Walls walls
function Walls:remove(id) end

--- Whether the wall exists. Numbers that are not ids do not raise here.
---@param id integer
---@return boolean
function Walls:has(id) end

--- Whether every point of the line is farther than `radius` from every wall. `radius`: a finite number >= 0, default 0.
--- A line that touches a wall is not clear.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param radius? number
---@return boolean
---@overload fun(self: wend.Walls, from: wend.XY, to: wend.XY, radius?: number): boolean
function Walls:clear(x1, y1, x2, y2, radius) end

--- All walls: `"segment"` and x1, y1, x2, y2; `"polygon"` and its corners; `"circle"` and x, y, r. Walls may be removed
--- during the iteration.
---@return fun(): "segment"|"polygon"|"circle", number[], integer
function Walls:each() end

--- The number of walls, and the memory used, in bytes.
---@return integer walls
function Walls:count() end

--- The number of walls, and the memory used, in bytes.
---@return integer bytes
function Walls:bytes() end

--- Makes a smooth line through all the points, as a denser list of points. `points`: a flat list, a path (its
--- `points()`) or a route. Coordinates are finite and within 1e150.
---@param points wend.Line
---@param opts? wend.CurveOptions
---@return wend.Curve points
function wend.curve(points, opts) end

---@param a number
---@param b number
---@param v number
---@return number
function wend.lerp(a, b, v) end

--- The cubic from p0 at v = 0 to p1 at v = 1 with the slopes m0 and m1 there. For points, call it for each coordinate.
---@param p0 number
---@param m0 number
---@param p1 number
---@param m1 number
---@param v number
---@return number
function wend.hermite(p0, m0, p1, m1, v) end

--- Makes a follower, which walks along points at its own speed. It starts on the first point. `points` as for
--- `wend.curve`; they are copied. `wend.follow(map:path(...))` raises with the path's message where there is no path.
---@param points wend.Line
---@param opts? wend.FollowOptions
---@return wend.Follower follower
function wend.follow(points, opts) end

--- Walks for dt seconds, finite and >= 0. One step of 0.1 and ten steps of 0.01 lead to the same place. A curve is made
--- leg by leg, when the follower comes to the leg; `clear` runs then. If it raises, the next call tries again.
---@param dt number
---@return number x
---@return number y
---@return number? z
function Follower:update(dt) end

--- The distance to the end along its way, in units of your world; `math.huge` on a loop. On a curve the first call
--- takes time proportional to the legs ahead; with `clear`, so does the first call after each leg.
---@return number distance
function Follower:remaining() end

--- The points along its whole way, as `wend.curve` returns them, for pictures.
---@return wend.Curve points
function Follower:line() end

--- Sends it along other points from its current position. Leg 0 leads to the first of them, so it does not jump. On a
--- curve it turns from its heading. Speed, options and pauses stay.
---@param points wend.Line
---@param opts? wend.FollowerGoOptions
---@return wend.Follower follower
function Follower:go(points, opts) end

--- Drops the rest of its points: it is `done`. A wait at a stop ends; a pause stays.
---@return wend.Follower follower
function Follower:stop() end

--- Stops it where it is until `f:resume()`.
---@return wend.Follower follower
function Follower:pause() end

--- Ends a pause, or else the wait at a stop: the follower goes on along the leg. With a position, which replaces the
--- end of that leg, it ends the wait at a stop, for scripts that have moved the unit over the leg themselves, for
--- example up a ladder. That raises if the follower does not wait.
---@return wend.Follower follower
---@overload fun(self: wend.Follower, x: number, y: number, z?: number): wend.Follower
---@overload fun(self: wend.Follower, position: wend.XY): wend.Follower
function Follower:resume() end

--- Makes an empty crowd. Positions, radii and speeds are in units of your world, on isometric maps and with cells that
--- are not square measured along the ground.
---@param opts? wend.CrowdOptions
---@return wend.Crowd crowd
function wend.crowd(opts) end

--- Lets dt seconds pass, finite and >= 0, in steps of 1/30 second, then calls the functions of the events. `dropped` is
--- the time of steps beyond `max_steps`, in seconds.
---@param dt number
---@return integer steps
---@return number dropped
function Crowd:update(dt) end

--- Adds a walker, which stands until it gets an order.
---@param opts wend.WalkerOptions
---@return wend.Walker walker
function Crowd:add(opts) end

--- Sends a list of walkers to one position. Each gets its own spot around it, in sight of it; or, if the largest walker
--- does not fit there, around the nearest point where it fits. Spots are 1.3 diameters of the largest walker apart.
--- With ends, and with a field, each walker goes by itself, as by `w:go`; several goals of a field are an area.
---@param walkers wend.Walker[]
---@param x number
---@param y number
---@param opts? wend.GroupOptions
---@return wend.Crowd crowd
---@overload fun(self: wend.Crowd, walkers: wend.Walker[], position: wend.XY, opts?: wend.GroupOptions): wend.Crowd
---@overload fun(self: wend.Crowd, walkers: wend.Walker[], order: wend.GoOrder): wend.Crowd
---@overload fun(self: wend.Crowd, walkers: wend.Walker[], field: wend.Field): wend.Crowd
function Crowd:go(walkers, x, y, opts) end

--- Gives each walker of a list a spot of its own around a target, in rings, and sends it there. The spot moves with the
--- target: see chasing.
---@param walkers wend.Walker[]
---@param target wend.Walker|wend.Follower|table
---@param opts? wend.SurroundOptions
---@return wend.Crowd crowd
function Crowd:surround(walkers, target, opts) end

--- The same as `w:remove`.
---@param walker wend.Walker
---@return wend.Crowd crowd
function Crowd:remove(walker) end

--- The walkers whose centre is within `r` of a point after the last step, in the order of `each`.
---@param x number
---@param y number
---@param r number
---@param opts? wend.NearOptions
---@return wend.Walker[] walkers
---@overload fun(self: wend.Crowd, position: wend.XY, r: number, opts?: wend.NearOptions): wend.Walker[]
function Crowd:near(x, y, r, opts) end

--- All walkers, and their number. Walkers may be added and removed during `each`.
---@return fun(): wend.Walker
function Crowd:each() end

--- All walkers, and their number. Walkers may be added and removed during `each`.
---@return integer walkers
function Crowd:count() end

---@param into? number[]
---@return number[] points
function Crowd:positions(into) end

--- A string to compare the positions and states of two runs; and the memory used, in bytes.
---@return string hash
function Crowd:hash() end

--- A string to compare the positions and states of two runs; and the memory used, in bytes.
---@return integer bytes
function Crowd:bytes() end

--- Saved are walkers in their order, with settings, orders, ways and fields that lead them, plans under way, events
--- that were not told yet, time, options of numbers, a copy of the walls, and `data` that is a string, a finite number
--- or a boolean. Not saved are
---@return string bytes
function Crowd:encode() end

--- Saved are walkers in their order, with settings, orders, ways and fields that lead them, plans under way, events
--- that were not told yet, time, options of numbers, a copy of the walls, and `data` that is a string, a finite number
--- or a boolean. Not saved are
---@param file string
---@return true|nil
---@return string|nil message
---@return "io"|nil code
function Crowd:save(file) end

--- Sends it to a position; to the best of several goals; along a flat list of points, a path or a route; or to the
--- nearest goal of a field of the crowd's grid. The options are for positions.
---@param x number
---@param y number
---@param opts? wend.GoOptions
---@return wend.Walker walker
---@overload fun(self: wend.Walker, position: wend.XY, opts?: wend.GoOptions): wend.Walker
---@overload fun(self: wend.Walker, order: wend.GoOrder): wend.Walker
---@overload fun(self: wend.Walker, points: wend.Line|wend.Field): wend.Walker
function Walker:go(x, y, opts) end

--- Follows a target that moves: see chasing.
---@param target wend.Walker|wend.Follower|table
---@param opts? wend.ChaseOptions
---@return wend.Walker walker
function Walker:chase(target, opts) end

--- Reports what keeps a walker from its goal. nil: nothing does. If there is no path to its goals, it is the report of
--- the map, for the way to the goals themselves. Otherwise `narrow` is the first cell where a wide walker does not fit,
--- of a stuck one perhaps its own, `blocked_by` the walker in the way of a stuck one, and `text` says why it is lost.
--- Cost: up to five searches of the map. Call it when a walker is lost or stuck, not in every frame.
---@param opts? { obstacles?: wend.ObstacleCosts }
---@return wend.Why? report
function Walker:why_not(opts) end

--- Ends its order: it stands. It makes way for others, and comes back.
---@return wend.Walker walker
function Walker:stop() end

--- Stops it until `w:resume()`. It does not move and makes way for nobody. Orders do not end a pause.
---@return wend.Walker walker
function Walker:pause() end

--- Ends a pause, if there is one: it goes on to its goal.
---@return wend.Walker walker
function Walker:resume() end

--- Adds a velocity that fades within about a second, such as that of a blow, in units per second.
---@param vx number
---@param vy number
---@return wend.Walker walker
function Walker:push(vx, vy) end

--- Puts it at another position, at rest. It goes on to its goal.
---@param x number
---@param y number
---@return wend.Walker walker
---@overload fun(self: wend.Walker, position: wend.XY): wend.Walker
function Walker:place(x, y) end

--- Removes it from the crowd.
function Walker:remove() end

--- Makes an empty queue.
---@param opts? wend.QueueOptions
---@return wend.Queue queue
function wend.queue(opts) end

--- Queues a request and returns it. It takes the arguments of `map:path`, `map:route`, `map:field`, `map:can_reach` or
--- `map:paths`. Wrong arguments raise here. The options are those of the call, and:
---@param map wend.Graph|wend.Grid
---@param ... any
---@return wend.Request|nil request
---@return string|nil message
---@return "full"|nil code
function Queue:path(map, ...) end

--- Queues a request and returns it. It takes the arguments of `map:path`, `map:route`, `map:field`, `map:can_reach` or
--- `map:paths`. Wrong arguments raise here. The options are those of the call, and:
---@param map wend.Graph|wend.Grid
---@param ... any
---@return wend.Request|nil request
---@return string|nil message
---@return "full"|nil code
function Queue:route(map, ...) end

--- Queues a request and returns it. It takes the arguments of `map:path`, `map:route`, `map:field`, `map:can_reach` or
--- `map:paths`. Wrong arguments raise here. The options are those of the call, and:
---@param map wend.Graph|wend.Grid
---@param ... any
---@return wend.Request|nil request
---@return string|nil message
---@return "full"|nil code
function Queue:field(map, ...) end

--- Queues a request and returns it. It takes the arguments of `map:path`, `map:route`, `map:field`, `map:can_reach` or
--- `map:paths`. Wrong arguments raise here. The options are those of the call, and:
---@param map wend.Graph|wend.Grid
---@param ... any
---@return wend.Request|nil request
---@return string|nil message
---@return "full"|nil code
function Queue:can_reach(map, ...) end

--- Queues a request and returns it. It takes the arguments of `map:path`, `map:route`, `map:field`, `map:can_reach` or
--- `map:paths`. Wrong arguments raise here. The options are those of the call, and:
---@param map wend.Graph|wend.Grid
---@param trips any[]
---@param opts? table
---@return wend.Request|nil request
---@return string|nil message
---@return "full"|nil code
function Queue:paths(map, trips, opts) end

--- Cancels a request that is not over, or the one of an owner. Its `on_done` runs in the next step. Returns false if
--- there is no such request.
---@return boolean cancelled
function Request:cancel() end

--- Cancels a request that is not over, or the one of an owner. Its `on_done` runs in the next step. Returns false if
--- there is no such request.
---@param owner any
---@return boolean cancelled
function Queue:cancel(owner) end

--- Cancels all requests, for example when a level ends. Each request that waits holds about 2 KB.
---@return wend.Queue queue
function Queue:clear() end

--- Brings a field up to date, like `field:update`, with a budget for each frame. The result and the second argument of
--- `on_done` are those of `field:update`: `changed` and `rebuilt`.
---@param field wend.Field
---@param opts? wend.RequestOptions
---@return wend.Request|nil request
---@return string|nil message
---@return "full"|nil code
function Queue:update(field, opts) end

--- Works for `n` expansions, >= 1, or `math.huge`: until nothing is left. Returns the number of expansions used, never
--- more than `n`, and `q:pending()`. A request that needs no expansion counts as one. The same calls give the same
--- order, results and counts on every machine.
---@param n number
---@return integer used
---@return integer pending
function Queue:step(n) end

--- Works until the clock has advanced by `seconds`, >= 0, or nothing is left. Even without time each call works a
--- little. If the clock stands still, the call ends after 20,000 expansions. One slow function, the list of a very long
--- path, `on_done` functions, and packing the edges of a graph after edits are not cut, and may exceed the time.
---@param seconds number
---@param clock? fun(): number
---@return integer used
---@return integer pending
function Queue:run(seconds, clock) end

--- The number of requests that are not over, and of cancelled ones whose `on_done` has not run yet.
---@return integer requests
function Queue:pending() end

--- Makes a level: a table with these fields, all of which may be absent. Scripts may read and replace them.
---@param fields? wend.LevelFields
---@return wend.Level level
function wend.level(fields) end

--- Saves the level as one file, or returns its bytes. `wend.load` and `wend.decode` return the level again.
---@param file string
---@param opts? wend.EncodeOptions
---@return true|nil
---@return string|nil message
---@return "io"|nil code
function Level:save(file, opts) end

--- Saves the level as one file, or returns its bytes. `wend.load` and `wend.decode` return the level again.
---@param opts? wend.EncodeOptions
---@return string bytes
function Level:encode(opts) end

--- Reads a map made with Tiled. `map` is the name of a file: `.tmx` (XML), `.tmj` (JSON) or `.lua` (Tiled's Lua
--- export). `map` may also be the table that a Lua export returns (`require "maps.ford"`); export it with embedded
--- tilesets (Edit > Preferences > Export options).
---@param map string|table
---@param opts? wend.TiledOptions
---@return wend.Level|nil level
---@return string|nil message
---@return "io"|"format"|nil code
function wend.read_tiled(map, opts) end

--- The tile of a cell, the same table that `tile` gets: of the grid of `layer`, a key of `level.grids`, or else the
--- uppermost tile. nil: there is none. Tiles are not saved: a loaded level raises. Cost: constant, and four bytes for
--- each tile.
---@param level wend.Level
---@param x integer
---@param y integer
---@param layer? string|integer
---@return wend.Tile? tile
---@overload fun(level: wend.Level, cell: wend.XY, layer?: string|integer): wend.Tile?
function wend.tile_at(level, x, y, layer) end

--- The tile of a cell, and the cell of a tile, as Tiled's status bar counts tiles: from 0, and negative on infinite
--- maps. nil outside the map. Cost: constant.
---@param level wend.Level
---@param x integer
---@param y integer
---@return integer? column
---@return integer? row
---@overload fun(level: wend.Level, cell: wend.XY): integer?, integer?
function wend.tile_of_cell(level, x, y) end

--- The tile of a cell, and the cell of a tile, as Tiled's status bar counts tiles: from 0, and negative on infinite
--- maps. nil outside the map. Cost: constant.
---@param level wend.Level
---@param column integer
---@param row integer
---@return integer? x
---@return integer? y
function wend.cell_of_tile(level, column, row) end

--- Computes distances to and from landmarks. The tables belong to the map, and replace those for the same costs. A map
--- can have tables for the weights, and for up to four profiles.
---@param opts? wend.PrepareOptions
---@return wend.PrepareReport|nil report
---@return string|nil message
---@return "stale"|nil code
---@overload fun(self: wend.Graph, opts: wend.SlicedPrepareOptions): wend.Preparation|nil, string|nil, "stale"|nil
function Graph:prepare(opts) end

--- Computes distances to and from landmarks. The tables belong to the map, and replace those for the same costs. A map
--- can have tables for the weights, and for up to four profiles.
---@param opts? wend.PrepareOptions
---@return wend.PrepareReport|nil report
---@return string|nil message
---@return "stale"|nil code
---@overload fun(self: wend.Grid, opts: wend.SlicedPrepareOptions): wend.Preparation|nil, string|nil, "stale"|nil
function Grid:prepare(opts) end

--- Works on about `n` nodes or cells, >= 1. Returns whether the tables are ready. The map may be edited between steps.
---@param n integer
---@return boolean done
function Preparation:step(n) end

--- The share that is done, 0 to 1; and the report, or nil before the end.
---@return number share
function Preparation:progress() end

--- The share that is done, 0 to 1; and the report, or nil before the end.
---@return wend.PrepareReport? report
function Preparation:report() end

--- The tables that searches of an agent use; nil if the map is not prepared. They are those for its own costs, or else
--- the best ones.
---@param opts? wend.EdgeCosts
---@return wend.PreparedInfo? info
---@return string|nil message
---@return "stale"|nil code
function Graph:prepared(opts) end

--- The tables that searches of an agent use; nil if the map is not prepared. They are those for its own costs, or else
--- the best ones.
---@param opts? wend.StepCosts
---@return wend.PreparedInfo? info
---@return string|nil message
---@return "stale"|nil code
function Grid:prepared(opts) end

--- Drops the tables for the costs of a profile, or all without `costs`. `wend.costs()` stands for the weights.
---@param opts? wend.UnprepareOptions
---@return wend.Graph|nil graph
---@return string|nil message
---@return "stale"|nil code
function Graph:unprepare(opts) end

--- Drops the tables for the costs of a profile, or all without `costs`. `wend.costs()` stands for the weights.
---@param opts? wend.UnprepareOptions
---@return wend.Grid|nil grid
---@return string|nil message
---@return "stale"|nil code
function Grid:unprepare(opts) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@param file string
---@param opts? wend.EncodeOptions
---@return true|nil
---@return string|nil message
---@return "io"|nil code
function Graph:save(file, opts) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@param file string
---@param opts? wend.EncodeOptions
---@return true|nil
---@return string|nil message
---@return "io"|nil code
function Grid:save(file, opts) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@param file string
---@return true|nil
---@return string|nil message
---@return "io"|nil code
function Walls:save(file) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@param file string
---@return true|nil
---@return string|nil message
---@return "io"|"stale"|nil code
function Field:save(file) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@param file string
---@return true|nil
---@return string|nil message
---@return "io"|"stale"|nil code
function Routes:save(file) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@param file string
---@return true|nil
---@return string|nil message
---@return "io"|nil code
function Path:save(file) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@param file string
---@return true|nil
---@return string|nil message
---@return "io"|nil code
function Follower:save(file) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@param file string
---@return true|nil
---@return string|nil message
---@return "io"|nil code
function Influence:save(file) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@param opts? wend.EncodeOptions
---@return string bytes
function Graph:encode(opts) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@param opts? wend.EncodeOptions
---@return string bytes
function Grid:encode(opts) end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@return string bytes
function Walls:encode() end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@return string|nil bytes
---@return string|nil message
---@return "stale"|nil code
function Field:encode() end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@return string|nil bytes
---@return string|nil message
---@return "stale"|nil code
function Routes:encode() end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@return string bytes
function Path:encode() end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@return string bytes
function Follower:encode() end

--- Saves an object completely. Levels hold several maps in one file; crowds are saved in the same way. Of an overlay
--- only its changes are saved. `encode` returns the bytes. `save` writes them to a file `NAME.part` and then renames
--- it, so other programs find either the old file or the new one. The same object gives the same bytes on every
--- machine. FORMAT.md describes them.
---@return string bytes
function Influence:encode() end

--- Reads what `save` or `encode` wrote.
---@param file string
---@param opts? wend.LoadOptions
---@return wend.Graph|wend.Grid|wend.Walls|wend.Level|wend.Field|wend.Routes|wend.Path|wend.GridPath|wend.Follower|wend.Influence|wend.Crowd|nil object
---@return string|nil message
---@return "io"|"format"|"stale"|nil code
function wend.load(file, opts) end

--- Reads what `save` or `encode` wrote.
---@param string string
---@param opts? wend.LoadOptions
---@return wend.Graph|wend.Grid|wend.Walls|wend.Level|wend.Field|wend.Routes|wend.Path|wend.GridPath|wend.Follower|wend.Influence|wend.Crowd|nil object
---@return string|nil message
---@return "format"|"stale"|nil code
function wend.decode(string, opts) end

--- Makes a picture as an SVG document, for a browser or a drawing program. `map`: a graph, a grid, walls, a level (its
--- grid, graph, walls and names), or nil. Each tag has a colour, and a legend explains the rest. Graphs of 3 dimensions
--- are seen from above. Under a path with a size lies what its agent covers. Cost: proportional to the size of the map.
---@param map wend.Graph|wend.Grid|wend.Walls|wend.Level|nil
---@param opts? wend.SvgOptions
---@return string document
function wend.svg(map, opts) end

--- Draws a graph or a grid in the colours of `wend.svg`. On grids, open cells of weight 1 without a tag stay free, so
--- that your game is visible below.
---@param map wend.Graph|wend.Grid
---@param opts? wend.LoveMapOptions
function draw.map(map, opts) end

--- The same with a profile, and with a legend of what each visible tag costs: `swamp: x 3 + 10`. Edge rules are not
--- shown.
---@param map wend.Graph|wend.Grid
---@param costs wend.Costs
---@param opts? wend.LoveMapOptions
function draw.costs(map, costs, opts) end

--- Draws a field of the map: costs from pale to dark, and an arrow for the next step.
---@param map wend.Graph|wend.Grid
---@param field wend.Field
---@param opts? wend.LoveFieldOptions
function draw.field(map, field, opts) end

--- Draws what a search with the option `visited` has looked at so far, in the same colours.
---@param map wend.Graph|wend.Grid
---@param search wend.Search|wend.GridSearch
---@param opts? wend.LoveSearchOptions
function draw.search(map, search, opts) end

--- Draw a path, and what an agent with a size covers; a route, a curve or any flat list of coordinates; a follower, its
--- heading and the points of its legs; walkers, to scale; walls. A follower that waits or is paused has a ring, and so
--- has a walker that is stuck or lost.
---@param path wend.Path|wend.GridPath
---@param opts? wend.LoveOptions
function draw.path(path, opts) end

--- Draw a path, and what an agent with a size covers; a route, a curve or any flat list of coordinates; a follower, its
--- heading and the points of its legs; walkers, to scale; walls. A follower that waits or is paused has a ring, and so
--- has a walker that is stuck or lost.
---@param points number[]|wend.Route|wend.Curve
---@param opts? wend.LoveRouteOptions
function draw.route(points, opts) end

--- Draw a path, and what an agent with a size covers; a route, a curve or any flat list of coordinates; a follower, its
--- heading and the points of its legs; walkers, to scale; walls. A follower that waits or is paused has a ring, and so
--- has a walker that is stuck or lost.
---@param f wend.Follower
---@param opts? wend.LoveFollowerOptions
function draw.follower(f, opts) end

--- Draw a path, and what an agent with a size covers; a route, a curve or any flat list of coordinates; a follower, its
--- heading and the points of its legs; walkers, to scale; walls. A follower that waits or is paused has a ring, and so
--- has a walker that is stuck or lost.
---@param walkers wend.Crowd|wend.Walker|wend.Follower|table
---@param opts? wend.LoveWalkersOptions
function draw.walkers(walkers, opts) end

--- Draw a path, and what an agent with a size covers; a route, a curve or any flat list of coordinates; a follower, its
--- heading and the points of its legs; walkers, to scale; walls. A follower that waits or is paused has a ring, and so
--- has a walker that is stuck or lost.
---@param walls wend.Walls
---@param opts? wend.LoveOptions
function draw.walls(walls, opts) end

--- Draws the grid, the walls, the graph and the names of a level. Options as for `draw.map`.
---@param level wend.Level
---@param opts? wend.LoveMapOptions
function draw.level(level, opts) end

--- Returns the type of a value, or nil for anything that is not an object of wend. Routes, traces, curves and lists of
--- points are plain tables: nil.
---@param value any
---@return wend.TypeName? name
function wend.type(value) end

--- Runs Dijkstra's algorithm on a graph and records each step, for learning and for debugging. Each step examines every
--- node: this is fine for hundreds of nodes and slow for many thousands. A trace is a list of steps.
---@param graph wend.Graph
---@param from wend.Node
---@param to wend.Node
---@param opts? wend.ReachOptions
---@return wend.Trace|nil trace
---@return string|nil message
---@return "stale"|nil code
function wend.trace(graph, from, to, opts) end

---@param form? "table"|"arrays"
---@return string text
function Trace:text(form) end

---@param form? "table"|"arrays"
---@return string text
function TraceStep:text(form) end

--- Three lists in the order of the table. Unknown distances are `math.huge`. Unknown previous nodes are the start.
---@return boolean[] found
---@return number[] distance
---@return integer[] previous
function TraceStep:arrays() end

---@param value any
---@return wend.TypeName? name
function core.type(value) end

---@param opts? wend.GraphOptions
---@return wend.Graph graph
function core.graph(opts) end

---@param width integer
---@param height integer
---@param opts? wend.GridOptions
---@return wend.Grid grid
function core.grid(width, height, opts) end

---@param text string|string[]
---@param legend? table<string, wend.CellValue>
---@param opts? wend.GridOptions
---@return wend.Grid grid
function core.parse_grid(text, legend, opts) end

---@return wend.Walls walls
function core.walls() end

---@param map wend.Graph|wend.Grid
---@return wend.Influence layer
function core.influence(map) end

---@param opts wend.SurfaceOptions
---@return wend.Surface surface
function core.surface(opts) end

---@param string string
---@param opts? wend.LoadOptions
---@return wend.Graph|wend.Grid|wend.Walls|wend.Level|wend.Field|wend.Routes|wend.Crowd|nil object
---@return string|nil message
---@return "format"|"stale"|nil code
function core.decode(string, opts) end

---@param map wend.Graph|wend.Grid
---@return wend.Watch watch
function core.path_watch(map) end

--- Whether both are the same map, or overlays of the same map.
---@param map any
---@param other any
---@return boolean related
function core.related(map, other) end

--- The contents of gzip or zlib data. On failure it returns nil, the number of bytes that could be unpacked, and
--- `"format"` (damaged) or `"budget"` (more than `max_bytes`).
---@param packed string
---@param max_bytes number
---@return string? data
---@return integer? unpacked
---@return string? code
function core.unpack(packed, max_bytes) end

--- Comments in `src/lua` describe them.
---@param kind "path"|"route"|"field"|"update"
---@param map wend.Graph|wend.Grid|wend.Field
---@param ... any
---@return wend.Search search
---@return table? options
---@return any ...
function core.start(kind, map, ...) end

--- Comments in `src/lua` describe them.
---@param search wend.Search
---@param n integer
---@return "running"|"found"|"failed" state
---@return integer used
function core.run(search, n) end

--- Comments in `src/lua` describe them.
---@param from any
---@return integer? now
---@return integer? version
---@return integer? last
function core.reads(from) end

--- Comments in `src/lua` describe them.
---@param search wend.Search
---@param other wend.Search
function core.follow(search, other) end

--- Comments in `src/lua` describe them.
---@param search wend.Search
function core.again(search) end

--- Comments in `src/lua` describe them.
---@param search wend.Search
function core.close(search) end

--- Comments in `src/lua` describe them.
---@param threads? integer
---@return any batch
function core.batch(threads) end

--- Comments in `src/lua` describe them.
---@param batch any
---@param map wend.Graph|wend.Grid
---@param opts wend.PathOptions?
---@param ids integer[]
---@return any[]|false|nil found
---@return string|nil message
---@return "stale"|nil code
function core.find_paths(batch, map, opts, ids) end

--- Comments in `src/lua` describe them.
---@param map wend.Graph|wend.Grid
---@param opts? table
function core.check_options(map, opts) end

--- Comments in `src/lua` describe them.
---@param value any
---@return string text
function core.describe(value) end

--- Comments in `src/lua` describe them.
---@param grid wend.Grid
---@param x1 integer
---@param y1 integer
---@param x2 integer
---@param y2 integer
---@param marks any[]
---@return string text
---@overload fun(grid: wend.Grid, from: wend.XY, to: wend.XY, marks: any[]): string
function core.draw(grid, x1, y1, x2, y2, marks) end

--- Comments in `src/lua` describe them.
---@param values table
---@return any[] list
function core.values(values) end

--- Comments in `src/lua` describe them.
---@param fn function
---@param ... any
---@return boolean ok
---@return any result
function core.call(fn, ...) end

return wend
