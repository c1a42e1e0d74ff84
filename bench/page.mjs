// How fast a page opens and zooms, in headless Chromium.
//
//   node bench/page.mjs [--json] REPORT.html...
//
// "first screen" is the first paint of the page's text; "timeline" is when its charts can be zoomed; a zoom is from
// the key to the frame that shows it, the worst of ten; "figures" is from a zoom to the tables of its window; "node" is
// from choosing one node to its charts.

import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, "../tests/browser/package.json"))("playwright-core");
const reports = process.argv.slice(2).filter((word) => word !== "--json");
const asJson = process.argv.includes("--json");
if (reports.length === 0) {
  console.error("usage: node bench/page.mjs [--json] REPORT.html...");
  process.exit(2);
}

/** Runs in the page: milliseconds from a key to the frame after it. */
const press = (key) =>
  new Promise((done) => {
    const begin = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begin)));
  });

async function measure(browser, report) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const url = pathToFileURL(resolve(report)).href;
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector("#timeline [data-live] canvas"));
  const opened = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
    live: performance.now(),
  }));
  await page.evaluate(() => document.getElementById("timeline").scrollIntoView());
  await page.waitForTimeout(300);
  const zooms = [];
  for (const key of ["+", "+", "+", "ArrowRight", "+", "+", "-", "ArrowLeft", "-", "0"])
    zooms.push(await page.evaluate(press, key));
  const figures = await page.evaluate(async () => {
    const words = () => document.querySelector(".in-view").textContent;
    const before = words();
    const begin = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true }));
    while (words() === before || document.querySelector(".window[hidden]")) {
      if (performance.now() - begin > 20_000) return NaN;
      await new Promise((done) => setTimeout(done));
    }
    return performance.now() - begin;
  });
  const node = await page.evaluate(async () => {
    const select = document.querySelector("#timeline-controls select");
    if (!select) return NaN;
    const legend = document.querySelector("#timeline .lines");
    const before = legend.textContent;
    const begin = performance.now();
    select.selectedIndex = 1;
    select.dispatchEvent(new Event("change"));
    while (legend.textContent === before) await new Promise((done) => setTimeout(done));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - begin;
  });
  await context.close();
  return [opened.paint, opened.live, Math.max(...zooms), figures, node];
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const heads = ["first screen", "timeline", "worst zoom", "figures", "node"];
const rows = [];
for (const report of reports) {
  const figures = (await measure(browser, report)).map((value, at) => [
    heads[at],
    Number.isFinite(value) ? value : null,
  ]);
  rows.push({
    report: report
      .split("/")
      .pop()
      .replace(/\.html$/u, ""),
    size: statSync(report).size,
    ...Object.fromEntries(figures),
  });
}
await browser.close();

if (asJson) {
  console.log(JSON.stringify(rows));
} else {
  const cell = (value) => (value === null ? "–" : `${Math.round(value)} ms`).padStart(13);
  console.log(["report".padEnd(28), ...["size", ...heads].map((head) => head.padStart(13))].join(""));
  for (const row of rows)
    console.log(
      [
        row.report.slice(0, 27).padEnd(28),
        `${(row.size / 1e6).toFixed(2)} MB`.padStart(13),
        ...heads.map((head) => cell(row[head])),
      ].join(""),
    );
}
