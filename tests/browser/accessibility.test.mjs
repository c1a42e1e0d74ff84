// axe-core finds nothing, light and dark, wide and narrow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, bringAxe, halfOfLooks, violations } from "./axe.mjs";
import { browserSuite, eachPage, madeUpReport, sampleReport, unfold, withPage } from "./helper.mjs";

browserSuite("accessibility", () => {
  test("no violations", async () => {
    // The policy forbids axe's script too; policy.test.mjs is where it is tested.
    // Between them these have every table and every sentence; other jobs differ in figures only.
    // The first has nearly all of them, in any theme and width; the others are looked at in half of these.
    const most = sampleReport("ddp-gloo-straggler");
    const others = ["damaged", "no-metrics", "xgboost-binary", "xgboost-multiclass", "xgboost-regression"];
    const reports = [most, ...others.map(madeUpReport)];
    await eachPage(reports, { bypassCSP: true, folded: true }, async (page, _, report) => {
      await unfold(page);
      await assertAccessible(page, report.name, report === most ? {} : { looks: halfOfLooks(reports.indexOf(report)) });
    });
  });

  test("at most 150 stops of the Tab key on a page as it opens", async () => {
    const names = ["dataloader-starved", "ddp-gloo-straggler", "gpt-train-eval", "resnet50-healthy", "small-batch-mlp"];
    await eachPage(names.map(sampleReport), { folded: true }, async (page, seen, { name }) => {
      const stops = await page.evaluate(
        () =>
          [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(
            (element) =>
              element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }),
          ).length,
      );
      assert.ok(stops > 20 && stops <= 150, `${name} has ${stops}`);
    });
  });

  test("no violations with everything open that a script opens", async () => {
    await withPage(sampleReport("ddp-gloo-straggler"), { bypassCSP: true }, async (page) => {
      await bringAxe(page);
      await page.keyboard.press("e");
      await page.keyboard.press("u");
      await page.locator(".filter input").first().fill("algo");
      await page.locator(".table-tools a").first().focus();
      await page.locator("#job figure rect").first().hover();
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await violations(page), [], colorScheme);
        await page.keyboard.press("?");
        assert.ok(await page.locator("dialog").isVisible());
        assert.deepEqual(await violations(page, "dialog", 5), [], `${colorScheme}, with the shortcuts`);
        await page.keyboard.press("Escape");
      }
    });
  });
});
