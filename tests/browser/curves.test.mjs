// Training curves with scripts: smoothing, log scale, steps or time, and the timeline's window.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite, eventually, madeUpReport, settle, withPage } from "./helper.mjs";
import { live, range } from "./timeline_page.mjs";

const pictures = (page) =>
  page.locator("#curves .curves-live canvas").evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));

/** Waits until every chart has its canvas and the timeline follows. */
async function drawn(page) {
  await live(page);
  await page.locator("#curves .curve-controls").scrollIntoViewIfNeeded();
  await eventually(async () => assert.equal((await pictures(page)).length, 3));
  await settle(page);
}

/** Drags over the first chart, from one share of its width to another. */
async function drag(page, from, to) {
  const over = page.locator("#curves .curves-live .u-over").first();
  await over.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await over.boundingBox();
  await page.mouse.move(x + from * width, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + ((from + to) / 2) * width, y + height / 2, { steps: 4 });
  await page.mouse.move(x + to * width, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await settle(page);
}

const report = () => madeUpReport("with-curves");

browserSuite("training curves", () => {
  test("each switch changes what is drawn, and back", () =>
    withPage(report(), {}, async (page) => {
      await drawn(page);
      const first = await pictures(page);
      const smoothing = page.locator("#curves").getByLabel("Smoothing");
      await smoothing.fill("0.9");
      await settle(page);
      const smoothed = await pictures(page);
      smoothed.forEach((picture, at) => assert.notEqual(picture, first[at], `chart ${at} is smoothed`));
      await smoothing.fill("0");
      await page.locator("#curves").getByLabel("Log scale").check();
      await settle(page);
      const log = await pictures(page);
      log.forEach((picture, at) => assert.notEqual(picture, first[at], `chart ${at} is on a log scale`));
      await page.locator("#curves").getByLabel("Log scale").uncheck();
      await page.locator("#curves").getByLabel("X-axis").selectOption("time");
      await settle(page);
      const byTime = await pictures(page);
      byTime.forEach((picture, at) => assert.notEqual(picture, first[at], `chart ${at} is over time`));
      await page.locator("#curves").getByLabel("X-axis").selectOption("step");
      await settle(page);
      assert.deepEqual(await pictures(page), first);
    }));

  test("a legend's entry hides its curve", () =>
    withPage(report(), {}, async (page) => {
      await drawn(page);
      const [first] = await pictures(page);
      await page.locator("#curves figure").first().getByRole("button", { name: "eval_loss" }).click();
      await settle(page);
      assert.notEqual((await pictures(page))[0], first);
    }));

  test("what is dragged over is what the timeline shows, and the other way around", () =>
    withPage(report(), {}, async (page) => {
      await drawn(page);
      const first = await pictures(page);
      const [begin] = await range(page);
      await drag(page, 0.25, 0.5); // steps 51 to 100: 76 s to 150 s after the start
      const [from, to] = await range(page);
      assert.ok(Math.abs(from - begin - 76) < 3, `from ${from - begin} s`);
      assert.ok(Math.abs(to - begin - 150) < 3, `to ${to - begin} s`);
      const zoomed = await pictures(page);
      zoomed.forEach((picture, at) => assert.notEqual(picture, first[at], `chart ${at} follows`));
      await page.locator("#timeline-controls").getByRole("button", { name: "Whole job" }).click();
      await eventually(async () => assert.deepEqual(await pictures(page), first));
      await drag(page, 0.5, 0.75);
      await page.locator("#curves .curves-live .u-over").first().dblclick();
      await eventually(async () => assert.deepEqual(await pictures(page), first));
    }));

  test("other scalars are folded away by prefix, and a search opens what it finds", () =>
    withPage(report(), {}, async (page) => {
      await drawn(page);
      const groups = page.locator("#curves details.chart-group");
      assert.deepEqual(await groups.locator("summary").allInnerTexts(), [
        "attention (3 scalars)",
        "weights (12 scalars)",
        "Others (2 scalars)",
      ]);
      const seen = () => page.locator("#curves figure.small-chart:visible figcaption").allInnerTexts();
      assert.deepEqual(await seen(), []);
      const search = page.locator("#curves").getByLabel("Filter: Training curves, small charts");
      await search.fill("LAYER1");
      await eventually(async () => {
        assert.deepEqual(await seen(), ["weights/layer1", "weights/layer10", "weights/layer11"]);
        assert.equal(await page.locator("#curves figure.small-chart:visible .curves-live canvas").count(), 3);
      });
      assert.equal(await groups.filter({ visible: true }).count(), 1);
      const [before] = await page
        .locator("#curves figure.small-chart:visible canvas")
        .evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));
      await page.locator("#curves").getByLabel("X-axis").selectOption("time");
      await eventually(async () => {
        const [after] = await page
          .locator("#curves figure.small-chart:visible canvas")
          .evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));
        assert.notEqual(after, before, "small charts have the same switches");
      });
      await search.fill("nothing like it");
      assert.ok(await page.locator("#curves").getByText("Nothing matches.").first().isVisible());
      await search.press("Escape");
      assert.deepEqual(await seen(), []);
      assert.equal(await groups.filter({ visible: true }).count(), 3);
      assert.equal(
        await page.locator("#curves").getByText("seed").count(),
        1,
        "what never changed is in the table only",
      );
    }));

  test("the pointer reads values, smoothed ones too", () =>
    withPage(report(), {}, async (page) => {
      await drawn(page);
      await page.locator("#curves").getByLabel("Smoothing").fill("0.5");
      const over = page.locator("#curves .curves-live .u-over").first();
      const { width, height } = await over.boundingBox();
      await over.hover({ position: { x: width - 1, y: height / 2 } });
      const words = await page.locator("#curves .pointed").innerText();
      assert.match(words, /^Step 200, 5 min 0 s after the start/u);
      assert.match(words, /train_loss: 0\.4828 \(smoothed 0\.\d+\)/u); // 4 / sqrt(200) + 4 / 20
      assert.match(words, /eval_loss: 0\.297 /u);
    }));

  test("print and pages without scripts have the drawings", async () => {
    await withPage(report(), {}, async (page) => {
      await drawn(page);
      await page.emulateMedia({ media: "print" });
      assert.ok(await page.locator("#curves figure svg.chart").first().isVisible());
      assert.ok(!(await page.locator("#curves .curves-live").first().isVisible()));
      assert.ok(!(await page.locator("#curves .curve-controls").isVisible()));
    });
    await withPage(report(), { javaScriptEnabled: false }, async (page) => {
      assert.ok(await page.locator("#curves figure svg.chart").first().isVisible());
      await page.getByText("attention (3 scalars)").click();
      assert.equal(await page.locator("#curves figure.small-chart svg.chart:visible").count(), 3);
    });
  });
});
