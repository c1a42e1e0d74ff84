// Light, dark, or as the system has it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite, nothing, sampleReport, withPage } from "./helper.mjs";

/** "light" or "dark", by what the page paints. */
async function painted(page) {
  const [background, ink] = await page.evaluate(() => {
    const style = getComputedStyle(document.body);
    return [style.backgroundColor, style.color].map((color) => /\d+, \d+, \d+/u.exec(color)[0].split(", ").map(Number));
  });
  const brightness = (color) => color.reduce((sum, part) => sum + part, 0) / 765;
  assert.ok(Math.abs(brightness(background) - brightness(ink)) > 0.6, `${ink} on ${background}`);
  return brightness(background) > 0.5 ? "light" : "dark";
}

/** Presses the button until it shows the theme. */
async function choose(page, theme) {
  const button = page.locator("#theme");
  for (let press = 0; press < 3 && (await button.innerText()) !== `Theme: ${theme}`; ++press) await button.click();
  assert.equal(await button.innerText(), `Theme: ${theme}`);
}

browserSuite("theme", () => {
  const report = () => sampleReport("resnet50-healthy");

  for (const colorScheme of ["light", "dark"])
    test(`the button goes round, in a system that is ${colorScheme}`, async () => {
      await withPage(report(), { folded: true, colorScheme }, async (page) => {
        const button = page.locator("#theme");
        const found = [];
        for (let press = 0; press < 4; ++press) {
          found.push([await button.innerText(), await painted(page)]);
          await button.click();
        }
        const auto = ["Theme: auto", colorScheme];
        assert.deepEqual(found, [auto, ["Theme: light", "light"], ["Theme: dark", "dark"], auto]);
      });
    });

  test("auto follows the system while the page is open", async () => {
    await withPage(report(), { folded: true, colorScheme: "light" }, async (page) => {
      assert.equal(await painted(page), "light");
      await page.emulateMedia({ colorScheme: "dark" });
      assert.equal(await painted(page), "dark");
    });
  });

  test("auto follows the system without scripts", async () => {
    for (const colorScheme of ["light", "dark"])
      await withPage(report(), { folded: true, colorScheme, javaScriptEnabled: false }, async (page) => {
        assert.equal(await painted(page), colorScheme);
      });
  });

  test("the choice survives a reload", async () => {
    await withPage(report(), { folded: true, colorScheme: "light" }, async (page) => {
      await choose(page, "dark");
      await page.reload();
      assert.equal(await page.locator("#theme").innerText(), "Theme: dark");
      assert.equal(await painted(page), "dark");
      await choose(page, "auto");
      await page.reload();
      assert.equal(await painted(page), "light");
    });
  });

  test("the button works where there is no storage", async () => {
    const before = (page) =>
      page.addInitScript(() =>
        Object.defineProperty(window, "localStorage", {
          get: () => {
            throw new DOMException("no", "SecurityError");
          },
        }),
      );
    await withPage(report(), { folded: true, before, colorScheme: "light" }, async (page, seen) => {
      await choose(page, "dark");
      assert.equal(await painted(page), "dark");
      await page.reload();
      assert.equal(await painted(page), "light", "nothing was stored");
      assert.deepEqual(seen, nothing);
    });
  });
});
