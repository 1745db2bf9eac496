// SPDX-License-Identifier: MIT
// A program for TypeScriptToLua. make check-declarations checks its types, and runs it if tstl is installed.
import * as wend from "wend";

const graph = wend.graph();
graph.add_nodes([0, 0, 30, 40, 60, 0]);
graph.add_edge(1, 2);
graph.add_edge(2, 3);
graph.add_edge(1, 3, { tag: "swamp" });

const boots = wend.costs({ swamp: 2 });
const [path, message] = graph.path(1, 3, { costs: boots });
if (path) {
  print(path.join(" "), path.cost, path[0]);
} else {
  print(message);
}
if (path) for (const [i, node] of path.each()) print(i, node);
const [none, , code] = graph.path(1, 3, { max_cost: 10 });
print(none, code);

const [careful] = graph.path(1, 3, {
  agent: "scout",
  at_least: 1,
  cost: (agent, cost, tag) => (tag === "swamp" ? false : cost),
});
print(careful?.join(" "));
for (const [x1, y1, x2, y2] of wend.grid(4, 3).wall(2, 1, 1, 1).walls()) print(x1, y1, x2, y2);
const [none_closed] = graph.path(1, 3, {
  costs: wend.costs({ swamp: (agent, factor) => (agent === "ghost" ? factor : false) }),
  agent: "ghost",
});
print(none_closed?.cost);
