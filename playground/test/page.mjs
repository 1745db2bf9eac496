// SPDX-License-Identifier: MIT
// Uses the page as people do, in headless Chromium: node playground/test/page.mjs PAGE WORK CHROMIUM. WORK has
// npm/node_modules; screenshots of the page go to WORK/screenshots.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { serve } from "./serve.mjs";

const [folder, work] = process.argv.slice(2, 4).map((name) => resolve(name));
const { chromium } = createRequire(join(work, "npm/node_modules/x.js"))("playwright-core");
const SECONDS = 20;
const shots = join(work, "screenshots");
mkdirSync(shots, { recursive: true });

const server = await serve(folder);
// No sandbox: Chromium has none for root, which CI is. It opens nothing but the page.
const browser = await chromium.launch({ executablePath: process.argv[4], args: ["--no-sandbox"] });
const problems = [];

async function opened(options = {}, address = server.address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(SECONDS * 1000);
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => { if (message.type() === "error") problems.push(message.text()); });
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(server.address)) problems.push(`a request to ${request.url()}`);
  });
  await page.goto(address);
  await computed(page);
  return page;
}

const computed = (page) => page.waitForFunction(() => document.body.dataset.computed);
const report = (page) => page.innerText("#report");

// Replaces the rules by typing.
async function type(page, text) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  await computed(page);
}

// Picks an example, and waits for its answer.
async function pick(page, label) {
  await page.evaluate(() => { document.body.dataset.computed = ""; });
  await page.selectOption("#examples", { label });
  await computed(page);
}

// The place of a cell of the map on the page, when the whole map is shown.
async function place(page, x, y, width, height) {
  await page.click("#zoom-fit");
  const box = await page.locator("#map").boundingBox();
  const margin = 12;
  const scale = Math.min(48, (box.width - 2 * margin) / width, (box.height - 2 * margin) / height);
  return [box.x + (box.width - scale * width) / 2 + (x - 0.5) * scale, box.y + (box.height - scale * height) / 2 + (y - 0.5) * scale];
}

async function check(name, act) {
  const began = performance.now();
  await act();
  console.log(`${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

const FORD = [30, 19];
let page = await opened();

await check("answers at once", async () => {
  assert.match(await report(page), /no boots[^]*cost 25\.99[^]*boots[^]*cost 23/);
  await page.waitForFunction(() => document.body.dataset.computed === "crowd");
  await page.screenshot({ path: join(shots, "light.png") });
});

await check("the first visit, step by step", async () => {
  assert.match(await page.innerText("#steps"), /1 of 3/);
  await page.click("#steps >> text=Next");
  assert.match(await page.innerText("#steps"), /2 of 3/);
  await page.click("#steps >> text=Skip");
  assert.ok(await page.isHidden("#steps"));
  const again = await page.context().newPage();
  await again.goto(server.address);
  await computed(again);
  assert.ok(await again.isHidden("#steps"));
  await again.close();
});

await check("the time of the crowd", async () => {
  await page.fill("#moment", "45");
  assert.equal(await page.getAttribute("#play", "aria-label"), "Play");
  await page.waitForFunction(() => document.querySelector("#seconds").textContent === "3.0 s");
  await page.click("#play");
  await page.waitForFunction(() => document.querySelector("#seconds").textContent > "3.0 s");
});

await check("a field: arrows and a legend", async () => {
  await page.check("#show-field");
  assert.match(await page.innerText("#legend"), /goal\s*\d+(\.\d)? away/);
  await page.screenshot({ path: join(shots, "field.png") });
  await page.uncheck("#show-field");
});

await check("calls and options are completed", async () => {
  await type(page, "return wend.co");
  await page.keyboard.press("Control+Space");
  await page.waitForSelector(".cm-tooltip-autocomplete >> text=costs");
  await page.screenshot({ path: join(shots, "completion.png") });
  await page.keyboard.press("Escape");
  await type(page, "map:path(1, 1, 2, 2, { max");
  await page.keyboard.press("Control+Space");
  await page.waitForSelector(".cm-tooltip-autocomplete >> text=max_cost");
  await page.keyboard.press("Escape");
});

await check("while rules are typed, the last answers stay, in grey", async () => {
  assert.match(await page.getAttribute("#report", "class"), /\bold\b/);
  assert.match(await report(page), /no boots[^]*cost 25\.99/);
  await type(page, "local costs = wend.costs {}\n");
  assert.match(await page.getAttribute("#report", "class"), /\bold\b/);
  assert.ok(await page.isHidden("#note"));
});

await check("rules that are typed", async () => {
  await type(page, "return wend.costs {\n  swamp = function(unit) return unit.boots and 0.5 or 3 end,\n  road = 0.5,\n}\n");
  assert.match(await report(page), /boots[^]*cost 14/);
  assert.match(await report(page), /tag 'road'/);
});

await check("drawing: a wall of rock, and why there is no path", async () => {
  await page.click('[data-tool="1"]');
  const top = await place(page, 15, 1, ...FORD), end = await place(page, 15, 19, ...FORD);
  await page.mouse.move(...top);
  await page.mouse.down();
  await page.mouse.move(...end, { steps: 3 });
  await page.mouse.up();
  await computed(page);
  await page.waitForFunction(() => document.querySelector("#report").innerText.includes("No path from (4,9) to (27,9)"));
  assert.match(await report(page), /Cell \(15,9\) is closed/);
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelector("#report").innerText.includes("cost 14"));
});

await check("walls and links between cells", async () => {
  await page.click('[data-tool="link"]');
  await page.mouse.click(...await place(page, 5, 9, ...FORD));
  await page.mouse.click(...await place(page, 26, 9, ...FORD));
  await page.waitForFunction(() => /lift\s+1 step/.test(document.querySelector("#report").innerText));
  await page.click('[data-tool="wall"]');
  const [x, y] = await place(page, 5, 9, ...FORD), [next] = await place(page, 6, 9, ...FORD);
  await page.mouse.click(x + (next - x) * 0.45, y);
  await page.waitForTimeout(700); // then the address has the map
  const { map } = await page.evaluate(async () => {
    const bytes = Uint8Array.from(atob(location.hash.slice(2).replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  });
  assert.deepEqual(map.walls, ["5,9,6,9"]);
  assert.deepEqual(map.links.map((l) => [l.x1, l.y1, l.x2, l.y2, l.tag]), [[5, 9, 26, 9, "lift"]]);
});

await check("a link, and what it brings back", async () => {
  await page.waitForTimeout(600);
  await page.click("#share");
  await page.waitForFunction(() => document.querySelector("#share").textContent !== "Copy link");
  const address = page.url();
  assert.match(address, /#z[\w-]+$/);
  const other = await opened({}, address);
  assert.equal(await report(other), await report(page));
  assert.equal(await other.innerText(".cm-content"), await page.innerText(".cm-content"));
  await other.context().close();
  // A damaged one is told.
  const damaged = await opened({}, `${address.slice(0, 60)}A`);
  await damaged.waitForFunction(() => document.querySelector("#note").textContent.includes("This link is damaged"));
  await damaged.context().close();
});

await check("an error under its line", async () => {
  await type(page, "local costs = wend.costs {}\ncosts:rule('mod', 'swamp', function()\n  return nothing.at_all\nend)\nreturn costs\n");
  const under = await page.waitForSelector(".cm-under");
  assert.match(await under.innerText(), /attempt to index a nil value \(global 'nothing'\)/);
  assert.equal(await under.evaluate((element) => element.previousElementSibling.textContent.trim()), "return nothing.at_all");
  await page.screenshot({ path: join(shots, "error.png") });
});

await check("rules without an end", async () => {
  await type(page, "local n = 0\nwhile true do n = n + 1 end\n");
  const under = await page.waitForSelector(".cm-under:has-text('it took too long')");
  assert.match(await under.evaluate((element) => element.previousElementSibling.textContent), /while true/);
  // These switch the stop of the engine off: the page ends the worker.
  await type(page, "debug.sethook()\nwhile true do end\n");
  await page.waitForFunction(() => document.querySelector("#status").textContent.includes("it took too long"));
  await type(page, "return {}\n");
  await page.waitForFunction(() => document.querySelector("#report").innerText.includes("cost"));
});

await check("recipes", async () => {
  await pick(page, "Movement range");
  assert.match(await report(page), /^2 1 2 - -/);
  await pick(page, "Hex tactics");
  assert.match(await report(page), /strikes from\t4\t2/);
  assert.match(await page.innerText("#note"), /its own map of hexes\.$/);
  assert.doesNotMatch(await page.getAttribute("#report", "class"), /\bold\b/);
  await page.screenshot({ path: join(shots, "hexes.png") });
  await pick(page, "Chase");
  assert.match(await report(page), /caught after 6 s/);
  await page.screenshot({ path: join(shots, "recipe.png") });
  await page.click("text=Draw on it");
  await page.waitForFunction(() => document.querySelector("#report").innerText.includes("no boots"));
});

await check("the keyboard alone", async () => {
  await pick(page, "Empty, 32 x 20");
  await page.focus("#map");
  await page.keyboard.press("2"); // rock
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  for (let i = 0; i < 19; i++) await page.keyboard.press(i ? "Shift+ArrowDown" : "Space");
  await page.keyboard.press("Shift+ArrowDown");
  await page.waitForFunction(() => document.querySelector("#report").innerText.includes("No path from (1,1) to (32,20)"));
  assert.match(await page.innerText("#cell"), /^6, 20 · rock · closed/);
  await page.keyboard.press("g");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#report").innerText.includes("cost"));
});

await check("512 x 512 cells", async () => {
  await page.check("#show-field");
  await pick(page, "Large, 512 x 512");
  await page.waitForFunction(() => document.body.dataset.computed === "crowd");
  assert.match(await report(page), /no boots\s*cost \d{3}[^]*\d{3} cells/);
  await page.waitForTimeout(500);
  const address = await page.evaluate(() => location.href);
  assert.ok(address.length > 1000 && address.length < 200000, `an address of ${address.length} characters`);
  await page.screenshot({ path: join(shots, "large.png") });
});

await check("without a network", async () => {
  const context = page.context();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  server.close();
  const offline = await context.newPage();
  await offline.goto(server.address);
  await computed(offline);
  assert.match(await report(offline), /cost 25\.99/);
  await offline.close();
  await context.close();
});

await check("a phone in the dark, by touch", async () => {
  const again = await serve(folder, new URL(server.address).port);
  page = await opened({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2, colorScheme: "dark" });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, 390, "nothing is wider than the screen");
  await page.tap('[data-tool="goal"]');
  await page.touchscreen.tap(...await place(page, 5, 9, ...FORD));
  await page.waitForFunction(() => /cost 1\b/.test(document.querySelector("#report").innerText));
  await page.screenshot({ path: join(shots, "phone.png"), fullPage: true });
  const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(back, "rgb(21, 25, 28)");
  again.close();
});

assert.deepEqual(problems, []);
await browser.close();
console.log(`page: all right; screenshots in ${shots}`);
