// SPDX-License-Identifier: MIT
// What the editor completes, from the annotations in lua/wend/meta.lua: calls and fields by their class, options by their call.
import { readFileSync } from "node:fs";

// What follows a type: the type ends at the first space outside of brackets. A function may have a type of its result.
function afterType(text) {
  let depth = 0, i = 0;
  for (; i < text.length; i++) {
    if ("({<".includes(text[i])) depth++;
    if (")}>".includes(text[i])) depth--;
    if (text[i] === " " && depth === 0 && text[i - 1] !== ":") break;
  }
  return text.slice(i + 1);
}

const sentence = (text) => text.replace(/`/g, "").match(/^[^]*?[.;](?=\s|$)|^[^]*$/)[0].trim();

export function reference(file) {
  const calls = [], classes = {}, options = {}, wanted = [];
  let words = [], opts = null, now = null;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const type = line.match(/^---@class wend\.(\w+)/), field = line.match(/^---@field (\w+)(\??) (.*)/);
    const made = line.match(/^function (\w+)[.:](\w+)\((.*)\) end/);
    if (type) classes[now = type[1]] = [];
    else if (field && now) classes[now].push({ label: field[1], info: sentence(afterType(field[3])), type: "property" });
    else if (made) {
      const [, of, label, parameters] = made;
      calls.push({ of, label, detail: `(${parameters})`, info: sentence(words.join(" ")), type: "function" });
      if (opts) wanted.push([label, opts]);
    } else if (/^---@param (opts|fields|rules)\??/.test(line)) opts = line.match(/wend\.(\w+)/)?.[1];
    else if (line.startsWith("--- ")) words.push(line.slice(4));
    if (!line.startsWith("---")) [words, opts, now] = [[], null, null];
  }
  for (const of of ["Path", "Walker", "Crowd", "Follower", "Level"]) for (const one of classes[of] ?? []) calls.push({ of, ...one });
  for (const [label, name] of wanted) {
    const all = [...(options[label] ?? []), ...(classes[name] ?? [])];
    options[label] = all.filter((one, i) => all.findIndex((other) => other.label === one.label) === i);
  }
  return { calls, options };
}
