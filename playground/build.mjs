// SPDX-License-Identifier: MIT
// Writes the page: node playground/build.mjs OUT WORK. WORK has wend.js and wend.wasm, the folder lua, and npm/node_modules.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { recipes } from "./recipes.mjs";
import { reference } from "./reference.mjs";

const [out, work] = process.argv.slice(2).map((folder) => resolve(folder));
const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const modules = join(work, "npm/node_modules");
const esbuild = createRequire(join(modules, "x.js"))("esbuild");

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const common = { bundle: true, minify: true, target: "es2022", nodePaths: [modules], absWorkingDir: here, logLevel: "warning" };
const page = await esbuild.build({ ...common, entryPoints: ["main.js"], format: "esm", outfile: join(out, "main.js"), metafile: true });
await esbuild.build({ ...common, entryPoints: ["engine.js"], format: "iife", outfile: join(out, "engine.js") });
for (const file of ["index.html", "style.css", "icon.svg"]) copyFileSync(join(here, file), join(out, file));
for (const file of ["wend.js", "wend.wasm"]) copyFileSync(join(work, file), join(out, file));
writeFileSync(join(out, "recipes.json"), JSON.stringify(recipes(join(here, "../doc/recipes.md"))));
writeFileSync(join(out, "reference.json"), JSON.stringify(reference(join(here, "../lua/wend/meta.lua"))));

// The licences of all that is in the page.
const packages = new Set();
for (const input of Object.keys(page.metafile.inputs)) {
  const found = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (found) packages.add(found[1]);
}
const licences = [`wend\n\n${readFileSync(join(here, "../LICENSE"), "utf8")}`];
const notice = readFileSync(join(work, "lua/lua.h"), "utf8").match(/\/\*+\n(\* Copyright[^]*?)\*+\//);
licences.push(`Lua\n\n${notice[1].replace(/^\* ?/gm, "")}`);
for (const name of [...packages].sort()) {
  const file = ["LICENSE", "LICENSE.md", "LICENCE"].map((file) => join(modules, name, file)).find(existsSync);
  if (!file) throw new Error(`no licence in the package ${name}`);
  licences.push(`${name}\n\n${readFileSync(file, "utf8")}`);
}
writeFileSync(join(out, "licences.txt"), licences.join(`\n${"-".repeat(72)}\n\n`));

const files = readdirSync(out).sort();
const hash = createHash("sha256");
for (const file of files) hash.update(file).update(readFileSync(join(out, file)));
writeFileSync(join(out, "offline.js"), readFileSync(join(here, "offline.js"), "utf8")
  .replace('"%FILES%"', JSON.stringify(["./", ...files])).replace("%VERSION%", hash.digest("hex").slice(0, 16)));
