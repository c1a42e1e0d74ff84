// Figures as a reader wants them, or as plain numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite, nothing, sampleReport, untracedReport, withPage } from "./helper.mjs";

const cells = (page) => page.locator("main :is(th, td)").allTextContents();

browserSuite("units", () => {
  const report = () => sampleReport("resnet50-healthy");

  test("raw numbers have their unit in the head, and everything comes back", async () => {
    await withPage(report(), { folded: true }, async (page, seen, { result }) => {
      const before = await cells(page);
      const button = page.locator("#units");
      assert.equal(await button.innerText(), "Units: human");
      await button.click();
      assert.equal(await button.innerText(), "Units: raw");
      const table = page.locator("#table-step-time-by-process-and-mode");
      const mean = table.locator("thead th", { hasText: "Mean" });
      assert.match(
        await mean.evaluate((head) => getComputedStyle(head, "::after").content),
        /\(s\)|attr\(data-unit\)/u,
      );
      assert.equal(await mean.getAttribute("data-unit"), "s");
      const shown = await table.locator("tbody tr").first().locator("td").allTextContents();
      const heads = await table.locator("thead th").allTextContents();
      const at = heads.findIndex((head) => head.trim() === "Mean") - 1; // the first column's cells are heads
      assert.ok(Number(shown[at]) === result.steps[0].mean, shown[at]);
      await page.keyboard.press("u");
      assert.deepEqual(await cells(page), before);
      assert.deepEqual(seen, nothing);
    });
  });

  test("the order stays", async () => {
    await withPage(untracedReport("resnet50-healthy"), {}, async (page) => {
      const table = page.locator("#table-cpu-operators-by-time");
      const names = () => table.locator("tbody th").allTextContents();
      const atFirst = await names();
      await table.getByRole("button", { name: "Self time" }).click();
      const sorted = await names();
      await page.locator("#units").click();
      assert.deepEqual(await names(), sorted);
      await table.getByRole("button", { name: "Self time" }).click();
      const numbers = (await table.locator("tbody td:nth-child(3)").allTextContents()).map(Number);
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => a - b),
      );
      await page.locator("#units").click();
      await table.getByRole("button", { name: "Self time" }).click();
      assert.deepEqual(await names(), atFirst, "the third click gives the report's order");
    });
  });
});
