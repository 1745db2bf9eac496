// SPDX-License-Identifier: MIT
// Uses the site as readers do, in headless Chromium: node playground/test/site.mjs SITE WORK CHROMIUM. WORK has npm/node_modules;
// screenshots go to WORK/screenshots.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { serve } from "./serve.mjs";

const [folder, work] = process.argv.slice(2, 4).map((name) => resolve(name));
const { chromium } = createRequire(join(work, "npm/node_modules/x.js"))("playwright-core");
const shots = join(work, "screenshots");
mkdirSync(shots, { recursive: true });
const server = await serve(folder);
const browser = await chromium.launch({ executablePath: process.argv[4], args: ["--no-sandbox"] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
page.setDefaultTimeout(60000);
const problems = [];
page.on("pageerror", (error) => problems.push(String(error)));
page.on("request", (request) => {
  if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(server.address)) problems.push(`a request to ${request.url()}`);
});

await page.goto(`${server.address}index.html`);
await page.screenshot({ path: join(shots, "site.png") });
// What is typed before the script of the page runs is lost. The script listens to keys. A result may be folded.
for (let tries = 1, found = false; !found; tries++) {
  await page.fill(".md-search__input", "");
  await page.type(".md-search__input", "nearest_edge");
  const result = page.waitForSelector(".md-search-result__item >> text=nearest_edge", { state: "attached", timeout: 5000 });
  found = await result.then(() => true, (error) => { if (tries === 12) throw error; });
}
await page.screenshot({ path: join(shots, "search.png") });
await page.click(".md-search-result__item a");
await page.waitForFunction(() => /doc\/.*\.html/.test(location.href) && document.body?.innerText.includes("nearest_edge"));
console.log("search finds a call");

if (existsSync(join(folder, "playground"))) {
  await page.goto(`${server.address}doc/recipes.html`);
  const links = await page.locator("text=Open in the playground").count();
  assert.ok(links > 20, `${links} recipes open in the playground`);
  await page.locator("//*[@id='doors-and-keys']/following::a[contains(., 'Open in the playground')]").first().click();
  await page.waitForFunction(() => document.body?.dataset.computed);
  const title = await page.evaluate(() => document.querySelector("#examples").selectedOptions[0].textContent);
  const program = await page.innerText(".cm-content");
  await page.screenshot({ path: join(shots, "opened.png") });
  assert.equal(title, "Doors and keys");
  assert.match(program, /door/);
  console.log(`${links} recipes open in the playground`);
}

assert.deepEqual(problems, []);
await browser.close();
server.close();
