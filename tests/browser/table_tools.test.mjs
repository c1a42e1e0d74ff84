// What can be done with a table: open its rest, filter, save as CSV, copy as Markdown.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  browserSuite,
  eachPage,
  madeUpReport,
  nothing,
  sampleReport,
  sampleReports,
  settle,
  temporary,
  untracedReport,
  withPage,
} from "./helper.mjs";
import { headOf } from "./figures.mjs";
import { hostileNames } from "./jobs.mjs";

const frame = (page, caption) => page.locator("div.scroll", { has: page.locator("caption", { hasText: caption }) });
const tools = (page, caption) => page.getByRole("button", { name: `CSV: save ${caption}` }).locator("xpath=../..");

/** RFC 4180, without mercy. @returns {string[][]} */
function parseCsv(text) {
  assert.ok(text.endsWith("\r\n"));
  const rows = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/uy;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    assert.ok(match, "a field and what ends it");
    rows.at(-1).push(match[1]?.replaceAll('""', '"') ?? match[2]);
    if (match[3] === "\r\n") rows.push([]);
  }
  rows.pop();
  return rows;
}

let files = 0;
/** The CSV of the table whose caption begins so, as a file name and rows by head. */
async function saved(page, caption) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: `CSV: save ${caption}` }).click(),
  ]);
  const path = join(temporary(), `saved-${process.pid}-${++files}.csv`);
  await download.saveAs(path);
  const [heads, ...rows] = parseCsv(readFileSync(path, "utf8"));
  for (const row of rows) assert.equal(row.length, heads.length, caption);
  return {
    name: download.suggestedFilename(),
    heads,
    rows: rows.map((row) => Object.fromEntries(row.map((text, at) => [heads[at], text]))),
  };
}

/** The same number; nothing for null. */
function assertNumber(text, value, what) {
  if (value === null) return assert.equal(text, "", what);
  assert.match(text, /^-?\d+(\.\d+)?$/u, what);
  assert.equal(Number(text), value, what);
}

const allowCopy = (page) => page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
/** The button says so for a moment only, so it is looked at before the click. */
const copyMarkdown = (page, name) =>
  Promise.all([
    page.getByText("Copied", { exact: true }).first().waitFor(),
    page.getByRole("button", { name }).click(),
  ]);
const visibleRows = (table) => table.locator("tbody tr:visible").count();

browserSuite("table tools", () => {
  test("CSV has the result's figures, in full", async () => {
    await eachPage(
      sampleReports()
        .filter(({ result }) => result.framework.operator_source === "framework timelines")
        .map(({ name }) => untracedReport(name)),
      {},
      async (page, seen, { result, name }) => {
        const operators = await saved(page, "CPU operators");
        assert.equal(operators.name, `${result.job.name}-cpu-operators-by-time.csv`);
        assert.equal(operators.rows.length, result.framework.cpu_operators.length, name);
        operators.rows.forEach((row, at) => {
          const expected = result.framework.cpu_operators[at];
          assert.equal(row.Operator, expected.operator);
          assertNumber(row["Self time (s)"], expected.self_us / 1e6, row.Operator);
          assertNumber(row["Total time (s)"], expected.total_us / 1e6, row.Operator);
          assertNumber(row.Calls, expected.calls, row.Operator);
        });
        const steps = await saved(page, "Step time by");
        steps.rows.forEach((row, at) => {
          assertNumber(row.Steps, result.steps[at].count, name);
          for (const key of ["min", "p50", "mean", "p95", "p99", "max"])
            assertNumber(row[`${headOf(key)} (s)`], result.steps[at][key], key);
        });
      },
    );
  });

  test("CSV of bytes, and of what is not known", async () => {
    await withPage(madeUpReport("damaged"), {}, async (page, seen, { result }) => {
      const sources = await saved(page, "What was read");
      sources.rows.forEach((row, at) => assert.equal(row["Size (B)"], String(result.data_quality.sources[at].bytes)));
      const usage = await saved(page, "Percentiles by");
      assert.deepEqual(
        usage.heads,
        ["Node", "Metric", "Unit", "Min", "p50", "p95", "p99", "Max"],
        "no column for drawings",
      );
      usage.rows.forEach((row, at) => {
        const expected = result.system_usage[at];
        if (expected.unit === "B/s") assertNumber(row.Max, expected.max, expected.metric);
      });
      assert.ok(usage.rows.some(({ Unit }) => Unit === "B/s"));
      const rules = await saved(page, "Rules, most");
      assert.ok(rules.rows.some(({ Status, Violations }) => Status === "not evaluated" && Violations === ""));
    });
  });

  test("the rest of a long table joins it: folded, opened, sorted as one", async () => {
    await withPage(untracedReport("resnet50-healthy"), {}, async (page, seen, { result }) => {
      const all = result.framework.cpu_operators.length;
      const table = frame(page, "CPU operators").locator("table");
      assert.ok(all > 28, `${all} operators`);
      assert.equal(await page.locator("#cpu-operators details.rest").count(), 0);
      assert.equal(await visibleRows(table), 25);
      const more = tools(page, "CPU operators").getByRole("button", { name: `Show ${all - 25} more operators` });
      assert.equal(await more.getAttribute("aria-expanded"), "false");
      await more.click();
      assert.equal(await visibleRows(table), all);
      const bars = table.locator("tbody td.drawing svg");
      assert.equal(await bars.count(), all, "each row has its bar");
      const width = (at) => bars.nth(at).locator("rect").nth(1).getAttribute("width");
      assert.equal(
        Number(await width(all - 1)),
        Number(Number(result.framework.cpu_operators[all - 1].self_percent).toPrecision(4)),
      );
      await page.getByRole("button", { name: "Show fewer" }).click();
      assert.equal(await visibleRows(table), 25);
      const most = () =>
        table.locator("tbody tr:visible").first().locator("td:not([class])").nth(1).getAttribute("data-raw");
      await table.getByRole("button", { name: "Self time" }).click();
      assertNumber(
        await most(),
        Math.max(...result.framework.cpu_operators.map((row) => row.self_us)) / 1e6,
        "the most comes first",
      );
      await table.getByRole("button", { name: "Self time" }).click();
      assertNumber(
        await most(),
        Math.min(...result.framework.cpu_operators.map((row) => row.self_us)) / 1e6,
        "the least comes up from the rest",
      );
      assert.equal(await visibleRows(table), 25);
      await page.emulateMedia({ media: "print" });
      assert.equal(await visibleRows(table), all, "paper has them all");
    });
  });

  test("without scripts the rest stays folded away", async () => {
    await withPage(sampleReport("resnet50-healthy"), { javaScriptEnabled: false }, async (page) => {
      assert.equal(await page.locator("#cpu-operators details.rest table").count(), 1);
      assert.equal(await page.locator(".filter, .table-tools").count(), 0);
    });
  });

  test("a filter leaves the rows with all its words, of the folded ones too", async () => {
    await withPage(madeUpReport("many-nodes"), {}, async (page) => {
      const table = frame(page, "Percentiles").locator("table");
      const box = page.getByRole("searchbox", { name: "Filter: Percentiles" });
      await box.fill("ALGO-1 gpu");
      const nodes = await table.locator("tbody tr:visible th").allInnerTexts();
      assert.deepEqual(nodes, ["algo-1", "algo-10", "algo-11", "algo-12"]);
      const count = page.locator("#system-usage .filter [role=status]");
      assert.equal(await count.innerText(), "4 of 36");
      const { rows } = await saved(page, "Percentiles");
      assert.deepEqual(
        rows.map(({ Node }) => Node),
        nodes,
        "CSV has what is left",
      );
      await box.fill("(.*");
      assert.equal(await count.innerText(), "0 of 36");
      await page.getByRole("button", { name: "Clear" }).click();
      assert.equal(await visibleRows(table), 36, "a way back from nothing");
      await box.fill("(.*");
      await box.press("Escape");
      assert.equal(await box.inputValue(), "");
      assert.equal(await visibleRows(table), 36);
      assert.equal(await count.innerText(), "");
      assert.equal(
        await page.locator("#data-quality .filter").count(),
        1,
        "twelve nodes have a filter, two sources none",
      );
    });
  });

  test("what is folded needs no button while a filter shows every match", async () => {
    await withPage(untracedReport("resnet50-healthy"), {}, async (page) => {
      const more = tools(page, "CPU operators").locator("button.more");
      assert.ok(await more.isVisible());
      await page.getByRole("searchbox", { name: /^Filter: CPU operators/u }).fill("conv");
      assert.ok(!(await more.isVisible()));
      await page.getByRole("searchbox", { name: /^Filter: CPU operators/u }).fill("");
      assert.ok(await more.isVisible());
    });
  });

  test("slash does nothing where no filter is on the screen", async () => {
    await withPage(madeUpReport("many-nodes"), {}, async (page) => {
      await page.evaluate(() => scrollTo(0, 0));
      await page.keyboard.press("/");
      assert.equal(await page.evaluate(() => scrollY), 0);
      assert.equal(await page.evaluate(() => document.activeElement.tagName), "BODY");
      assert.match(await page.locator("p.unseen[role=status]").textContent(), /No table with a filter/u);
    });
  });

  test("slash goes to the filter on the screen", async () => {
    await withPage(madeUpReport("many-nodes"), {}, async (page) => {
      const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
      await page.locator("#data-quality h3").scrollIntoViewIfNeeded();
      await page.locator("#data-quality").evaluate((section) => section.scrollIntoView());
      await page.keyboard.press("/");
      assert.match(await focused(), /^Filter: Sampling by node/u);
      await page.keyboard.type("a/b?j");
      assert.equal(await page.locator("#data-quality .filter input").inputValue(), "a/b?j", "keys are typed there");
      assert.equal(await page.locator("dialog").count(), 0);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      assert.equal(await focused(), null, "and a second Esc leaves it");
    });
  });

  test("Markdown is copied as it is shown", async () => {
    await withPage(madeUpReport("many-nodes"), { before: allowCopy }, async (page) => {
      await copyMarkdown(page, "Markdown: copy Sampling by node");
      const lines = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split("\n");
      assert.equal(lines.length, 14);
      assert.match(lines[0], /^\| Node \| First sample \| Last sample \| Samples \| Typical interval \|/u);
      assert.match(lines[1], /^\| --- \| --- \| --- \| ---: \| ---: \|/u);
      assert.match(lines[2], /^\| algo-1 \| 2025-01-21T11:09:14.000000Z \|.*\| 500 ms \|/u);
    });
  });

  test("where the clipboard is forbidden, a window has the text selected", async () => {
    const before = (page) =>
      page.addInitScript(() =>
        Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("no")) } }),
      );
    await withPage(madeUpReport("many-nodes"), { before }, async (page, seen) => {
      const button = page.getByRole("button", { name: "Markdown: copy What was read" });
      await button.click();
      const area = page.locator("dialog textarea");
      assert.match(await area.inputValue(), /^\| Source \|/u);
      assert.ok(
        await area.evaluate(
          (area) =>
            area === document.activeElement && area.selectionEnd === area.value.length && area.selectionStart === 0,
        ),
      );
      await page.keyboard.press("Escape");
      assert.equal(await page.locator("dialog").count(), 0);
      assert.ok(await button.evaluate((button) => button === document.activeElement), "focus is back");
      assert.deepEqual(seen, nothing);
    });
  });

  test("hostile names are text in CSV, in Markdown and in the filter", async () => {
    await withPage(madeUpReport("hostile"), { before: allowCopy, bypassCSP: true }, async (page, seen) => {
      const shown = hostileNames.map((name) => name.shown);
      await page.keyboard.press("e");
      const { rows } = await saved(page, "Percentiles");
      assert.deepEqual(new Set(rows.map(({ Node }) => Node)), new Set(shown));
      const parameters = await saved(page, "Hyperparameters");
      assert.deepEqual(parameters.rows.map(({ Value }) => Value).sort(), [...shown].sort());
      await copyMarkdown(page, "Markdown: copy Percentiles");
      const markdown = await page.evaluate(() => navigator.clipboard.readText());
      for (const line of markdown.trimEnd().split("\n"))
        assert.equal(line.match(/(?<!\\)\|/gu).length, 9, line.slice(0, 200));
      assert.doesNotMatch(markdown, /(?<!\\)[<>&`](?!#8203;)/u, "no markup");
      assert.doesNotMatch(markdown, /@\w|(?<!&)#\d|:\/\/|www\./u, "no mention, reference or link");
      const box = page.getByRole("searchbox", { name: "Filter: Percentiles" });
      await box.fill("<svg onload=alert(1)>");
      assert.match(await page.locator("#system-usage .filter [role=status]").innerText(), /^\d+ of \d+$/u);
      await settle(page);
      assert.deepEqual({ ...seen, pages: [] }, nothing, "but for the downloads");
      assert.equal(await page.locator("img, b, main script").count(), 0);
    });
  });
});
