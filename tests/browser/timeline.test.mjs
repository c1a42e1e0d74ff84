// The timeline as its script makes it: zoom, selection, figures of a window, jumps, the heat map.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertDuration } from "./figures.mjs";
import {
  eventually,
  browserSuite,
  madeUpReport,
  nothing,
  sampleReport,
  sampleReports,
  settle,
  traceReport,
  withPage,
  eachPage,
  writePage,
} from "./helper.mjs";
import { moments, percentile, steps } from "./raw_job.mjs";
import { drag, live, pictures, range, rangeText, tableOf, unfoldPanels } from "./timeline_page.mjs";

const job = "resnet50-healthy";
const report = () => sampleReport(job);

/** What the page computes of the window in view, a moment after it has changed. */
const computed = (page) =>
  Promise.all(
    ["#timeline .in-view", "#system-usage tbody", "#steps tbody"].map((one) => page.locator(one).first().textContent()),
  );

/** Leads to another window as links of the page do, and returns what is in view afterwards. */
async function show(page, from, to) {
  const before = await computed(page);
  await page.evaluate((window) => {
    const button = document.createElement("button");
    button.dataset.window = window;
    document.querySelector("main").append(button);
    button.click();
    button.remove();
  }, `${from}..${to}`);
  await eventually(async () => {
    const now = await computed(page);
    assert.ok(
      now.every((text, at) => text !== before[at]),
      "every figure is of the window",
    );
  });
  const around = Math.max(500, (to - from) / 4);
  return [from - around, to + around];
}

browserSuite("timeline", () => {
  test("every drawing becomes a chart, quietly, and print has the drawings", async () => {
    await eachPage(sampleReports(), {}, async (page, seen, { name }) => {
      await live(page);
      await unfoldPanels(page);
      const figures = page.locator("#timeline figure");
      assert.ok((await figures.count()) >= 5, name);
      for (const figure of await figures.all()) {
        assert.ok(await figure.locator(".live").isVisible(), name);
        assert.ok(!(await figure.locator(".plot").isVisible()), name);
      }
      await page.emulateMedia({ media: "print" });
      assert.ok(await page.locator("#timeline .plot").first().isVisible(), name);
      assert.equal(await page.locator("#timeline .live:visible, #timeline-controls button:visible").count(), 0, name);
      await page.emulateMedia({ media: "screen" });
      assert.deepEqual(seen, nothing, name);
    });
  });

  test("without scripts the drawings stay and there is nothing to press", async () => {
    await withPage(report(), { javaScriptEnabled: false }, async (page) => {
      assert.ok(await page.locator("#timeline .plot svg").first().isVisible());
      assert.equal(await page.locator("#timeline button, #timeline input, #rules .show").count(), 0);
    });
  });

  test("a line at 0 % is seen, on any screen", async () => {
    for (const deviceScaleFactor of [1, 1.25, 2])
      await withPage(sampleReport("dataloader-starved"), { deviceScaleFactor }, async (page) => {
        await live(page);
        const share = await page.locator('[data-panel="GPU"] canvas').evaluate((canvas) => {
          const over = canvas.parentElement.querySelector(".u-over");
          const ratio = canvas.width / canvas.clientWidth;
          const [left, width] = [over.offsetLeft, over.clientWidth].map((length) => Math.round(length * ratio));
          const bottom = Math.round((over.offsetTop + over.clientHeight) * ratio);
          const { data } = canvas.getContext("2d").getImageData(left, bottom - 3, width, 4);
          const isBlue = (at) => data[at + 2] > data[at] + 60 && data[at + 3] > 60;
          let columns = 0;
          for (let x = 0; x < width; ++x) if ([0, 1, 2, 3].some((row) => isBlue(4 * (row * width + x)))) ++columns;
          return columns / width;
        });
        assert.ok(share > 0.9, `ratio ${deviceScaleFactor}: ${share} of the columns`); // the GPU is idle nearly all the time
      });
  });

  test("dragging across one chart zooms all, double-click shows the whole job", async () => {
    // All panels are on the screen: others are drawn when they come near it.
    await withPage(report(), { viewport: { width: 1280, height: 2600 } }, async (page, seen) => {
      await live(page);
      await unfoldPanels(page);
      const whole = await rangeText(page);
      assert.match(whole, /whole job$/u);
      const before = await pictures(page);
      await drag(page, "GPU", 0.25, 0.5);
      const after = await pictures(page);
      assert.ok(before.length >= 6);
      before.forEach((picture, at) => assert.notEqual(after[at], picture, `panel ${at} is another`));
      const [from, to] = await range(page);
      const [first, last] = await page.evaluate(() => {
        const { start, end } = JSON.parse(document.getElementById("timeline-index").textContent);
        return [start, end];
      });
      const seconds = (time) => (time / 1000) % 86400;
      assert.ok(Math.abs(from - seconds(first + 0.25 * (last - first))) < 1.5, `from ${from}`);
      assert.ok(Math.abs(to - seconds(first + 0.5 * (last - first))) < 1.5, `to ${to}`);
      await page.locator('[data-panel="CPU"] .u-over').dblclick();
      await settle(page);
      assert.equal(await rangeText(page), whole);
      assert.deepEqual(await pictures(page), before);
      assert.deepEqual(seen, nothing);
    });
  });

  test("keys and buttons zoom and move, the wheel only with a key held", async () => {
    await withPage(report(), {}, async (page) => {
      await live(page);
      const whole = await range(page);
      const length = ([from, to]) => to - from;
      await page.locator('[data-panel="GPU"] .live').focus();
      const press = async (key) => {
        await page.keyboard.press(key);
        await settle(page);
        return range(page);
      };
      const closer = await press("+");
      assert.ok(Math.abs(length(closer) - length(whole) / 2) < 2);
      const later = await press("ArrowRight");
      assert.ok(later[0] > closer[0] + 10 && Math.abs(length(later) - length(closer)) < 2);
      assert.ok((await press("ArrowLeft"))[0] < later[0]);
      assert.ok(Math.abs(length(await press("-")) - length(whole)) < 2);
      await press("+");
      assert.deepEqual(await press("Home"), whole);
      await page.getByRole("button", { name: "Zoom in" }).click();
      await page.getByRole("button", { name: "Later" }).click();
      await settle(page);
      assert.ok((await range(page))[0] > closer[0]);
      await page.getByRole("button", { name: "Whole job", exact: true }).click();
      await settle(page);
      assert.deepEqual(await range(page), whole);
      assert.ok(await page.getByRole("button", { name: "Zoom out" }).isDisabled());

      await page.locator('[data-panel="GPU"] .u-over').hover();
      await page.mouse.wheel(0, -120);
      await settle(page);
      assert.deepEqual(await range(page), whole, "a plain wheel is the page's");
      await page.locator('[data-panel="GPU"] .u-over').hover();
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -120);
      await page.keyboard.up("Control");
      await settle(page);
      assert.ok(length(await range(page)) < length(whole) - 5, "with Ctrl it zooms");
    });
  });

  test("nodes and their devices can be chosen", async () => {
    await withPage(madeUpReport("many-nodes"), {}, async (page, seen) => {
      await live(page);
      const panel = page.locator('[data-panel="CPU"]');
      assert.match(await panel.locator(".live > .note").innerText(), /^Mean of 12 nodes/u);
      const before = await pictures(page);
      await page.locator("#timeline-controls select").selectOption("algo-3");
      await eventually(async () => {
        assert.equal((await panel.locator(".lines").innerText()).trim(), "algo-3");
        assert.notEqual((await pictures(page))[0], before[0]);
      });
      assert.deepEqual(seen, nothing);
    });
    await withPage(report(), {}, async (page) => {
      await live(page);
      const panel = page.locator('[data-panel="CPU"]');
      const [picture] = await pictures(page, "CPU");
      await panel.locator("summary").click();
      await panel.getByLabel("cpu3", { exact: true }).check();
      await panel.getByLabel("cpu5", { exact: true }).check();
      await panel.getByLabel("node average", { exact: true }).uncheck();
      await eventually(async () => {
        assert.deepEqual(
          (await panel.locator(".lines li").allInnerTexts()).map((text) => text.trim()),
          ["cpu3", "cpu5"],
        );
        assert.equal(await panel.locator("summary").innerText(), "Lines: 2 of 16 devices");
        assert.notEqual((await pictures(page, "CPU"))[0], picture);
      });
      await panel.getByRole("button", { name: "All lines of CPU" }).click();
      await eventually(async () => assert.match(await panel.locator(".lines").innerText(), /^16 lines/u));
      assert.equal(await panel.locator("input:checked").count(), 16);
    });
  });

  test("figures of a window are those of its samples, and the whole job's come back", async () => {
    await withPage(report(), {}, async (page, seen) => {
      await live(page);
      const cells = () =>
        page
          .locator("#system-usage :is(td, svg, rect), #steps :is(td, svg, rect)")
          .evaluateAll((all) =>
            all.map((one) => [
              one.textContent,
              one.dataset.raw,
              one.getAttribute("aria-label"),
              one.getAttribute("width"),
            ]),
          );
      const before = await cells();
      const start = await page.evaluate(() => JSON.parse(document.getElementById("timeline-index").textContent).start);
      const [from, to] = await show(page, 10_030, 40_030);
      const inWindow = (list) =>
        list.filter(([time]) => time - start >= from && time - start <= to).map(([, value]) => value);

      const usage = await tableOf(page, "#system-usage table");
      for (const [metric, dimension] of [
        ["GPU", "GPUUtilization"],
        ["CPU", "CPUUtilization"],
      ]) {
        const samples = inWindow(moments(job, dimension));
        assert.ok(samples.length > 300);
        const row = usage.find((one) => one.Metric === metric);
        for (const [head, percent] of [
          ["Min", 0],
          ["p50", 50],
          ["p95", 95],
          ["p99", 99],
          ["Max", 100],
        ])
          assert.ok(
            Math.abs(Number(row[head]) - percentile(samples, percent)) < 0.011,
            `${metric} ${head}: ${row[head]} for ${percentile(samples, percent)}`,
          );
      }

      const durations = inWindow(steps(job, "TRAIN"));
      const [row] = await tableOf(page, "#steps table");
      assert.equal(row.Steps, String(durations.length));
      assert.ok(durations.length > 300 && durations.length < 900);
      assertDuration(row.Mean, durations.reduce((a, b) => a + b) / durations.length, "mean");
      assertDuration(
        row.Total,
        durations.reduce((a, b) => a + b),
        "total",
      );
      for (const [head, percent] of [
        ["Min", 0],
        ["p50", 50],
        ["p99", 99],
        ["Max", 100],
      ])
        assertDuration(row[head], percentile(durations, percent), head);

      assert.match(
        await page.locator("#system-usage .window").innerText(),
        /^Values from \d\d:\d\d:\d\d to \d\d:\d\d:\d\d UTC\. Show the whole job$/u,
      );
      assert.match(
        await page.locator("#timeline .in-view").innerText(),
        new RegExp(`^In view: GPU median .*${durations.length} steps, median step`, "u"),
      );
      await page.locator("#steps .window button").click();
      await eventually(async () => {
        assert.deepEqual(await cells(), before);
        assert.ok(!(await page.locator(".window").first().isVisible()));
      });
      assert.deepEqual(seen, nothing);
    });
  });

  test("the script needs none of the page's words: another copy leaves its work as it is", async () => {
    const { html } = report();
    let number = 0;
    const other = () => `Wort ${++number}`;
    const reworded = html
      .replaceAll(/(<th [^>]*scope="col"[^>]*>)[^<]*/gu, (_, tag) => tag + other())
      .replaceAll(/(<caption>|<figcaption>|<span class="status">)[^<]*/gu, (_, tag) => tag + other())
      .replaceAll(/(<td data-key="[^"]*" class="text">)[^<]*/gu, (_, tag) => tag + other())
      .replaceAll(/(<td class="text">)(triggered|did not trigger|not evaluated)/gu, (_, tag) => tag + other());
    assert.ok(number > 50 && !reworded.includes(">triggered<"));
    const seenOn = async (one) => {
      let out;
      await withPage(one, {}, async (page) => {
        await live(page);
        const rules = await page
          .locator("#timeline .lane button")
          .evaluateAll((lanes) => lanes.map(({ title }) => title));
        const buttons = await page.locator("#rules button.show").count();
        const figures = () =>
          page
            .locator("#system-usage td:not([class]), #steps table td:not([class])")
            .evaluateAll((cells) => cells.map(({ textContent }) => textContent));
        const whole = await figures();
        await show(page, 10_030, 40_030);
        const inWindow = await figures();
        assert.notDeepEqual(inWindow, whole);
        out = { rules, buttons, whole, inWindow };
      });
      return out;
    };
    const seen = await seenOn(report());
    assert.ok(seen.buttons > 0 && seen.rules.length > 0);
    assert.deepEqual(await seenOn(writePage("reworded", reworded)), seen);
  });

  test("plain numbers stay plain in a window", async () => {
    await withPage(report(), {}, async (page) => {
      await live(page);
      const mean = async () => (await tableOf(page, "#steps table"))[0].Mean;
      const human = await mean();
      await page.locator("#units").click();
      const raw = await mean();
      await show(page, 20_030, 40_030);
      assert.notEqual(await mean(), raw);
      assert.match(await mean(), /^0\.\d{3,12}$/u);
      await page.locator("#units").click();
      assert.match(await mean(), /^[\d.]+ ms$/u);
      await page.getByRole("button", { name: "Whole job", exact: true }).click();
      await eventually(async () => assert.equal(await mean(), human));
    });
  });

  test("Back leads from a moment of the timeline to where the reader was", async () => {
    await withPage(report(), {}, async (page) => {
      await live(page);
      const button = page.locator("#rules tr button.show").first();
      await button.scrollIntoViewIfNeeded();
      const top = () => button.evaluate((one) => one.getBoundingClientRect().top);
      const before = await top();
      const address = page.url().split("#")[0];
      await button.click();
      await page.waitForFunction(() => location.hash.startsWith("#timeline&t="));
      await eventually(async () => assert.ok((await top()) > before + 500, "at the timeline"));
      await page.goBack();
      await eventually(async () => {
        assert.equal(page.url().split("#")[0], address, "still the report");
        const after = await top();
        assert.ok(Math.abs(after - before) < 100, `${before} px before, ${after} px after`);
      });
    });
  });

  test("names of phases are not written over each other where all there is was profiled", async () => {
    await withPage(traceReport("gpt-train-eval"), {}, async (page) => {
      const strip = page.locator('#timeline [data-panel="phases"] .strip');
      await strip.waitFor();
      const named = await strip.locator("span").evaluateAll((stripes) =>
        stripes
          .filter((stripe) => stripe.textContent !== "")
          .map((stripe) => {
            const words = document.createRange();
            words.selectNodeContents(stripe);
            const { left, right, top, bottom } = words.getBoundingClientRect();
            return { name: stripe.textContent, left, right, top, bottom };
          }),
      );
      assert.ok(named.length > 0, "a phase is named");
      const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      for (const [at, one] of named.entries())
        for (const other of named.slice(at + 1)) assert.ok(!meet(one, other), `${one.name} and ${other.name}`);
    });
  });

  test("dragging across the heat map zooms, too", async () => {
    await withPage(report(), {}, async (page) => {
      await live(page);
      const area = page.locator(".heat-area");
      await area.scrollIntoViewIfNeeded();
      await page.waitForFunction(() => document.querySelector(".heat-area").clientWidth > 300);
      const whole = await range(page);
      // What is drawn above it meanwhile moves it from under the pointer. Each try starts from the whole job: one that
      // zoomed to something else would leave a window in which a quarter is less.
      await eventually(async () => {
        const reset = page.getByRole("button", { name: "Whole job", exact: true });
        if (await reset.isEnabled()) await reset.click();
        await area.scrollIntoViewIfNeeded();
        await settle(page);
        assert.deepEqual(await range(page), whole);
        const { x, y, width } = await area.boundingBox();
        await page.mouse.move(x + 0.25 * width, y + 4);
        await page.mouse.down();
        await page.mouse.move(x + 0.5 * width, y + 4, { steps: 4 });
        await page.mouse.up();
        await settle(page);
        const [from, to] = await range(page);
        const share = (to - from) / (whole[1] - whole[0]);
        assert.ok(share > 0.2 && share < 0.3, `a quarter of the job: ${share}`);
      });
    });
  });

  test("the drawing of the heat map has colors, on paper and without scripts", async () => {
    await withPage(report(), { javaScriptEnabled: false }, async (page) => {
      const strokes = await page
        .locator('[data-panel="heat"] svg.chart .l[class*="c-h"]')
        .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).stroke));
      assert.ok(new Set(strokes.filter((stroke) => stroke.startsWith("rgb"))).size >= 2, String([...new Set(strokes)]));
      assert.ok(!strokes.includes("none"), "every mark is drawn");
    });
  });

  test("lanes say when findings and rules held, and nothing lies over the charts until one is chosen", async () => {
    await withPage(sampleReport("dataloader-starved"), { viewport: { width: 1280, height: 2600 } }, async (page) => {
      await live(page);
      const lanes = page.locator("#timeline .lane button");
      assert.equal(await lanes.first().innerText(), "input bound", "findings come first");
      assert.ok((await lanes.count()) > 3);
      const drawn = await page.locator("#timeline .lane canvas").evaluateAll((all) =>
        all.map((canvas) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return data.filter((part, at) => at % 4 === 3 && part > 0).length;
        }),
      );
      assert.ok(
        drawn.every((pixels) => pixels > 20),
        String(drawn),
      );
      const [plain] = await pictures(page, "GPU");
      await lanes.first().hover();
      await settle(page);
      assert.notEqual((await pictures(page, "GPU"))[0], plain, "pointing at a lane tints its stretches");
      await page.mouse.move(5, 5);
      await settle(page);
      assert.equal((await pictures(page, "GPU"))[0], plain);
      await lanes.first().click();
      await page.mouse.move(5, 5);
      await settle(page);
      assert.notEqual((await pictures(page, "GPU"))[0], plain, "pressing its name keeps them tinted");
    });
  });

  test("the brush has the whole job, makes a window and moves it, and stays on the screen", async () => {
    await withPage(report(), {}, async (page) => {
      await live(page);
      const brush = page.locator("#timeline .brush");
      assert.equal(await brush.locator("> svg").count(), 1, "the ribbon of the first screen");
      const drawn = async (from, to) => {
        const { x, y, width } = await brush.boundingBox();
        await page.mouse.move(x + from * width, y + 10);
        await page.mouse.down();
        await page.mouse.move(x + to * width, y + 10, { steps: 4 });
        await page.mouse.up();
        await settle(page);
        return range(page);
      };
      await brush.scrollIntoViewIfNeeded();
      const whole = await range(page);
      const length = whole[1] - whole[0];
      const [from, to] = await drawn(0.2, 0.4);
      assert.ok(Math.abs(from - whole[0] - 0.2 * length) < 2 && Math.abs(to - whole[0] - 0.4 * length) < 2);
      const moved = await drawn(0.3, 0.5);
      assert.ok(Math.abs(moved[0] - from - 0.2 * length) < 2 && Math.abs(moved[1] - to - 0.2 * length) < 2);
      await page.locator('[data-panel="heat"]').scrollIntoViewIfNeeded();
      const { y } = await brush.boundingBox();
      assert.ok(y >= 0 && y < 100, `still on the screen: ${y}`);
    });
  });

  test("one cursor for all panels, and the tip has the values of each", async () => {
    await withPage(report(), { viewport: { width: 1280, height: 2600 } }, async (page) => {
      await live(page);
      const lines = () =>
        page.evaluate(() =>
          Array.from(document.querySelectorAll("#timeline .u-cursor-x, #timeline .heat-moment"), (line) => {
            const { x, width } = line.getBoundingClientRect();
            return Math.round(x + width);
          }).filter((x) => x > 150),
        );
      for (const panel of ['[data-panel="GPU"] .u-over', ".heat-area"]) {
        await page.locator(panel).hover();
        await settle(page);
        const at = await lines();
        const charts = await page.locator("#timeline .uplot").count();
        assert.equal(at.length, charts + 1, `${panel}: the charts and the heat map`);
        assert.ok(Math.max(...at) - Math.min(...at) <= 3, `${panel}: on one line: ${at}`);
        const tip = await page.locator(".pointed").innerText();
        for (const words of ["CPU utilization: ", "GPU memory in use: ", "UTC"]) assert.ok(tip.includes(words), tip);
      }
    });
  });

  test("what few look at is folded away, and drawn as wide as the rest when it is opened", async () => {
    await withPage(madeUpReport("with-curves"), {}, async (page) => {
      await live(page);
      const more = page.locator("#timeline .more-panels");
      assert.equal(await more.locator("summary").first().innerText(), "More over time: GPU power and GPU temperature");
      const panel = page.locator('[data-panel="GPU power"]');
      assert.ok(!(await panel.isVisible()));
      const widthOf = async (name) => (await page.locator(`[data-panel="${name}"] .u-over`).boundingBox()).width;
      const over = panel.locator(".u-over");
      // What is drawn above it meanwhile moves it from under the pointer.
      await eventually(async () => {
        if (!(await more.evaluate((details) => details.open))) await more.locator("summary").first().click();
        assert.ok(await over.isVisible());
        assert.equal(await widthOf("GPU power"), await widthOf("GPU"));
      });
      const { width } = await over.boundingBox();
      await over.hover({ position: { x: width / 2, y: 20 } });
      const words = await page.locator("#timeline .pointed").innerText();
      assert.match(words, /GPU power: 5[45]\d W/u); // 400 and a watt per second, half of 299 s in
      assert.match(words, /GPU temperature: 61 °C/u);
    });
    await withPage(madeUpReport("with-curves"), { javaScriptEnabled: false }, async (page) => {
      await page.getByText("More over time: GPU power and GPU temperature").click();
      assert.ok(await page.locator('[data-panel="GPU power"] svg.chart').isVisible());
    });
  });

  test("an incident of a rule leads to its moment", async () => {
    await withPage(report(), {}, async (page) => {
      await live(page);
      const lane = page.locator("#timeline .lane button", { hasText: "StepOutlier" });
      assert.equal(await lane.getAttribute("aria-pressed"), "false");
      const row = page.locator("#rules tr", { has: page.locator("button.show") }).first();
      const moment = Date.parse((await row.locator("td.time").innerText()).trim().split(/\s/u)[0]) / 1000;
      const whole = await rangeText(page);
      await row.locator("button.show").click();
      await eventually(async () => assert.notEqual(await rangeText(page), whole));
      const [from, to] = await range(page);
      assert.ok(from <= moment % 86400 && to >= moment % 86400, `${from} to ${to} holds ${moment % 86400}`);
      assert.ok(to - from < 10);
      assert.equal(await lane.getAttribute("aria-pressed"), "true");
      assert.ok(await page.evaluate(() => document.querySelector("#timeline").contains(document.activeElement)));
      const top = await page.locator("#timeline").evaluate((section) => section.getBoundingClientRect().top);
      assert.ok(top > -5 && top < 300, `the timeline is in view: ${top}`);
    });
  });

  test("an address leads to a window", async () => {
    await withPage({ ...report(), url: `${report().url}#timeline&t=20..50` }, {}, async (page) => {
      await live(page);
      const start = await page.evaluate(() => JSON.parse(document.getElementById("timeline-index").textContent).start);
      const [from, to] = await range(page);
      assert.ok(Math.abs(from - ((start / 1000 + 20) % 86400)) < 1.1);
      assert.ok(Math.abs(to - ((start / 1000 + 50) % 86400)) < 1.1);
    });
  });

  test("the heat map has a row for every GPU and core, and can be read by keys", async () => {
    await withPage(report(), {}, async (page) => {
      await live(page);
      const heat = page.locator('[data-panel="heat"]');
      await heat.scrollIntoViewIfNeeded();
      await page.waitForFunction(() => document.querySelector(".heat canvas").width > 400);
      const colors = () =>
        heat.locator(".heat canvas").evaluate((canvas) => {
          const area = document.querySelector(".heat-area");
          const ratio = canvas.width / canvas.clientWidth;
          const at = (share) => [
            ...canvas
              .getContext("2d")
              .getImageData(Math.round((area.offsetLeft + share * area.clientWidth) * ratio), 4, 1, 1).data,
          ];
          return [at(0.02), at(0.6)];
        });
      await eventually(async () => {
        const [idle, busy] = await colors();
        assert.deepEqual(
          idle.map((part) => Math.round(part / 20)),
          [0, 2, 4, 13],
          `nothing at first: ${idle}`,
        );
        assert.ok(busy[0] > 150 && busy[2] < 130 && busy[3] === 255, `about 90 % later: ${busy}`);
      });
      await heat.locator(".heat").focus();
      await page.keyboard.press("ArrowDown");
      const said = heat.locator('[aria-live="polite"]');
      assert.match(await said.innerText(), /^gpu0: [\d.]+% at \d\d:\d\d:\d\d/u);
      await page.keyboard.press("ArrowDown");
      assert.match(await said.innerText(), /^cpu0: /u);
      const before = await said.innerText();
      await page.keyboard.press("ArrowRight");
      assert.notEqual(await said.innerText(), before);
      assert.match(await rangeText(page), /whole job$/u, "its arrows do not move the view");
    });
  });

  test("steps of processes that keep pace are seen of both", async () => {
    await withPage(sampleReport("ddp-gloo-straggler"), { colorScheme: "light" }, async (page) => {
      await live(page);
      const counts = await page.locator('[data-panel="steps"] .uplot canvas').evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const colors = Array.from(document.querySelectorAll('[data-panel="steps"] .swatch'), (swatch) =>
          getComputedStyle(swatch).color.match(/\d+/gu).map(Number),
        );
        return colors.map(([red, green, blue]) => {
          let count = 0;
          for (let at = 0; at < data.length; at += 4)
            count += data[at] === red && data[at + 1] === green && data[at + 2] === blue;
          return count;
        });
      });
      assert.equal(counts.length, 2);
      assert.ok(Math.min(...counts) > Math.max(...counts) / 4, `${counts}`);
    });
  });

  test("charts follow the theme", async () => {
    await withPage(report(), { colorScheme: "light" }, async (page) => {
      await live(page);
      const light = await pictures(page);
      await page.evaluate(() => (document.documentElement.dataset.theme = "dark"));
      await settle(page);
      const dark = await pictures(page);
      light.forEach((picture, at) => assert.notEqual(dark[at], picture));
      await page.evaluate(() => delete document.documentElement.dataset.theme);
      await settle(page);
      assert.deepEqual(await pictures(page), light);
      await page.emulateMedia({ colorScheme: "dark" });
      await settle(page);
      assert.deepEqual(await pictures(page), dark);
    });
  });

  test("damaged samples and old browsers leave the drawings, and say why", async () => {
    const cut = (html) => html.replace(/(id="timeline-0">)[^<]*/u, "$1eJwrSSwuAQAEXQHB");
    const damaged = writePage("damaged-samples", cut(report().html));
    assert.notEqual(damaged.html, report().html);
    const check = (words) => async (page, seen) => {
      await page.waitForSelector("#timeline-controls .note");
      assert.match(await page.locator("#timeline-controls").innerText(), words);
      assert.ok(await page.locator("#timeline .plot svg").first().isVisible());
      assert.equal(await page.locator("#timeline .live, #timeline-controls button").count(), 0);
      assert.deepEqual(seen, nothing);
    };
    await withPage(damaged, {}, check(/damaged/u));
    const before = (page) => page.addInitScript(() => delete window.DecompressionStream);
    await withPage(report(), { before }, check(/DecompressionStream/u));
  });

  test("it fits a telephone, and a finger scrolls past it", async () => {
    await withPage(report(), { viewport: { width: 360, height: 740 }, hasTouch: true }, async (page) => {
      await live(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      const prevented = await page.locator('[data-panel="GPU"] .u-over').evaluate((over) => {
        const touch = (type, y) => {
          const point = new Touch({ identifier: 1, target: over, clientX: 200, clientY: y });
          const event = new TouchEvent(type, {
            touches: [point],
            changedTouches: [point],
            bubbles: true,
            cancelable: true,
          });
          over.dispatchEvent(event);
          return event.defaultPrevented;
        };
        return [touch("touchstart", 300), touch("touchmove", 260), touch("touchend", 260)];
      });
      assert.deepEqual(prevented, [false, false, false]);
      assert.match(await rangeText(page), /whole job$/u);
    });
  });
});
