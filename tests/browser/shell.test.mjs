// The page around its sections: permalinks, keys, folds, navigation.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  binary,
  browserSuite,
  hashOf,
  madeUpReport,
  nothing,
  repository,
  sampleReport,
  chaptersOf,
  sectionsOf,
  settle,
  temporary,
  withPage,
} from "./helper.mjs";

const at = (report, hash) => ({ ...report, url: `${report.url}${hash}` });
const isInView = (locator) =>
  locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
const folds = (page) => page.locator("main details").evaluateAll((all) => all.map((fold) => fold.open));
const current = (page) =>
  page.locator("nav [aria-current='true']").evaluateAll((links) => links.map((link) => link.hash.slice(1)));

browserSuite("shell", () => {
  const report = () => sampleReport("ddp-gloo-straggler");

  test("an address opens the section, also with a time in it", async () => {
    for (const hash of ["#steps", "#steps&t=1.5..20&node=algo-1"])
      await withPage(at(report(), hash), { folded: true }, async (page, seen) => {
        await settle(page);
        const { y } = await page.locator("#steps").boundingBox();
        assert.ok(Math.abs(y) < 60, `${hash}: at ${y}`);
        assert.deepEqual(seen, nothing);
      });
  });

  test("an address of what is folded away opens it", async () => {
    const table = (page) => page.locator("#table-hyperparameters");
    await withPage(report(), { folded: true }, async (page) => assert.ok(!(await table(page).isVisible())));
    await withPage(at(report(), "#table-hyperparameters"), { folded: true }, async (page) => {
      await settle(page);
      assert.ok(await table(page).isVisible());
      assert.ok(await isInView(table(page)));
    });
  });

  test("an address that is nonsense does nothing", async () => {
    for (const hash of ["#%E0%A4%A", "#nowhere&t=9..1", "#%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E&node=%3Cb%3E"])
      await withPage(at(report(), hash), { folded: true }, async (page, seen) => {
        await settle(page);
        assert.equal(await page.evaluate(() => scrollY), 0);
        assert.deepEqual(seen, nothing);
      });
  });

  test("headings and tables have links to themselves", async () => {
    await withPage(report(), {}, async (page) => {
      assert.deepEqual(
        await page.locator(":is(h2, h3) a.permalink").evaluateAll((links) => links.map((link) => link.hash.slice(1))),
        sectionsOf(report()).filter((id) => !chaptersOf(report()).includes(id)),
      );
      await page.locator("#gpu-memory h3").hover();
      await page.locator("#gpu-memory a.permalink").click();
      assert.equal(await hashOf(page), "#gpu-memory");
      await page.getByRole("link", { name: "Link to Step time by process and mode" }).click();
      assert.equal(await hashOf(page), "#table-step-time-by-process-and-mode");
    });
  });

  test("j and k step through the chapters, to the last and back", async () => {
    await withPage(report(), {}, async (page) => {
      await page.locator("#timeline [data-live]").first().waitFor(); // until then sections move
      const seen = [];
      const chapters = chaptersOf(report());
      for (let press = 0; press < chapters.length; ++press) {
        await page.keyboard.press("j");
        seen.push((await hashOf(page)).slice(1));
      }
      assert.deepEqual(seen, chapters);
      const focused = () => page.evaluate(() => document.activeElement.textContent.trim());
      assert.match(await focused(), /^Job and data/u, "focus goes along");
      await page.keyboard.press("k");
      assert.equal(await hashOf(page), "#rules");
      await page.locator("#steps").evaluate((section) => section.scrollIntoView());
      await page.keyboard.press("j");
      assert.equal(await hashOf(page), "#gpu", "from where one has scrolled");
    });
  });

  test("a section that no finding leads to says its result, and opens by its link", async () => {
    const starved = sampleReport("dataloader-starved");
    await withPage(starved, { folded: true, viewport: { width: 1440, height: 900 } }, async (page) => {
      assert.ok(await page.locator("#data-loading table").first().isVisible(), "the finding's section is open");
      const fold = page.locator("#cpu-bottlenecks > details.body");
      assert.equal(await fold.getAttribute("open"), null, "beside it, in the same chapter");
      assert.ok(await page.locator("#cpu-bottlenecks .take-away").isVisible());
      assert.match(await fold.locator("summary").first().innerText(), /^Show (?:\d+ charts? and )?\d+ tables?$/u);
      const chapter = page.locator("#gpu > details");
      assert.equal(await chapter.getAttribute("open"), null);
      assert.ok(await chapter.locator("> summary > .take-away").isVisible());
      assert.match(await chapter.locator("> summary").innerText(), /GPU utilization · GPU activity/u);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(height <= 5000, `${height} px`);
      const listed = page.locator('nav a[href="#gpu-activity"]');
      assert.ok(!(await listed.isVisible()), "a closed chapter's sections are not listed");
      await page.locator('nav a[href="#gpu"]').click();
      await page.waitForFunction(() => document.querySelector("#gpu > details").open);
      assert.ok(await page.locator("#gpu-activity table").first().isVisible(), "all of it is open");
      await listed.click();
      assert.ok(await isInView(page.locator("#gpu-activity h3")));
    });
    await withPage(at(starved, "#gpu-activity"), { folded: true }, async (page) => {
      await settle(page);
      assert.ok(await isInView(page.locator("#gpu-activity h3")), "an address of before opens the chapter");
    });
    await withPage(starved, { folded: true, javaScriptEnabled: false }, async (page) => {
      await page.locator("#gpu > details > summary").click();
      assert.ok(await page.locator("#gpu-activity table").first().isVisible());
      await page.locator("#cpu-bottlenecks > details.body > summary").click();
      assert.ok(await page.locator("#cpu-bottlenecks table").first().isVisible());
    });
  });

  const short = resolve(repository, "../shared/samples/live/hf-healthy.tar.gz");
  const absent = existsSync(short) ? false : "the job hf-healthy is not at hand";
  test("a job of which only metrics were recorded has a short page", { skip: absent }, async () => {
    const folder = join(temporary(), "hf");
    mkdirSync(folder, { recursive: true });
    execFileSync("tar", ["xzf", short, "-C", folder]);
    const path = join(folder, "page.html");
    execFileSync(binary, ["report", join(folder, "hf-healthy"), "-o", path, "--quiet"]);
    const page = { url: pathToFileURL(path).href };
    await withPage(page, { folded: true, viewport: { width: 1440, height: 900 } }, async (page) => {
      await settle(page);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(height <= 3500, `${height} px`); // with what the training log says
    });
  });

  test("an address of what was not recorded leads to the line that says so", async () => {
    const starved = sampleReport("dataloader-starved");
    await withPage({ ...starved, url: `${starved.url}#communication` }, {}, async (page) => {
      assert.ok(await page.locator("#not-recorded li#communication").evaluate((line) => line.matches(":target")));
    });
  });

  test("the navigation marks the section on the screen, and its chapter", async () => {
    await withPage(report(), {}, async (page) => {
      for (const ids of [["training", "framework"], ["rules"], ["training", "steps"], ["job-and-data", "job"]]) {
        await page.locator(`#${ids.at(-1)}`).evaluate((section) => section.scrollIntoView());
        await page.waitForFunction(
          (ids) =>
            ids.join() === Array.from(document.querySelectorAll("nav [aria-current]"), (a) => a.hash.slice(1)).join(),
          ids,
        );
        assert.deepEqual(await current(page), ids);
      }
    });
  });

  test("the question mark lists the keys, by keyboard and by button, and gives the focus back", async () => {
    await withPage(report(), { folded: true }, async (page, seen) => {
      const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await page.locator("#theme").focus();
      await page.keyboard.press("?");
      assert.ok(await dialog.isVisible());
      for (const key of ["j", "k", "/", "e", "u", "t", "?"])
        assert.equal(await dialog.getByText(key, { exact: true }).count(), 1, key);
      const theme = await page.locator("#theme").innerText();
      await page.keyboard.press("t");
      assert.equal(await page.locator("#theme").innerText(), theme, "keys do nothing behind the window");
      await page.keyboard.press("Tab");
      assert.ok(
        await dialog.evaluate(
          (dialog) => dialog.contains(document.activeElement) || document.activeElement === document.body,
        ),
        "focus stays inside",
      );
      await page.keyboard.press("Escape");
      assert.equal(await dialog.count(), 0);
      assert.equal(await page.evaluate(() => document.activeElement.id), "theme");
      await page.locator("#help").click();
      await dialog.getByRole("button", { name: "Close" }).click();
      assert.equal(await dialog.count(), 0);
      assert.equal(await page.evaluate(() => document.activeElement.id), "help");
      assert.deepEqual(seen, nothing);
    });
  });

  test("keys with Control, Alt or Meta are the browser's", async () => {
    await withPage(report(), { folded: true }, async (page) => {
      for (const modifier of ["Control", "Alt", "Meta"])
        await page
          .locator("body")
          .dispatchEvent("keydown", { key: "t", [`${modifier.toLowerCase().replace("control", "ctrl")}Key`]: true });
      assert.equal(await page.locator("#theme").innerText(), "Theme: auto");
      await page.keyboard.press("t");
      assert.equal(await page.locator("#theme").innerText(), "Theme: light");
    });
  });

  test("expand all opens everything, collapse all leaves it as it was", async () => {
    await withPage(report(), { folded: true }, async (page) => {
      const button = page.locator("#expand");
      const few = await page.locator("main tbody tr:visible").count();
      const atFirst = await folds(page);
      assert.equal(await button.innerText(), "Expand all");
      await button.click();
      assert.ok((await folds(page)).every((open) => open));
      assert.equal(await page.locator("tr.folded").count(), 0);
      assert.ok((await page.locator("main tbody tr:visible").count()) > few);
      await page.waitForFunction(() => document.querySelector("#expand").textContent === "Collapse all");
      await page.keyboard.press("e");
      assert.deepEqual(await folds(page), atFirst);
      assert.ok((await page.locator("tr.folded").count()) > 0);
      await page.locator("#job-and-data > details > summary").click();
      await page.waitForFunction(() => document.querySelector("#expand").textContent === "Expand all");
    });
  });

  test("printing opens what is folded, and leaves it as it was", async () => {
    await withPage(report(), { folded: true }, async (page) => {
      await page.evaluate(() => (document.querySelector("main details").open = true));
      const before = await folds(page);
      assert.ok(before.includes(false) && before.includes(true), "some open, some not");
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      assert.ok((await folds(page)).every((open) => open));
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      assert.deepEqual(await folds(page), before);
    });
  });

  test("where one part cannot start, the others do", async () => {
    const before = (page) => page.addInitScript(() => delete window.IntersectionObserver);
    await withPage(at(report(), "#table-hyperparameters"), { folded: true, before }, async (page, seen) => {
      assert.equal(seen.messages.length, 1, `${seen.messages}`);
      assert.deepEqual(await current(page), [], "no section is marked");
      assert.ok(await page.locator("#table-hyperparameters").isVisible());
      await page.keyboard.press("t");
      assert.equal(await page.locator("#theme").innerText(), "Theme: light");
    });
  });

  test("no tools without scripts, and all within a narrow window with them", async () => {
    await withPage(report(), { folded: true, javaScriptEnabled: false }, async (page) =>
      assert.ok(!(await page.locator("#tools").isVisible())),
    );
    await withPage(madeUpReport("hostile"), { folded: true, viewport: { width: 360, height: 700 } }, async (page) => {
      for (const id of ["expand", "units", "theme", "help"]) {
        const { x, width } = await page.locator(`#${id}`).boundingBox();
        assert.ok(x >= 0 && x + width <= 360, `${id} at ${x}, ${width} wide`);
      }
    });
  });
});
