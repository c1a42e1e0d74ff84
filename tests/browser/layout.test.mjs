// The page fits its window and its paper.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allReports,
  browserSuite,
  eachPage,
  hashOf,
  madeUpReport,
  sampleReport,
  sampleReports,
  sectionsOf,
  withPage,
} from "./helper.mjs";

browserSuite("layout", () => {
  for (const javaScriptEnabled of [true, false])
    test(`nothing scrolls sideways but tables in their frames, scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
      await eachPage(allReports(), { javaScriptEnabled }, async (page, seen, { name }) => {
        await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
        for (const width of [360, 768, 1280]) {
          await page.setViewportSize({ width, height: 740 });
          const [content, frame] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.equal(frame, width);
          assert.ok(content <= frame, `${name}: ${content} px of content in ${frame} px`);
        }
      });
    });

  test("the skip link is seen only with focus", async () => {
    await withPage(sampleReports()[0], {}, async (page) => {
      const left = async () => (await page.locator(".skip").boundingBox()).x;
      assert.ok((await left()) < 0);
      await page.keyboard.press("Tab");
      assert.ok((await left()) >= 0);
      await page.keyboard.press("Enter");
      assert.equal(await hashOf(page), "#main");
    });
  });

  test("print: no navigation, no buttons, all sections", async () => {
    await withPage(sampleReports()[0], {}, async (page) => {
      assert.ok(await page.locator("nav").isVisible(), "on the screen it is there");
      await page.emulateMedia({ media: "print" });
      for (const hidden of ["nav", "#theme", ".skip"]) assert.ok(!(await page.locator(hidden).isVisible()), hidden);
      for (const id of sectionsOf(sampleReports()[0])) assert.ok(await page.locator(`#${id}`).isVisible(), id);
    });
  });

  test("print: paper is light, whatever the screen is", async () => {
    await withPage(sampleReports()[0], { colorScheme: "dark" }, async (page) => {
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      for (const choice of ["auto", "dark"]) {
        await page.evaluate((choice) => (document.documentElement.dataset.theme = choice), choice);
        await page.emulateMedia({ media: "screen" });
        assert.notEqual(await background(), "rgb(255, 255, 255)", `${choice}, on the screen`);
        await page.emulateMedia({ media: "print" });
        assert.equal(await background(), "rgb(255, 255, 255)", `${choice}, on paper`);
      }
    });
  });

  test("print: what is folded away is printed", async () => {
    await withPage(sampleReports()[0], { folded: true }, async (page) => {
      const [outer, inner] = [page.locator("#job details.body table").first(), page.locator("#table-hyperparameters")];
      for (const table of [outer, inner]) assert.ok(!(await table.isVisible()), "on the screen it is folded away");
      await page.emulateMedia({ media: "print" });
      for (const table of [outer, inner]) assert.ok(await table.isVisible());
      assert.ok(!(await page.locator("#job > details.body > summary").isVisible()), "paper has nothing to open");
    });
  });

  test("print: the report is eight sheets at most, and what is folded away is an appendix after it", async () => {
    await withPage(sampleReport("dataloader-starved"), { folded: true }, async (page) => {
      await page.emulateMedia({ media: "print" });
      const ends = await page.evaluate(() => {
        const bottom = (selector) =>
          Math.max(...Array.from(document.querySelectorAll(selector), (one) => one.getBoundingClientRect().bottom));
        const tops = Array.from(document.querySelectorAll("details.body"), (one) => one.getBoundingClientRect().top);
        return { report: bottom("main > section > .take-away"), appendix: Math.min(...tops) };
      });
      assert.ok(ends.appendix > ends.report, JSON.stringify(ends));
      await page.evaluate(() => document.querySelectorAll("details.body").forEach((body) => body.remove()));
      const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
      const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/gu)?.length ?? 0;
      assert.ok(sheets >= 2 && sheets <= 8, `${sheets} sheets`);
    });
  });

  test("print: heads that repeat on the next sheet have their words, not only a button", async () => {
    await withPage(sampleReports()[0], {}, async (page) => {
      await page.locator("th.sorts").first().waitFor({ state: "attached" });
      const without = await page
        .locator("th.sorts")
        .evaluateAll(
          (heads) =>
            heads.filter((head) => !Array.from(head.childNodes).some((node) => node.nodeType === 3 && node.data.trim()))
              .length,
        );
      assert.equal(without, 0);
    });
  });

  test("print: a PDF with pages", async () => {
    await eachPage([sampleReports()[0], madeUpReport("many-nodes")], {}, async (page, seen, { name }) => {
      const pdf = await page.pdf({ format: "A4" });
      assert.equal(pdf.subarray(0, 5).toString(), "%PDF-", name);
      assert.ok(pdf.length > 15_000, `${name}: ${pdf.length} bytes`);
      const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/gu)?.length ?? 0;
      assert.ok(pages >= (name === "many-nodes" ? 2 : 1), `${name}: ${pages} pages`);
    });
  });
});
