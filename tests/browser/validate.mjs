// Says what is wrong with the HTML of pages: `node validate.mjs FOLDER` reads every *.html there, and fails where one is
// not valid.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { mistakesOf } from "./valid.mjs";

const [folder] = process.argv.slice(2);
const pages = readdirSync(folder)
  .filter((name) => name.endsWith(".html"))
  .sort();
for (const page of pages) {
  const found = await mistakesOf(readFileSync(join(folder, page), "utf8"));
  for (const mistake of found) console.log(`${page} ${mistake}`);
  if (found.length > 0) process.exitCode = 1;
}
