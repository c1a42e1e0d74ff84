// axe-core in a page. The page's policy forbids its script too: open it with bypassCSP.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { settle } from "./helper.mjs";

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
      const names = element
        .getAttributeNames()
        .filter((name) => !name.startsWith("data-"))
        .sort();
      const inside = new Set([...element.children].map(like));
      likes.set(
        element,
        `${element.localName} ${element.className?.baseVal ?? element.className} ${names}(${[...inside].join()})`,
      );
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

/**
 * Takes what is neither in the part nor around it out of the page: axe would compare where each element lies, and say nothing
 * of them. Gives back what undoes it.
 */
const leaveOnly = (page, part) =>
  page.evaluateHandle((part) => {
    const undo = [];
    for (let at = document.querySelector(part); at !== document.body && at.parentElement; at = at.parentElement)
      for (const beside of [...at.parentElement.children])
        if (beside !== at) {
          const place = document.createComment("");
          beside.replaceWith(place);
          undo.push(() => place.replaceWith(beside));
        }
    return () => undo.forEach((one) => one());
  }, part);

/** What axe has against the page, or a part of it, one line for each; at least so many of its rules have to apply. */
export async function violations(page, part = "html", least = 10) {
  await page.evaluate(removeRepeats);
  const undo = await leaveOnly(page, part);
  const found = await page.evaluate((part) => globalThis.axe.run(part, { resultTypes: ["violations"] }), part);
  await undo.evaluate((all) => all());
  assert.ok(found.passes.length > least, "axe ran");
  return found.violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id} (${help}): ${target}`));
}

const allLooks = ["light", "dark"].flatMap((colorScheme) => [1280, 360].map((width) => ({ colorScheme, width })));

const [wideLight, narrowLight, wideDark, narrowDark] = allLooks;

/** Each width in one of the themes: the other way around on every other page. */
export const halfOfLooks = (at) => (at % 2 === 0 ? [wideLight, narrowDark] : [narrowLight, wideDark]);

/** Axe finds nothing in the page, or a part of it, in any theme and width or some of them, and the page is never wider than its window. */
export async function assertAccessible(page, name, { part = "html", least = 10, looks = allLooks } = {}) {
  await bringAxe(page);
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await settle(page); // drawings follow, and tables find out whether they fit
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}, ${width} px`);
    assert.deepEqual(await violations(page, part, least), [], `${name}, ${colorScheme}, ${width} px`);
  }
}
