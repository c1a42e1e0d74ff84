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
  settle,
  unfold,
  withPage,
} from "./helper.mjs";

browserSuite("layout", () => {
  for (const javaScriptEnabled of [true, false])
    test(`nothing scrolls sideways but tables in their frames, scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
      const windows = [360, 768, 1280].map((width) => ({ width, height: 740 }));
      const options = { javaScriptEnabled, folded: true, viewport: windows[0] };
      await eachPage(allReports(), options, async (page, seen, { name }) => {
        await unfold(page);
        for (const viewport of windows) {
          await page.setViewportSize(viewport);
          const [content, frame] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.equal(frame, viewport.width);
          assert.ok(content <= frame, `${name}: ${content} px of content in ${frame} px`);
        }
      });
    });

  test("five sizes of text", async () => {
    await eachPage(sampleReports(), {}, async (page, seen, { name }) => {
      await page.locator(".live").first().waitFor();
      const sizes = await page.evaluate(() => [
        ...new Set(
          Array.from(document.querySelectorAll("body *"))
            .filter((one) => !one.closest("svg") && one.getClientRects().length > 0)
            .filter((one) => Array.from(one.childNodes).some((node) => node.nodeType === 3 && node.data.trim()))
            .map((one) => getComputedStyle(one).fontSize),
        ),
      ]);
      assert.deepEqual(
        sizes.filter((size) => !["12px", "13px", "14px", "16px", "20px"].includes(size)),
        [],
        name,
      );
    });
  });

  test("content is up to 1,480 px wide and has one right edge, beside that of a chart and its text", async () => {
    await eachPage([sampleReport("dataloader-starved"), sampleReport("ddp-gloo-straggler")], {}, async (page) => {
      for (const [width, content] of [
        [1440, 1184],
        [1920, 1480],
      ]) {
        await page.setViewportSize({ width, height: 900 });
        await settle(page);
        const edges = await page.evaluate(() => {
          const left = document.querySelector("main h2").getBoundingClientRect().left;
          const blocks =
            "main section:not(.chapter) > :not(h2, h3, span), main details.body > :not(summary), .chapter > details > :not(summary, section, .body)";
          const seen = Array.from(document.querySelectorAll(blocks)).filter(
            (one) => one.getClientRects().length > 0 && !one.matches(".more-columns"),
          );
          return [...new Set(seen.map((one) => Math.round(one.getBoundingClientRect().right - left)))];
        });
        assert.deepEqual(
          edges.filter((edge) => ![760, content].includes(edge)),
          [],
          `${width} px`,
        );
        assert.ok(edges.includes(content));
      }
    });
  });

  test("a phone has whole charts, and at most five tables to scroll", async () => {
    await eachPage(sampleReports(), { viewport: { width: 390, height: 844 } }, async (page, seen, { name }) => {
      await settle(page);
      const clipped = await page.evaluate(() => {
        const frames = Array.from(document.querySelectorAll(".scroll, .plot")).filter(
          (frame) => frame.clientWidth > 0 && frame.scrollWidth > frame.clientWidth + 1,
        );
        const names = (selector) =>
          frames.filter((frame) => frame.querySelector(selector)).map((frame) => frame.getAttribute("aria-label"));
        return { charts: names(":scope > svg"), tables: names(":scope > table") };
      });
      assert.deepEqual(clipped.charts, [], name);
      assert.ok(clipped.tables.length <= 5, `${name}: ${clipped.tables.join("; ")}`);
      const words = await page.evaluate(() =>
        Math.min(
          ...Array.from(document.querySelectorAll(".scroll > svg.chart.phone text"))
            .filter((text) => text.getClientRects().length > 0 && text.textContent)
            .map((text) => text.getBoundingClientRect().height),
        ),
      );
      assert.ok(words >= 10, `${name}: words are ${words} px high`);
    });
  });

  for (const javaScriptEnabled of [true, false])
    test(`columns that few want are seen in a wide window, or on demand, scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
      await withPage(sampleReport("dataloader-starved"), { javaScriptEnabled }, async (page) => {
        const table = page.locator("#table-kernels");
        const shown = () =>
          table.locator("thead th").evaluateAll((heads) => heads.filter((one) => one.offsetWidth > 0).length);
        const all = await table.locator("thead th").count();
        await page.setViewportSize({ width: 1920, height: 900 });
        assert.equal(await shown(), all);
        await page.setViewportSize({ width: 1440, height: 900 });
        const few = await shown();
        assert.ok(few < all && few >= 6, `${few} of ${all}`);
        const box = page.getByRole("checkbox", { name: /^More columns: Kernels, most/u }).first();
        assert.equal((await box.locator("..").innerText()).trim(), `+${all - few} columns`);
        await box.check();
        assert.equal(await shown(), all);
        await box.uncheck();
        await page.setViewportSize({ width: 390, height: 844 });
        const fewest = await shown();
        assert.ok(fewest < few && fewest >= 2, `${fewest} on a phone`);
        await box.check();
        assert.equal(await shown(), all);
      });
    });

  test("a table's heads stay in sight while it is scrolled, its names while its frame is", async () => {
    await withPage(sampleReport("dataloader-starved"), { viewport: { width: 1440, height: 500 } }, async (page) => {
      const table = page.locator("#table-operators-by-name");
      await table.evaluate((one) => scrollTo(0, one.getBoundingClientRect().top + scrollY + 200));
      await settle(page);
      const top = await table.locator("thead").evaluate((head) => head.getBoundingClientRect().top);
      assert.ok(Math.abs(top) < 1, `the head is at ${top}`);
      await page.setViewportSize({ width: 390, height: 844 });
      const kernels = page.locator("#table-kernels");
      await page
        .getByRole("checkbox", { name: /^More columns: Kernels, most/u })
        .first()
        .check();
      await kernels.evaluate((one) => (one.parentElement.scrollLeft = 200));
      await settle(page);
      const [name, frame] = await kernels.evaluate((one) => [
        one.querySelector("tbody th").getBoundingClientRect().left,
        one.parentElement.getBoundingClientRect().left,
      ]);
      assert.ok(Math.abs(name - frame) < 1, `${name} in ${frame}`);
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
      const [outer, inner] = [page.locator("#job table").first(), page.locator("#table-hyperparameters")];
      for (const table of [outer, inner]) assert.ok(!(await table.isVisible()), "on the screen it is folded away");
      await page.emulateMedia({ media: "print" });
      for (const table of [outer, inner]) assert.ok(await table.isVisible());
      assert.ok(!(await page.locator("#job-and-data .contains").isVisible()), "paper has nothing to open");
    });
  });

  test("print: the report is eight sheets at most, and what is folded away is an appendix after it", async () => {
    await withPage(sampleReport("dataloader-starved"), { folded: true }, async (page) => {
      await page.emulateMedia({ media: "print" });
      const ends = await page.evaluate(() => {
        const bottom = (selector) =>
          Math.max(...Array.from(document.querySelectorAll(selector), (one) => one.getBoundingClientRect().bottom));
        const tops = Array.from(document.querySelectorAll(".body"), (one) => one.getBoundingClientRect().top);
        return { report: bottom(".chapter > details > summary"), appendix: Math.min(...tops) };
      });
      assert.ok(ends.appendix > ends.report, JSON.stringify(ends));
      await page.evaluate(() => document.querySelectorAll(".body").forEach((body) => body.remove()));
      const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
      const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/gu)?.length ?? 0;
      assert.ok(sheets >= 2 && sheets <= 8, `${sheets} sheets`);
    });
  });

  test("print: headings count from 01, and each sheet has the job's name", async () => {
    await withPage(sampleReports()[0], { folded: true }, async (page) => {
      await page.emulateMedia({ media: "print" });
      const counted = await page
        .locator("main h2")
        .evaluateAll((heads) => heads.map((head) => getComputedStyle(head).counterIncrement));
      assert.deepEqual([...new Set(counted)], ["section 1"], "by headings, which have boxes on paper");
      const sheet = await page.evaluate(() => {
        const pages = Array.from(document.styleSheets, (one) => [...one.cssRules])
          .flat()
          .flatMap((rule) => [rule, ...(rule.cssRules ?? [])])
          .filter((rule) => rule instanceof CSSPageRule);
        return {
          name: getComputedStyle(document.documentElement).getPropertyValue("--job"),
          margin: pages.map((rule) => rule.cssText).join("\n"),
          fixed: [...document.body.querySelectorAll("*")]
            .filter((one) => getComputedStyle(one).position === "fixed" && one.checkVisibility())
            .map((one) => one.outerHTML.slice(0, 80)),
        };
      });
      assert.equal(JSON.parse(sheet.name), (await page.locator("h1").textContent()).trim());
      assert.match(sheet.margin, /@bottom-left \{[^}]*content: var\(--job\)/u);
      assert.match(sheet.margin, /@bottom-right \{[^}]*counter\(page\)/u);
      assert.deepEqual(sheet.fixed, [], "what is fixed on paper lies over the text of the next sheet");
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

  test("print: words of a table's head are never broken, and no table is wider than the paper", async () => {
    const paper = { width: 680, height: 1000 }; // A4 without its margins
    await eachPage(sampleReports(), { viewport: paper }, async (page, seen, { name }) => {
      await page.emulateMedia({ media: "print" });
      const { broken, wide } = await page.evaluate((width) => {
        const range = document.createRange();
        const isBroken = (text, { index, 0: word }) => {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const tops = Array.from(range.getClientRects(), (rect) => rect.top);
          return Math.max(...tops) > Math.min(...tops) + 3;
        };
        const texts = Array.from(document.querySelectorAll("thead th")).flatMap((head) =>
          Array.from(head.childNodes).filter((node) => node.nodeType === 3),
        );
        return {
          broken: texts.flatMap((text) =>
            [...text.data.matchAll(/\p{L}{3,}/gu)].filter((word) => isBroken(text, word)),
          ),
          wide: Array.from(document.querySelectorAll("table"))
            .filter((table) => table.getBoundingClientRect().right > width + 1)
            .map((table) => table.caption.textContent),
        };
      }, paper.width);
      assert.deepEqual([broken, wide], [[], []], name);
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
