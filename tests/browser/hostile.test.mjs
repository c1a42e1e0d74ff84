// Names in a job are a stranger's text: they are shown, never obeyed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite, madeUpReport, nothing, settle, withPage } from "./helper.mjs";
import { hostileNames } from "./jobs.mjs";

const shown = hostileNames.map((name) => name.shown);
const visible = (page, selector) => page.locator(selector).allInnerTexts();

/** Elements and attributes that only a name could have brought in. */
const intruders = (page) =>
  page.evaluate(() => {
    const found = Array.from(
      document.querySelectorAll("img, b, iframe, object, body title:not(svg title), main script, main style"),
      (element) => element.outerHTML,
    );
    for (const element of document.querySelectorAll("*"))
      for (const { name, value } of element.attributes)
        if (name.startsWith("on") || (name !== "title" && /^\s*javascript:/iu.test(value)))
          found.push(`${element.tagName} ${name}`);
    return found;
  });

async function checkNames(page) {
  assert.deepEqual(await intruders(page), []);
  // Scripts with a type are data: the samples of the timeline, the slices of steps.
  const scripts = await page.evaluate(() =>
    Array.from(document.scripts, ({ type, id }) => `${type} ${id.replace(/\d+$/u, "N")}`),
  );
  assert.deepEqual([...new Set(scripts)].sort(), [
    " ",
    "application/json steps-index",
    "application/json timeline-index",
    "application/octet-stream steps-N",
    "application/octet-stream timeline-N",
  ]);
  assert.equal(scripts.filter((script) => script === " ").length, 1);
  assert.equal(await page.evaluate(() => document.querySelectorAll("style").length), 1);

  const all = shown.join(" ");
  assert.equal(await page.locator("h1").innerText(), all);
  assert.equal(await page.title(), `${all} – debrief`);
  // Cut off where they are long.
  const facts = await visible(page, ".page-head .meta span");
  assert.equal(facts.filter((fact) => fact.startsWith(all.slice(0, 40))).length, 2, `framework and status: ${facts}`);

  const nodes = new Set(await visible(page, "#system-usage tbody th"));
  for (const name of shown)
    assert.ok(nodes.has(name), `node ${name.slice(0, 60)} in ${[...nodes].map((node) => node.slice(0, 60))}`);
  assert.equal(nodes.size, shown.length);

  await page.locator("#job details:not(.how) > summary").click();
  for (const column of ["th", "td"])
    assert.deepEqual(
      (await visible(page, `#job details:not(.how) tbody ${column}`)).sort(),
      [...shown].sort(),
      `hyperparameters, ${column}`,
    );

  // Operators, operations, devices: each a row of its section's tables, those folded away too.
  for (const [section, column] of [
    ["framework", "th"],
    ["cpu-operators", "th"],
    ["gpu-utilization", "th"],
    ["gpu-utilization", "td"],
    ["gpu-memory", "th"],
  ]) {
    const cells = new Set(await page.locator(`#${section} tbody ${column}`).allTextContents());
    for (const name of shown) assert.ok(cells.has(name), `${section}: ${name.slice(0, 60)}`);
  }
  const pairs = await page.locator("#load-balance tbody :is(th, td)").allTextContents();
  for (const name of shown) assert.ok(pairs.includes(`${name} of ${name}`), `pair: ${name.slice(0, 60)}`);
  const steps = new Set(await page.locator("#steps tbody th").allTextContents());
  assert.ok(steps.has("27-<svg onload=alert(1)>"), "a process");
  assert.ok(shown.filter((name) => steps.has(name)).length >= 10, "what ran during outliers");

  for (const [section, column] of [
    ["annotations", "th"],
    ["allocator", "th"],
    ["one-step", "th"],
  ]) {
    const cells = (await page.locator(`#${section} tbody ${column}`).allTextContents()).map((cell) => cell.trim());
    assert.ok(
      shown.filter((name) => cells.includes(name)).length >= 5,
      `${section}: ${cells.map((cell) => cell.slice(0, 30))}`,
    );
  }
  const files = await page.locator("#data-quality tbody :is(th, td)").allTextContents();
  assert.ok(files.includes("traces/{{ 7*7 }}<svg onload=alert(1)>.pt.trace.json"), `${files}`);
  const seenFirst = await visible(page, "#data-quality tbody td");
  assert.ok(
    seenFirst.some((cell) => cell.includes('1737457740."><img src=x onerror=alert(1)>.json')),
    "a file's name",
  );
  assert.ok(
    (await page.locator("#provenance code").innerText()).includes('"><img src=x onerror=alert(1)>'),
    "the folder's name",
  );
}

browserSuite("hostile names", () => {
  const report = () => madeUpReport("hostile");

  test("are text, and the page is quiet", async () => {
    await withPage(report(), {}, async (page, seen) => {
      await checkNames(page);
      await settle(page);
      assert.deepEqual(seen, nothing);
    });
  });

  test("are text without the policy's help, also after sorting", async () => {
    await withPage(report(), { bypassCSP: true }, async (page, seen) => {
      await checkNames(page);
      await page.evaluate(() => document.querySelectorAll("thead button").forEach((button) => button.click()));
      await page.locator("#system-usage tbody th").first().hover();
      await settle(page);
      assert.deepEqual(await intruders(page), []);
      assert.deepEqual(seen, nothing);
    });
  });

  test("are text without scripts", async () => {
    await withPage(report(), { javaScriptEnabled: false }, async (page, seen) => {
      await checkNames(page);
      assert.deepEqual(seen.requests, []);
    });
  });

  test("leave no raw control or direction mark in the file", () => {
    assert.doesNotMatch(
      report().html,
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u,
    );
  });
});
