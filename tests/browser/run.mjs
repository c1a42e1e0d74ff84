// Runs every *.test.mjs with Node's own test runner, all against one browser and one set of reports. A
// single file needs no more than `node --test FILE`, which makes its own. At the end, every page that any of them made has
// to be valid HTML.

import { readFileSync, readdirSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { allReports, launchOptions, removeTemporary, temporary } from "./helper.mjs";
import { mistakesOf } from "./valid.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const files = readdirSync(here)
  .filter((name) => name.endsWith(".test.mjs"))
  .map((name) => join(here, name));

/** @type {import("playwright-core").BrowserServer | undefined} */
let server;
try {
  allReports();
  server = await chromium.launchServer(launchOptions);
  process.env.DEBRIEF_TEST_FOLDER = temporary();
  process.env.DEBRIEF_TEST_BROWSER = server.wsEndpoint();
  const results = run({ files, concurrency: Math.min(cpus().length + 1, 4) }); // one always waits for its page
  results.on("test:fail", ({ todo }) => {
    if (todo === undefined) process.exitCode = 1;
  });
  const shown = results.compose(new spec());
  shown.pipe(process.stdout);
  await finished(shown, { writable: false });
  for (const page of readdirSync(temporary()).filter((name) => name.endsWith(".html")))
    for (const mistake of await mistakesOf(readFileSync(join(temporary(), page), "utf8"))) {
      console.log(`${page} is not valid HTML: ${mistake}`);
      process.exitCode = 1;
    }
} finally {
  await server?.close();
  removeTemporary();
}
