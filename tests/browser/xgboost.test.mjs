// The report on an XGBoost model: complete without scripts, on a phone and on paper, and its numbers leave it as CSV.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite, madeUpReport, withPage } from "./helper.mjs";

const charts = {
  "xgboost-binary": ["Validation labels by class", "Confusion matrix", "ROC curve", "Loss by boosting round: logloss"],
  "xgboost-multiclass": ["Validation labels by class", "Confusion matrix", "Accuracy by class over rounds"],
  "xgboost-regression": ["Validation labels", "Residuals: label minus prediction", "Feature importance by gain"],
};

const section = (page) => page.locator("#xgboost");

async function open(page) {
  await page
    .locator("#xgboost details")
    .first()
    .evaluate((details) => (details.open = true));
}

/** Charts that can be seen, by their captions. */
const seenCharts = (page) =>
  section(page)
    .locator("figure")
    .evaluateAll((figures) =>
      figures
        .filter((figure) =>
          [...figure.querySelectorAll("svg")].some((svg) => svg.checkVisibility() && svg.clientWidth > 100),
        )
        .map((figure) => figure.querySelector("figcaption")?.textContent?.trim()),
    );

browserSuite("XGBoost", () => {
  for (const [name, captions] of Object.entries(charts)) {
    const views = {
      wide: {},
      phone: { viewport: { width: 390, height: 800 } },
      "without scripts": { javaScriptEnabled: false },
    };
    for (const [view, options] of Object.entries(views))
      test(`${name}: charts can be seen, ${view}`, async () => {
        await withPage(madeUpReport(name), options, async (page) => {
          await open(page);
          const seen = await seenCharts(page);
          for (const caption of captions) assert.ok(seen.includes(caption), `${caption} is not among ${seen}`);
        });
      });
  }

  test("names of features stay text", async () => {
    await withPage(madeUpReport("xgboost-binary"), {}, async (page) => {
      await open(page);
      assert.equal(await section(page).locator("b").count(), 0);
      assert.ok((await section(page).innerText()).includes("</script><b>"));
    });
  });

  test("right and wrong predictions can be hidden", async () => {
    await withPage(madeUpReport("xgboost-binary"), {}, async (page) => {
      await open(page);
      const matrix = section(page).locator("figure", { hasText: "Confusion matrix" });
      await matrix.getByRole("button", { name: "Right" }).click();
      assert.ok(!(await matrix.locator('svg.chart [data-key="0"]').first().isVisible()));
      assert.ok(await matrix.locator('svg.chart [data-key="1"]').first().isVisible());
    });
  });

  test("on paper every chart is there", async () => {
    await withPage(madeUpReport("xgboost-regression"), {}, async (page) => {
      await page.emulateMedia({ media: "print" });
      const seen = await seenCharts(page);
      for (const caption of charts["xgboost-regression"]) assert.ok(seen.includes(caption), caption);
    });
  });
});
