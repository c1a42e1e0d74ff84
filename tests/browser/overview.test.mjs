// The page that lists the reports of `debrief report --each`: it opens without a word, is accessible, sorts, filters, leads to
// the reports, fits, and is whole without scripts.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertAccessible } from "./axe.mjs";
import { binary, browserSuite, nothing, repository, settle, temporary, unfold, withPage } from "./helper.mjs";
import { madeUpJobs } from "./jobs.mjs";

const samples = ["dataloader-starved", "ddp-gloo-straggler", "gpt-train-eval", "resnet50-healthy", "small-batch-mlp"];

/** The list of all samples, some of them more than once, a hostile job and one that cannot be read. */
function makeList() {
  const out = join(temporary(), "each");
  const jobs = join(temporary(), "each-jobs");
  mkdirSync(jobs, { recursive: true });
  const paths = samples.map((name) => join(repository, "sample_jobs", name));
  for (let copy = 0; copy < 8; ++copy) {
    const path = join(jobs, `copy-${copy}`);
    if (!existsSync(path)) cpSync(paths[1], path, { recursive: true });
    paths.push(path);
  }
  paths.push(madeUpJobs.hostile.write(join(jobs, "hostile")), join(jobs, "missing"));
  const outcome = spawnSync(binary, ["report", "--each", ...paths, "--out-dir", out, "--price", "3.5", "--quiet"], {
    encoding: "utf8",
  });
  assert.equal(outcome.status, 2, outcome.stderr);
  return { name: "overview", url: pathToFileURL(join(out, "index.html")).href, jobs: paths.length };
}

let made;
const list = () => (made ??= makeList());

const cells = (table, column) =>
  table
    .locator("tbody tr")
    .evaluateAll(
      (rows, at) =>
        rows.map(({ cells }) => cells[at].dataset.order ?? cells[at].dataset.raw ?? cells[at].textContent.trim()),
      column,
    );

async function columnOf(table, name) {
  const heads = await table.locator("thead th").allInnerTexts();
  const at = heads.findIndex((head) => head.trim().startsWith(name));
  assert.ok(at >= 0, `${name} of ${heads}`);
  return at;
}

browserSuite("overview", () => {
  test("no request, no message, every section, and links to the reports", async () => {
    await withPage(list(), {}, async (page, seen) => {
      await settle(page);
      assert.deepEqual(seen, nothing);
      const sections = ["jobs", "without-report", "waste"];
      assert.deepEqual(await page.locator("main > section").evaluateAll((all) => all.map(({ id }) => id)), sections);
      assert.equal(await page.locator("#table-jobs tbody tr").count(), list().jobs - 1);
      assert.equal(await page.locator("#without-report tbody tr").count(), 1);
      const links = await page.locator("#table-jobs tbody a").evaluateAll((all) => all.map(({ href }) => href));
      assert.equal(new Set(links).size, list().jobs - 1);
      assert.ok(
        links.every((link) => existsSync(new URL(link))),
        String(links),
      );
      await page.locator("#table-jobs a", { hasText: /^gpt-train-eval$/u }).click();
      await page.waitForURL(/gpt-train-eval\.html$/u);
      assert.equal(await page.locator("h1").innerText(), "gpt-train-eval");
    });
  });

  test("each job has its time by cause, and how busy it was over time", async () => {
    await withPage(list(), { javaScriptEnabled: false }, async (page) => {
      const row = page.locator("#table-jobs tbody tr", { hasText: "dataloader-starved" }).first();
      const widths = await row
        .locator(".spark")
        .first()
        .locator("rect")
        .evaluateAll((parts) => parts.map((part) => [part.getAttribute("class"), Number(part.getAttribute("width"))]));
      const all = widths.reduce((sum, [, width]) => sum + width, 0);
      assert.ok(Math.abs(all - 120) < 0.1, `${all} of 120`);
      assert.equal(new Set(widths.map(([color]) => color)).size, widths.length, "a cause has a color of its own");
      assert.ok(widths.find(([color]) => color.includes("c-data"))[1] > 60, "it waits for data");
      assert.match(await row.locator(".spark").nth(1).getAttribute("aria-label"), /^Busy over time: 0\.\d% of all$/u);
    });
  });

  test("on a phone a job's verdict and what it is about can be read without scrolling sideways", async () => {
    await withPage(list(), { viewport: { width: 390, height: 844 } }, async (page) => {
      const what = await page.locator("#table-jobs tbody .words").first().boundingBox();
      assert.ok(what.x >= 0 && what.x + what.width <= 390, JSON.stringify(what));
      const frame = page.locator("#jobs .scroll").first();
      assert.ok(await frame.evaluate((one) => one.scrollWidth <= one.clientWidth + 1));
    });
  });

  test("sorts by hours lost, by duration and by how grave the verdict is", async () => {
    await withPage(list(), {}, async (page) => {
      const table = page.locator("#table-jobs");
      for (const name of ["GPU-", "Duration", "Verdict"]) {
        const column = await columnOf(table, name);
        const button = table.locator("thead th").nth(column).locator("button");
        const known = async () => (await cells(table, column)).filter((text) => text !== "–").map(Number);
        await button.click();
        const values = await known();
        assert.ok(values.length > 3 && values.every(Number.isFinite), `${name}: ${values}`);
        const inOrder = { ascending: (a, b) => a - b, descending: (a, b) => b - a };
        const orders = [];
        for (let clicks = 0; clicks < 2; ++clicks) {
          if (clicks > 0) await button.click();
          const order = await table.locator("thead th").nth(column).getAttribute("aria-sort");
          assert.deepEqual(await known(), [...values].sort(inOrder[order]), `${name}, ${order}`);
          orders.push(order);
        }
        // Numbers are of interest from the largest on.
        assert.deepEqual(orders, name === "Verdict" ? ["ascending", "descending"] : ["descending", "ascending"]);
      }
    });
  });

  test("a filter leaves the jobs with some words in them", async () => {
    await withPage(list(), {}, async (page) => {
      await page.locator("#jobs .filter input").fill("copy-3");
      assert.equal(
        await page.locator("#table-jobs tbody tr:visible").count(),
        1,
        "copies have one name, and are told apart by their pages",
      );
      await page.locator("#jobs .filter input").fill("gpt");
      assert.equal(await page.locator("#table-jobs tbody tr:visible").count(), 1);
    });
  });

  test("axe finds nothing, light and dark, wide and narrow, and nothing is wider than the page", async () => {
    await withPage(list(), { bypassCSP: true }, async (page) => {
      await unfold(page);
      await assertAccessible(page, "overview");
    });
  });

  test("without scripts it is whole: worst first, verdicts in words, nothing that does nothing", async () => {
    await withPage(list(), { javaScriptEnabled: false }, async (page) => {
      const table = page.locator("#table-jobs");
      assert.equal(await page.locator("button:visible").count(), 0);
      const rows = await table.locator("tbody tr").count();
      assert.equal(rows, list().jobs - 1);
      const lost = (await cells(table, await columnOf(table, "GPU-"))).filter((text) => text !== "–").map(Number);
      assert.ok(lost.length > 3, String(lost));
      assert.deepEqual(
        lost,
        [...lost].sort((a, b) => b - a),
      );
      const words = await table.locator("tbody .state .word").allInnerTexts();
      assert.ok(
        words.length === rows &&
          words.every((word) => ["Critical", "Warning", "Note", "Not enough data", "Healthy"].includes(word)),
        String(words),
      );
    });
  });

  test("hostile names are text", async () => {
    await withPage(list(), {}, async (page, seen) => {
      await settle(page);
      assert.deepEqual(seen.dialogs, []);
      assert.equal(await page.locator("main img, main b").count(), 0);
      assert.equal(await page.locator("#table-jobs tbody tr", { hasText: "{{ 7*7 }}" }).count(), 1);
    });
  });
});
