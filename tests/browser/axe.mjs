// axe-core in a page. The page's policy forbids its script too: open it with bypassCSP.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Puts axe into the page. */
export const bringAxe = (page) => page.evaluate(axe);

/** What axe has against the page, or a part of it, one line for each; at least so many of its rules have to apply. */
export async function violations(page, part = "html", least = 10) {
  const found = await page.evaluate((part) => globalThis.axe.run(part, { resultTypes: ["violations"] }), part);
  assert.ok(found.passes.length > least, "axe ran");
  return found.violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target}`));
}
