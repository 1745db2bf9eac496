// SPDX-License-Identifier: MIT
// Completes calls and options from the reference. reference.json is made from lua/wend/meta.lua: see reference.mjs.
import { autocompletion } from "@codemirror/autocomplete";

// Objects by the names that pages and scripts give them.
const CLASS_OF = {
  wend: "wend", map: "Grid", grid: "Grid", land: "Grid", level: "Level", graph: "Graph", g: "Graph", costs: "Costs",
  path: "Path", field: "Field", crowd: "Crowd", w: "Walker", walker: "Walker", f: "Follower", follower: "Follower",
  q: "Queue", queue: "Queue", layer: "Influence", danger: "Influence", routes: "Routes", search: "Search", walls: "Walls",
};

let loading = null;
const reference = () => { loading ??= fetch("reference.json").then((answer) => answer.json()); return loading; };

// The name of the call in whose table of options the text ends: "path" of `map:path(1, 1, 5, 5, { `; undefined: there is none.
function callAround(text) {
  let depth = 0, inTable = false;
  for (let i = text.length - 1; i >= 0; i--) {
    const char = text[i];
    if (")}]".includes(char)) depth++;
    else if ("({[".includes(char)) {
      if (depth-- > 0) continue;
      depth = 0;
      if (inTable && char !== "(") return undefined;      // a table within a table
      if (char === "{") inTable = true;
      const name = text.slice(0, i).match(/([\w]+)\s*$/);
      if (inTable && name && (char === "(" || !/[=,]\s*$/.test(text.slice(0, i)))) return name[1];
      if (char === "(") return undefined;
    }
  }
  return undefined;
}

function option({ label, detail, info, type }) { return { label, detail, info, type }; }

async function complete(context) {
  const call = context.matchBefore(/\w+[.:]\w*/), word = context.matchBefore(/\w*/);
  const { calls, options } = await reference();
  if (call) {
    const [name, separator] = call.text.match(/(\w+)([.:])/).slice(1);
    const type = CLASS_OF[name];
    if (!type && separator === ".") return null;          // a field of a unit, say
    const list = calls.filter((one) => (type ? one.of === type : one.of !== "wend") && (one.type === "function") === (name === "wend" || separator === ":"));
    const labels = new Set();                             // of objects of unknown names, each method once
    const first = list.filter(({ label }) => !labels.has(label) && labels.add(label));
    return first.length ? { from: call.from + name.length + 1, options: first.map(option), validFor: /^\w*$/ } : null;
  }
  const around = callAround(context.state.sliceDoc(Math.max(0, word.from - 2000), word.from));
  if (!around || !options[around] || (word.from === word.to && !context.explicit)) return null;
  return { from: word.from, options: options[around].map(option), validFor: /^\w*$/ };
}

export const completion = autocompletion({ override: [complete], icons: false });
