// axe-core in a page. The page's policy forbids its script too: open it with bypassCSP.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Puts axe into the page. */
export const bringAxe = (page) => page.evaluate(axe);

/**
 * Takes rows, items and marks out of the page that are marked up as one before them in the same place is: same elements,
 * classes, names of attributes, and the same of what is in them. axe looks at every element by itself, and would take ten
 * times as long to say the same.
 */
function removeRepeats() {
  const likes = new WeakMap();
  const like = (element) => {
    if (!likes.has(element)) {
      const names = element.getAttributeNames().filter((name) => !name.startsWith("data-")).sort();
      const inside = new Set([...element.children].map(like));
      likes.set(element, `${element.localName} ${element.className?.baseVal ?? element.className} ${names}(${[...inside].join()})`);
    }
    return likes.get(element);
  };
  for (const list of document.querySelectorAll("tbody, ul, ol, svg, svg g")) {
    const seen = new Set();
    for (const child of [...list.children]) {
      if (seen.has(like(child)) && !child.id && !child.querySelector("[id]")) child.remove();
      seen.add(like(child));
    }
  }
}

/** What axe has against the page, or a part of it, one line for each; at least so many of its rules have to apply. */
export async function violations(page, part = "html", least = 10) {
  await page.evaluate(removeRepeats);
  const found = await page.evaluate((part) => globalThis.axe.run(part, { resultTypes: ["violations"] }), part);
  assert.ok(found.passes.length > least, "axe ran");
  return found.violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target}`));
}
