// The page of `debrief diff`: it opens without a word, is accessible, sorts, fits, and is whole without scripts.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertAccessible } from "./axe.mjs";
import { binary, browserSuite, nothing, repository, settle, temporary, unfold, withPage } from "./helper.mjs";

/** The page of two sample jobs, and its document. */
function compare(before, after) {
  const path = join(temporary(), `${before}-vs-${after}.html`);
  const json = path.replace(/html$/u, "json");
  const job = (name) => join(repository, "sample_jobs", name);
  execFileSync(binary, ["diff", job(before), job(after), "-o", path, "--json", json, "--quiet"]);
  return { name: "diff", url: pathToFileURL(path).href, diff: JSON.parse(readFileSync(json, "utf8")) };
}

let made;
const page = () => (made ??= compare("resnet50-healthy", "dataloader-starved"));

const sections = [
  "outcome",
  "findings",
  "utilization",
  "steps",
  "time",
  "waste",
  "data-loading",
  "traces",
  "memory",
  "counts",
  "cpu-operators",
  "kernels",
  "rules",
];

browserSuite("diff", () => {
  test("on a phone no label is broken within a word", async () => {
    await withPage(page(), { viewport: { width: 390, height: 844 } }, async (page) => {
      const broken = await page.locator("dt:visible").evaluateAll((all) =>
        all
          .filter((label) => {
            const range = document.createRange();
            range.selectNodeContents(label);
            const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
            return lines > label.textContent.trim().split(/\s+/u).length;
          })
          .map((label) => label.textContent),
      );
      assert.deepEqual(broken, []);
      assert.ok((await page.locator("dt:visible").count()) > 0);
    });
  });

  test("no request, no message, every section and every drawing", async () => {
    await withPage(page(), {}, async (page, seen) => {
      await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
      await settle(page);
      assert.deepEqual(seen, nothing);
      assert.deepEqual(await page.locator("main > section").evaluateAll((all) => all.map(({ id }) => id)), sections);
      assert.deepEqual(
        await page.locator("nav a").evaluateAll((all) => all.map((link) => link.hash.slice(1))),
        sections,
      );
      assert.equal(await page.locator("#outcome figure svg[role=img]:not(.phone)").count(), 1);
      assert.equal(await page.locator("#steps figure svg[role=img]:not(.phone)").count(), 1);
      assert.match(
        await page.locator("#outcome .take-away").innerText(),
        /^dataloader-starved is worse than resnet50-healthy: /u,
      );
      assert.match(await page.locator(".page-head .notice").innerText(), /^The settings differ: /u);
      const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
      assert.equal(new Set(ids).size, ids.length, "ids are unique");
    });
  });

  test("the first screen answers: a sentence, the headline metrics, where the time went, what came and went", async () => {
    const { diff } = page();
    await withPage(page(), { javaScriptEnabled: false, viewport: { width: 1440, height: 900 } }, async (page) => {
      const figure = (name) => diff.figures.find((row) => row.name === name);
      const { before, after } = figure("job.seconds_per_step");
      assert.match(
        await page.locator("#answer .standing").innerText(),
        new RegExp(`${Math.round(after / before)}× slower per iteration than resnet50-healthy`, "u"),
      );
      const rows = page.locator(".headlines .row");
      assert.equal(await rows.count(), 6);
      // On a row's own scale from 0, ring and dot are as far apart as the values.
      const [ring, , dot] = await rows
        .nth(0)
        .locator("circle")
        .evaluateAll((all) => all.map((circle) => Number.parseFloat(circle.getAttribute("cx"))));
      assert.ok(Math.abs((ring - 2) / (dot - 2) - before / after) < 0.01, `${ring} ${dot}`);
      assert.equal(await page.locator(".times .fluid").count(), 2);
      const words = await page.locator("#answer .further li").allInnerTexts();
      const moved = diff.findings.filter((row) => row.before === null || row.after === null);
      assert.equal(words.length, Math.min(4, moved.length));
      const box = await page.locator(".times").boundingBox();
      assert.ok(box.y + box.height <= 900, `ends at ${box.y + box.height}`);
    });
  });

  test("rows are those of the document, what did not change is folded away", async () => {
    const { diff } = page();
    await withPage(page(), {}, async (page) => {
      const counted = diff.figures.filter(
        ({ group, name, word }) => group === "utilization" && !name.includes("[") && word !== "no_change",
      );
      const table = page.locator("#utilization table").first();
      assert.equal(await table.locator("tbody tr").count(), counted.length);
      const names = await table.locator("tbody th").evaluateAll((all) => all.map(({ title }) => title).sort());
      assert.deepEqual(names, counted.map(({ name }) => name).sort());
      assert.equal(
        await page
          .locator("#utilization details:not(.how)")
          .first()
          .evaluate(({ open }) => open),
        false,
      );
    });
  });

  test("axe finds nothing, light and dark, wide and narrow, and nothing is wider than the page", async () => {
    await withPage(page(), { bypassCSP: true }, async (page) => {
      await unfold(page);
      await assertAccessible(page, "diff");
    });
  });

  test("tables sort by their numbers, also by signed ones", async () => {
    await withPage(page(), {}, async (page) => {
      const table = page.locator("#steps table.sortable").first();
      const heads = await table.locator("thead th").allInnerTexts();
      const column = heads.findIndex((head) => head.startsWith("Change"));
      await table.locator("thead th").nth(column).locator("button").click();
      const cells = await table
        .locator("tbody tr")
        .evaluateAll((rows, at) => rows.map((row) => Number(row.cells[at].textContent)), column);
      assert.ok(cells.length > 3 && cells.every(Number.isFinite), String(cells));
      assert.deepEqual(
        cells,
        [...cells].sort((a, b) => b - a),
      );
    });
  });

  test("with scripts off everything is there and no button is", async () => {
    await withPage(page(), { javaScriptEnabled: false }, async (page) => {
      assert.equal(await page.locator("main > section").count(), sections.length);
      assert.equal(await page.locator("button").count(), 0);
      assert.ok(await page.locator("#outcome figure svg[role=img]:not(.phone)").isVisible());
    });
  });

  test("a job compared with itself says no change", async () => {
    await withPage(compare("gpt-train-eval", "gpt-train-eval"), {}, async (page, seen) => {
      assert.match(await page.locator("#outcome .take-away").innerText(), /^No change within noise/u);
      assert.equal(await page.locator("#outcome figure").count(), 0);
      assert.match(await page.locator("#answer").innerText(), /performs like the job before, within noise/u);
      for (const words of await page.locator(".headlines strong").allInnerTexts()) assert.equal(words, "no change");
      assert.deepEqual(seen, nothing);
    });
  });
});
