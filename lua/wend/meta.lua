---@meta wend
-- SPDX-License-Identifier: MIT
-- The public interface, for the Lua language server. Never required; doc/API.md says more.

--- A node: its id or its name.
---@alias wend.Node integer|string
---@alias wend.Edge integer

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

--- Estimates the cost from a node to a goal; must not overestimate.
---@alias wend.HeuristicFunction fun(node: integer, goal: integer): number

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

--- Reads bot waypoints (.wpt, packed by gzip or not).
---@param file string
---@return wend.Graph|nil graph 3D, directed
---@return string? message
---@return "io"|"format"|nil code
function wend.read_wpt(file) end

--- Reads a road network (.gr, with the .co beside it, packed by gzip or not).
---@param file string
---@return wend.Graph|nil graph 2D, directed
---@return string? message
---@return "io"|"format"|nil code
function wend.read_gr(file) end

--- The C module, without the helpers in Lua.
---@class wend.Core
---@field version string
local core = {}

---@param options? wend.GraphOptions
---@return wend.Graph
function core.graph(options) end

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

-- Graphs -----------------------------------------------------------------------------------------------------------

---@class wend.Graph
local Graph = {}

---@class wend.NodeOptions
---@field name? string unique within the graph
---@field radius? number room to vary around the node, >= 0

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

---@param node wend.Node
---@return number
function Graph:radius(node) end

---@param node wend.Node
---@param radius number
---@return wend.Graph self
function Graph:set_radius(node, radius) end

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
---@return wend.ExplainedEdge[]
function Path:explain(options) end

-- Costs ------------------------------------------------------------------------------------------------------------

---@class wend.Costs
---@field on_error? fun(name: string, message: string) called when a rule raises
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
