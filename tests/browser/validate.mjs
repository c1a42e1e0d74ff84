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
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith(".html"))
    .sort();
  const cores = availableParallelism();
  const answers = Array.from({ length: cores }, (_, core) => {
    const share = pages.filter((__, at) => at % cores === core);
    return once(new Worker(new URL(import.meta.url), { workerData: { folder, pages: share } }), "message");
  });
  const lines = (await Promise.all(answers)).flatMap(([found]) => found);
  for (const line of lines.sort()) console.log(line);
  if (lines.length > 0) process.exitCode = 1;
}

if (isMainThread) await validate(process.argv[2]);
else parentPort.postMessage(await mistakesIn(workerData.folder, workerData.pages));
