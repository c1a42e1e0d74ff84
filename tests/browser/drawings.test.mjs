// Legends that hide and show, and what pointing at a mark tells.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite, nothing, sampleReport, settle, withPage, writePage } from "./helper.mjs";
import { live } from "./timeline_page.mjs";

const name = "<img src=x onerror=alert(1)>";
const drawing = `<figure id="drawn"><figcaption>Two</figcaption>
  <ul class="legend"><li data-key="0"><svg width="10" height="10" aria-hidden="true"></svg> first</li><li data-key="1">second</li><li data-key="7">nothing</li></ul>
  <svg width="200" height="40" role="img" aria-label="Two marks">
  <g data-key="0"><rect id="one" width="40" height="40"><title>${name.replaceAll("<", "&lt;")}</title></rect></g>
  <g data-key="1"><rect id="two" x="60" width="40" height="40"></rect></g>
  </svg></figure>`;

/** A report with a drawing that has a legend. */
const page = () =>
  writePage("drawn", sampleReport("resnet50-healthy").html.replace('<main id="main">', `$&${drawing}`));
const tip = (page) => page.locator(".tip");

browserSuite("drawings", () => {
  test("a legend's entry hides its marks and shows them again", async () => {
    await withPage(page(), {}, async (page, seen) => {
      const first = page.getByRole("button", { name: "first", exact: true });
      for (const shown of [true, false, true]) {
        assert.equal(await first.getAttribute("aria-pressed"), String(shown));
        assert.equal(await page.locator("#one").isVisible(), shown);
        assert.ok(await page.locator("#two").isVisible());
        await first.press("Enter");
      }
      assert.equal(
        await page.locator(".legend li", { hasText: "nothing" }).getByRole("button").count(),
        0,
        "what has no marks is no button",
      );
      assert.deepEqual(seen, nothing);
    });
  });

  test("pointing at a mark tells its title beside the pointer, as text", async () => {
    await withPage(page(), {}, async (page, seen) => {
      await live(page);
      await page.locator("#one").scrollIntoViewIfNeeded();
      await settle(page); // scrolling, which is told a moment later, takes the tip away
      assert.ok(!(await tip(page).isVisible()));
      await page.locator("#one").hover();
      assert.equal(await tip(page).innerText(), name);
      const [shown, mark] = [await tip(page).boundingBox(), await page.locator("#one").boundingBox()];
      assert.ok(Math.abs(shown.x - mark.x) < 100 && Math.abs(shown.y - mark.y) < 100, "near");
      assert.equal(await page.locator("#one title").count(), 0, "the browser does not say it again");
      await page.keyboard.press("Escape");
      assert.ok(!(await tip(page).isVisible()));
      assert.equal(await page.locator("#one title").textContent(), name);
      await page.locator("#one").hover({ position: { x: 5, y: 5 } });
      assert.ok(await tip(page).isVisible());
      await page.locator("#two").hover();
      assert.ok(!(await tip(page).isVisible()));
      assert.equal(await page.locator("#one title").count(), 1);
      await settle(page);
      assert.deepEqual(seen, nothing);
    });
  });

  test("it stays within the window", async () => {
    await withPage(page(), { viewport: { width: 800, height: 400 } }, async (page) => {
      await live(page);
      const loop = page.locator("#job figure rect.c-compute:visible").last();
      await loop.scrollIntoViewIfNeeded();
      await settle(page);
      await loop.hover({ position: { x: 40, y: 5 } });
      const { x, width } = await tip(page).boundingBox();
      assert.match(await tip(page).innerText(), /: .*%, .* s/u);
      assert.ok(x >= 0 && x + width <= 800, `${x}, ${width} wide`);
    });
  });

  test("a bar of operators by caller is clicked to zoom into it, and back", async () => {
    await withPage(sampleReport("dataloader-starved"), {}, async (page, seen) => {
      const figure = page.locator("figure[data-zooms]").first();
      const widths = () =>
        figure
          .locator("svg.chart:not(.phone) g > g rect")
          .evaluateAll((all) =>
            all.map((rect) => (rect.getBoundingClientRect().width > 0 ? Number(rect.getAttribute("width")) : 0)),
          );
      const first = await widths();
      const whole = await figure.locator("svg.chart:not(.phone)").evaluate((svg) => svg.viewBox.baseVal.width);
      const at = first.findIndex((width) => width > whole / 20 && width < whole / 2);
      assert.ok(at >= 0, "a bar that is neither narrow nor wide");
      const shown = () => figure.getByRole("button", { name: "Show all" }).isVisible();
      assert.ok(!(await shown()));
      await figure.locator("svg.chart:not(.phone) g > g rect").nth(at).click();
      const zoomed = await widths();
      assert.ok(Math.abs(zoomed[at] - whole) < 0.01, `${zoomed[at]} of ${whole}`);
      assert.ok(
        zoomed.some((width) => width === 0),
        "what lies beside it is out of sight",
      );
      await figure.getByRole("button", { name: "Show all" }).click();
      assert.deepEqual(await widths(), first);
      assert.ok(!(await shown()));
      assert.deepEqual(seen, nothing);
    });
  });

  test("a finger taps, and taps elsewhere", async () => {
    await withPage(page(), { hasTouch: true }, async (page) => {
      await live(page);
      await page.locator("#one").scrollIntoViewIfNeeded();
      await settle(page);
      await page.locator("#one").tap();
      assert.equal(await tip(page).innerText(), name);
      await page.locator("h1").tap();
      assert.ok(!(await tip(page).isVisible()));
    });
  });
});
