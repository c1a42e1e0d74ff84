// Says what is wrong with the HTML of pages: `node validate.mjs FOLDER` reads every *.html there, on all cores, and fails
// where one is not valid.

import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { mistakesOf } from "./valid.mjs";

async function mistakesIn(folder, pages) {
  const lines = [];
  for (const page of pages) {
    const found = await mistakesOf(readFileSync(join(folder, page), "utf8"));
    lines.push(...found.map((mistake) => `${page} ${mistake}`));
  }
  return lines;
}

async function validate(folder) {
  // Pages of one test are alike: one core sees them all, and looks at what they share once.
  const testOf = (page) => readFileSync(join(folder, page.replace(/html$/u, "test")), "utf8");
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith(".html"))
    .map((page) => ({ page, test: testOf(page) }))
    .sort((a, b) => (a.test < b.test ? -1 : 1))
    .map(({ page }) => page);
  const cores = availableParallelism();
  const answers = Array.from({ length: cores }, (_, core) => {
    const share = pages.slice((pages.length * core) / cores, (pages.length * (core + 1)) / cores);
    return once(new Worker(new URL(import.meta.url), { workerData: { folder, pages: share } }), "message");
  });
  const lines = (await Promise.all(answers)).flatMap(([found]) => found);
  for (const line of lines.sort()) console.log(line);
  if (lines.length > 0) process.exitCode = 1;
}

if (isMainThread) await validate(process.argv[2]);
else parentPort.postMessage(await mistakesIn(workerData.folder, workerData.pages));
