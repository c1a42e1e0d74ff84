// The first screen: what to decide on is in one window, of every sample job, scripts or not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite, eachPage, sampleReports } from "./helper.mjs";

/** Without the quotes around commands, which the page shows as code. */
const plain = (text) =>
  text
    .replace(/[\s\u00a0]+/gu, " ")
    .replace(/'(debrief [^']*)'/gu, "$1")
    .trim();
const windows = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

browserSuite("summary", () => {
  for (const javaScriptEnabled of [true, false])
    test(`verdict, actions, bar, ribbon and tiles are above the fold, scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
      await eachPage(sampleReports(), { javaScriptEnabled, folded: true }, async (page, _, { name }) => {
        for (const viewport of windows) {
          await page.setViewportSize(viewport);
          for (const part of ["#verdict", "#verdict ol", ".shares", ".when", ".tiles"]) {
            const where = `${name}, ${viewport.width} px: ${part}`;
            const box = await page.locator(part).boundingBox();
            assert.ok(box && box.height > 10, `${where} is there`);
            assert.ok(box.y + box.height <= viewport.height, `${where} ends at ${box.y + box.height} px`);
            assert.ok(box.x >= 0 && box.x + box.width <= viewport.width, `${where} fits the width`);
          }
        }
      });
    });

  test("the summary says the verdict once, with at most three actions, and no sentence twice", async () => {
    await eachPage(sampleReports(), { javaScriptEnabled: false, folded: true }, async (page, _, { name, result }) => {
      const verdict = plain(await page.locator("#verdict").innerText());
      assert.ok(verdict.includes(plain(result.verdict.why)), name);
      const actions = await page.locator("#verdict ol > li").allInnerTexts();
      assert.ok(actions.length >= 1 && actions.length <= 3, name);
      assert.deepEqual(actions.map(plain), result.verdict.actions.slice(0, 3).map(plain));
      const all = plain((await page.locator("body").textContent()) ?? "");
      assert.equal(all.split(plain(result.verdict.why)).length, 2, `${name}: why is said once`);
    });
  });

  test("the parts of the bar are the waste's, and sum to all of it", async () => {
    await eachPage(sampleReports(), { javaScriptEnabled: false, folded: true }, async (page, _, { name, result }) => {
      const widths = await page
        .locator(".shares svg.fluid > g > rect")
        .evaluateAll((parts) => parts.map((part) => parseFloat(part.getAttribute("width"))));
      const sum = widths.reduce((all, one) => all + one, 0);
      assert.ok(Math.abs(sum - 100) < 0.1, `${name}: ${sum}`);
      assert.ok(Math.abs(widths[0] - result.waste.busy_percent) < 0.01, name);
    });
  });

  test("words in a bar end within their part, on every screen and on paper", async () => {
    await eachPage(sampleReports(), { folded: true }, async (page, _, { name }) => {
      const check = async (where) => {
        const over = await page.locator(".shares svg.fluid > g:has(text)").evaluateAll((parts) =>
          parts
            .map((part) => [part.querySelector("text"), part.querySelector("rect")])
            .filter(([text]) => text.getClientRects().length > 0)
            .filter(([text, rect]) => text.getBoundingClientRect().right > rect.getBoundingClientRect().right + 1)
            .map(([text]) => text.textContent),
        );
        assert.deepEqual(over, [], `${name}, ${where}`);
      };
      await page.emulateMedia({ media: "screen" }); // after the page before, which was printed
      for (const width of [390, 800, 1200, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await check(`${width} px`);
      }
      await page.setViewportSize({ width: 680, height: 1000 });
      await page.emulateMedia({ media: "print" });
      await check("printed");
    });
  });

  test("date, duration, hardware and framework stand under the name", async () => {
    await eachPage(sampleReports(), { javaScriptEnabled: false, folded: true }, async (page, _, { name }) => {
      const facts = plain(await page.locator(".meta").innerText());
      assert.match(facts, /\d+ (s|min)/u, name);
      assert.match(facts, /× H200, 16 CPUs/u, name);
      assert.match(facts, /pytorch/iu, name);
      assert.match(facts, /Nov\s\d+,\s2026,\s\d\d:\d\d\sUTC/u, name);
    });
  });

  test("red is severity only: a healthy job's page has none", async () => {
    await eachPage(
      sampleReports().filter(({ result }) => result.verdict.kind === "healthy"),
      {},
      async (page, _, { name }) => {
        const red = await page.evaluate(() => {
          const alarm = getComputedStyle(document.documentElement).getPropertyValue("--alarm");
          const probe = document.createElement("span");
          probe.style.color = alarm;
          document.body.append(probe);
          const color = getComputedStyle(probe).color;
          probe.remove();
          return Array.from(document.querySelectorAll("body *"))
            .filter((element) =>
              ["", "::after"].some((part) => {
                const { color: ink, fill, borderLeftColor, content } = getComputedStyle(element, part || undefined);
                return (part === "" || content !== "none") && [ink, fill, borderLeftColor].includes(color);
              }),
            )
            .map((element) => element.outerHTML.slice(0, 80));
        });
        assert.deepEqual(red, [], name);
      },
    );
  });
});
