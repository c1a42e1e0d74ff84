// One step: chosen, zoomed, selected; its details are the trace's own.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { assertAccessible } from "./axe.mjs";
import { browserSuite, eventually, hashOf, repository, sampleReport, settle, withPage } from "./helper.mjs";

const job = "gpt-train-eval";
const canvas = ".step-canvas";

let recorded;
/** The trace itself, and its steps shortest first. */
function trace() {
  if (recorded) return recorded;
  const folder = join(repository, "sample_jobs", job, "traces");
  const [file] = readdirSync(folder);
  // Numbers are cut to doubles by JSON.parse; times after the trace's base have room in them.
  const { traceEvents: events } = JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString());
  const steps = events
    .filter(({ ph, cat, name }) => ph === "X" && cat === "user_annotation" && name.startsWith("ProfilerStep#"))
    .sort((a, b) => a.dur - b.dur);
  recorded = { events, steps };
  return recorded;
}

async function open(page) {
  await page.locator("#one-step").scrollIntoViewIfNeeded();
  await page.waitForSelector(canvas);
  await settle(page);
}

const picture = (page) => page.locator(`${canvas} canvas`).evaluate((one) => one.toDataURL());
const details = (page) =>
  page.locator(".step-details").evaluate((box) => ({
    name: box.querySelector("strong")?.textContent ?? "",
    ...Object.fromEntries(
      Array.from(box.querySelectorAll("dl > div"), (row) => [
        row.querySelector("dt").textContent,
        row.querySelector("dd").textContent,
      ]),
    ),
  }));
const press = async (page, ...keys) => {
  await page.locator(canvas).focus();
  for (const key of keys) await page.keyboard.press(key);
  await settle(page);
};
const microseconds = (text) => Number(/^(−?[\d,]+\.\d{3}) µs/u.exec(text)[1].replace(/,/gu, "").replace("−", "-"));

/** Finds by name and goes to the first that is found. */
async function find(page, name) {
  await page.locator("#step-view input").fill(name);
  await page.locator("#step-view input").press("Enter");
  await settle(page);
  return details(page);
}

browserSuite("one step", () => {
  test("the reader chooses slowest, median or fastest", async () => {
    const { steps } = trace();
    const expected = [
      ["Slowest", steps.at(-1)],
      ["Median", steps[Math.floor((steps.length - 1) / 2)]],
      ["Fastest", steps[0]],
    ];
    await withPage(sampleReport(job), {}, async (page, seen) => {
      await open(page);
      const seenPictures = new Set();
      for (const [word, { name, dur }] of expected) {
        const button = page.locator("#step-view").getByRole("button", { name: word });
        assert.match(await button.innerText(), new RegExp(`^${word} \\(step ${name.split("#")[1]}\\): `, "u"));
        await button.click();
        assert.equal(await page.locator("#step-view .row [aria-pressed=true]").innerText(), await button.innerText());
        const found = await find(page, name);
        assert.equal(found.name, name);
        assert.equal(found.Kind, "annotation");
        assert.ok(Math.abs(microseconds(found.Duration) - dur) < 0.002, `${found.Duration}, recorded ${dur}`);
        seenPictures.add(await picture(page));
      }
      assert.equal(seenPictures.size, 3);
      assert.deepEqual(seen.messages, []);
    });
  });

  test("the critical path stands out when asked for, and no more when not", async () => {
    await withPage(sampleReport(job), {}, async (page, seen) => {
      await open(page);
      const button = page.locator("#step-view").getByRole("button", { name: "Critical path" });
      assert.equal(await button.getAttribute("aria-pressed"), "false");
      const before = await picture(page);
      await button.click();
      await settle(page);
      assert.equal(await button.getAttribute("aria-pressed"), "true");
      assert.notEqual(await picture(page), before);
      await button.click();
      await settle(page);
      assert.equal(await picture(page), before);
      assert.deepEqual(seen.messages, []);
    });
  });

  test("a kernel's details are the trace's: times, launching operator and delay", async () => {
    const { events, steps } = trace();
    const step = steps[Math.floor((steps.length - 1) / 2)];
    const inside = ({ ts }) => ts >= step.ts && ts < step.ts + step.dur;
    const kernel = events
      .filter((event) => event.ph === "X" && event.cat === "kernel" && inside(event))
      .sort((a, b) => b.dur - a.dur)[0];
    const call = events.find(
      ({ ph, cat, args }) =>
        ph === "X" && /^cuda_(?:runtime|driver)$/u.test(cat) && args.correlation === kernel.args.correlation,
    );
    const around = events
      .filter(
        ({ ph, cat, tid, ts, dur }) =>
          ph === "X" && cat === "cpu_op" && tid === call.tid && ts <= call.ts && ts + dur >= call.ts + call.dur,
      )
      .sort((a, b) => a.dur - b.dur)[0];
    await withPage(sampleReport(job), {}, async (page) => {
      await open(page);
      await page.locator("#step-view input").fill(kernel.name);
      let found;
      for (let turn = 0; turn < 500; ++turn) {
        await page.locator("#step-view input").press("Enter");
        found = await details(page);
        if (Math.abs(microseconds(found.Duration) - kernel.dur) < 0.002) break;
      }
      assert.equal(found.name, kernel.name);
      assert.equal(found.Kind, "kernel");
      assert.equal(found.Track, `GPU ${kernel.args.device} stream ${kernel.args.stream}`);
      assert.ok(Math.abs(microseconds(found.Start) - (kernel.ts - step.ts)) < 0.002, found.Start);
      assert.ok(
        found["Launched by"].startsWith(`${around.name}, through ${call.name} on thread ${call.tid}`),
        found["Launched by"],
      );
      assert.match(found.Delay, /µs.* after that call returned$/u);
      assert.ok(Math.abs(microseconds(found.Delay) - (kernel.ts - call.ts - call.dur)) < 0.003, found.Delay);
      // The arrow is drawn, and leads to the call and back.
      await press(page, "0");
      const withArrow = await picture(page);
      await press(page, "a");
      assert.equal((await details(page)).name, call.name);
      assert.ok((await details(page)).Launched.startsWith(kernel.name));
      await press(page, "a");
      assert.equal((await details(page)).name, kernel.name);
      await press(page, "0");
      assert.equal(await picture(page), withArrow);
      await press(page, "Escape");
      assert.notEqual(await picture(page), withArrow);
      assert.equal((await details(page)).name, "");
    });
  });

  test("keys, buttons, wheel and drag zoom and move", async () => {
    await withPage(sampleReport(job), {}, async (page) => {
      await open(page);
      const whole = await picture(page);
      const changes = async (act, what) => {
        const before = await picture(page);
        await act();
        await settle(page);
        assert.notEqual(await picture(page), before, what);
      };
      await changes(() => press(page, "+"), "+");
      await changes(() => press(page, "ArrowRight"), "→");
      await changes(() => press(page, "ArrowLeft", "-"), "back");
      await press(page, "Home");
      assert.equal(await picture(page), whole);
      await page.evaluate(() => document.activeElement.blur());
      const view = page.locator(canvas);
      await view.scrollIntoViewIfNeeded();
      const { x, y, width, height } = await view.boundingBox();
      await page.mouse.move(x + width / 3, y + height / 2);
      const scrolled = await page.evaluate(() => scrollY);
      await page.mouse.wheel(0, -100);
      await settle(page);
      assert.equal(await page.evaluate(() => document.activeElement.className), "", "no focus");
      await page.evaluate((to) => scrollTo(0, to), scrolled);
      await settle(page);
      await changes(async () => {
        await view.focus();
        await page.mouse.wheel(0, -200);
      }, "the wheel with the focus");
      await changes(async () => {
        await page.keyboard.down("Shift");
        await page.mouse.down();
        await page.mouse.move(x + width / 3 + 120, y + height / 2, { steps: 4 });
        await page.mouse.up();
        await page.keyboard.up("Shift");
      }, "drag");
      assert.equal((await details(page)).name, "", "a drag with Shift selects nothing");
      await changes(() => page.locator("#step-view").getByRole("button", { name: "Whole step" }).click(), "whole step");
      await page.mouse.move(5, 5);
      await changes(() => page.locator("#step-view").getByRole("button", { name: "Zoom in" }).click(), "button");
    });
  });

  test("a drag sums up what it goes over, most time first", async () => {
    await withPage(sampleReport(job), {}, async (page) => {
      await open(page);
      const { x, y, width, height } = await page.locator(canvas).boundingBox();
      await page.mouse.move(x + width / 4, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
      await page.mouse.up();
      await settle(page);
      assert.match((await details(page)).name, /^\d.*s selected$/u);
      const rows = await page.locator(".totals li").allTextContents();
      assert.ok(rows.length > 2 && rows.length <= 8, rows.join("\n"));
      for (const row of rows) assert.match(row, /^[\d.]+ (?:s|ms|µs|ns) .+ \(\w+, [\d,]+×\)$/u);
      assert.ok(!rows.some((row) => row.includes("ProfilerStep")), "the step itself says nothing");
      await press(page, "Escape");
      assert.equal(await page.locator(".totals").count(), 0);
    });
  });

  test("a double click zooms to the slice, and the address keeps step, window and slice", async () => {
    const report = sampleReport("dataloader-starved");
    let hash = "";
    let shown = "";
    await withPage(report, {}, async (page) => {
      await open(page);
      const list = page.getByRole("combobox", { name: "Any step" });
      const steps = await list.locator("option").allTextContents();
      assert.equal(steps.length, report.result.traces.steps.length, "every profiled step can be looked at");
      await list.selectOption({ index: 3 });
      await settle(page);
      const { name } = await find(page, "aten::copy_");
      assert.equal(name, "aten::copy_");
      const before = await picture(page);
      await press(page, "Enter");
      assert.notEqual(await picture(page), before, "Enter zooms");
      await press(page, "0");
      await page.locator("#step-view input").fill("");
      const { x, y, width } = await page.locator(canvas).boundingBox();
      const whole = await picture(page);
      await page.mouse.dblclick(x + width / 2, y + 20 + 18 + 7);
      await settle(page);
      assert.match((await details(page)).name, /^ProfilerStep#/u);
      assert.notEqual(await picture(page), whole, "the step has 1/4 of its length on both sides, as far as there is");
      await find(page, "aten::copy_");
      await press(page, "Enter");
      // The address follows a moment later; what the double-click wrote into it looks the same.
      await eventually(async () => {
        hash = await hashOf(page);
        await page.waitForTimeout(300);
        assert.equal(await hashOf(page), hash);
        assert.match(hash, /^#one-step&step=\d+~[\w-]+&s=[\d.]+\.\.[\d.]+&sel=\d+$/u);
      });
      shown = (await details(page)).Start;
    });
    await withPage({ ...report, url: report.url + hash }, {}, async (page) => {
      await page.waitForSelector(canvas);
      await settle(page);
      await eventually(async () => assert.equal((await details(page)).name, "aten::copy_"));
      assert.equal((await details(page)).Start, shown);
      await page.waitForTimeout(300); // in which a change would reach the address
      assert.equal(await hashOf(page), hash);
    });
  });

  test("typing into the search moves neither it nor the step", async () => {
    await withPage(sampleReport(job), {}, async (page) => {
      await open(page);
      const places = async () => [
        await page.locator("#step-view input").boundingBox(),
        await page.locator(canvas).boundingBox(),
      ];
      const before = await places();
      await page.locator("#step-view input").fill("aten");
      await settle(page);
      assert.deepEqual(await places(), before);
    });
  });

  test("names of details are whole words, however long their values are", async () => {
    for (const width of [390, 1440])
      await withPage(sampleReport(job), { viewport: { width, height: 900 } }, async (page) => {
        await open(page);
        await find(page, "cudaLaunchKernel");
        const broken = await page.locator(".step-details dt").evaluateAll((names) =>
          names
            .filter((name) => {
              const range = document.createRange();
              range.selectNodeContents(name);
              return range.getClientRects().length > name.textContent.split(" ").length;
            })
            .map((name) => name.textContent),
        );
        assert.deepEqual(broken, [], `${width} px`);
      });
  });

  test("ranks of the step lie below it, on one clock", async () => {
    await withPage(sampleReport("ddp-gloo-straggler"), {}, async (page) => {
      const index = JSON.parse(await page.locator("#steps-index").textContent());
      const median = index.views.find(({ which }) => which === "median");
      const others = median.tracks.filter(({ other }) => other);
      assert.ok(others.length >= 1, "another rank is there");
      assert.ok(others.every(({ other }) => other !== median.process));
      const last = median.tracks.findLastIndex(({ other }) => !other);
      assert.ok(last < median.tracks.findIndex(({ other }) => other), "after the step's own");
    });
  });

  test("a click selects, keys go on from there", async () => {
    await withPage(sampleReport(job), {}, async (page) => {
      await open(page);
      const { x, y, width } = await page.locator(canvas).boundingBox();
      await page.mouse.click(x + width / 2, y + 20 + 18 + 7);
      assert.match((await details(page)).name, /^ProfilerStep#\d+$/u);
      await press(page, "ArrowDown");
      const inner = await details(page);
      assert.match(inner.Within ?? "", /^ProfilerStep#/u);
      await press(page, "p");
      const before = await details(page);
      assert.ok(microseconds(before.Start) < microseconds(inner.Start));
      await press(page, "n");
      assert.deepEqual(await details(page), inner);
      await press(page, "ArrowUp");
      assert.match((await details(page)).name, /^ProfilerStep#/u);
      await page.keyboard.press("?");
      assert.match(await page.locator("dialog").innerText(), /One step: zoom to the selected slice/u);
    });
  });

  test("with scripts off and on paper there is the drawing", async () => {
    await withPage(sampleReport(job), { javaScriptEnabled: false }, async (page) => {
      assert.ok(await page.locator("#step-view svg.chart").isVisible());
      assert.equal(await page.locator("#one-step button:visible, #one-step input:visible").count(), 0);
    });
    await withPage(sampleReport(job), {}, async (page) => {
      await open(page);
      assert.equal(await page.locator("#step-view svg.chart").isVisible(), false);
      await page.emulateMedia({ media: "print" });
      assert.ok(await page.locator("#step-view svg.chart").isVisible());
      assert.equal(await page.locator(canvas).isVisible(), false);
    });
  });

  test("axe finds nothing, and nothing is wider than a phone", async () => {
    await withPage(sampleReport(job), { bypassCSP: true }, async (page) => {
      await open(page);
      await find(page, "aten::mm");
      await assertAccessible(page, job, { part: "#one-step", least: 5 });
    });
  });

  test("a frame draws no more than the screen can show, however many slices the step has", async () => {
    await withPage(sampleReport(job), {}, async (page) => {
      await open(page);
      const drawn = await page.evaluate(async (selector) => {
        const host = document.querySelector(selector);
        let calls = 0;
        for (const name of ["fillRect", "strokeRect", "fillText", "fill", "stroke"]) {
          const original = CanvasRenderingContext2D.prototype[name];
          CanvasRenderingContext2D.prototype[name] = function (...rest) {
            ++calls;
            return original.apply(this, rest);
          };
        }
        const out = [];
        for (const key of ["+", "-", "+", "+", "0"]) {
          calls = 0;
          host.dispatchEvent(new KeyboardEvent("keydown", { key }));
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          out.push(calls);
        }
        return out;
      }, canvas);
      for (const calls of drawn) assert.ok(calls > 10 && calls < 5000, `${drawn}`);
    });
  });
});
