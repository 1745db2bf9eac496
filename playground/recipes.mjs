// SPDX-License-Identifier: MIT
// The programs of doc/recipes.md: a list of { title, program, output }, in the order of the page.
import { readFileSync } from "node:fs";

export function recipes(page) {
  const list = [];
  for (const part of readFileSync(page, "utf8").split(/^## /m).slice(1)) {
    const title = part.slice(0, part.indexOf("\n"));
    const program = part.match(/^```lua\n([^]*?)^```$/m);
    const output = part.match(/^```text\n([^]*?)^```$/m);
    if (program) list.push({ title, program: program[1], output: output ? output[1] : "" });
  }
  return list;
}
