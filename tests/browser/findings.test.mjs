// Verdict and findings: there without scripts, leading to their moments with them, readable where styles are forbidden.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { browserSuite, eachPage, hashOf, sampleReport, sampleReports, settle, withPage } from "./helper.mjs";

/** Serves a page with a header, and nothing else. */
async function serve(html, headers) {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/" ? 200 : 404, { "Content-Type": "text/html; charset=utf-8", ...headers });
    response.end(request.url === "/" ? html : "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** What Jenkins sends with every file of a build unless it is told otherwise. */
const jenkins = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';";

const hasWindows = ({ result }) => result.findings.some(({ windows }) => windows.length > 0);
/** Without the quotes around commands, which the page shows as code. */
const plain = (text) =>
  text
    .replace(/[\s\u00a0]+/gu, " ")
    .replace(/'(debrief [^']*)'/gu, "$1")
    .trim();

browserSuite("findings", () => {
  test("verdict and cards are there without scripts, as the result has them", async () => {
    await eachPage(sampleReports(), { folded: true, javaScriptEnabled: false }, async (page, _, { result }) => {
      const verdict = plain(await page.locator("#verdict").innerText());
      for (const text of [result.verdict.title, result.verdict.why, ...result.verdict.actions.slice(0, 3)])
        assert.ok(verdict.includes(plain(text)), text);
      assert.match(verdict, /^(Critical|Warning|Note|Healthy|Not enough data) /u);
      const cards = page.locator("#findings .finding");
      assert.equal(await cards.count(), result.findings.length);
      for (const [at, finding] of result.findings.entries()) {
        const card = cards.nth(at);
        assert.equal(await card.getAttribute("id"), `finding-${finding.kind}`);
        const text = plain((await card.textContent()) ?? "");
        const told = at === result.verdict.finding ? [] : [finding.why, finding.next]; // the summary has them
        for (const part of [finding.title, ...told, ...finding.evidence.map(({ name }) => name)])
          assert.ok(text.includes(plain(part)), part);
        assert.equal(
          await card.evaluate((element) => element.tagName),
          finding.severity === "info" ? "DETAILS" : "ARTICLE",
        );
      }
    });
  });

  test("every link of a card leads to something on the page", async () => {
    await eachPage(sampleReports(), { folded: true, javaScriptEnabled: false }, async (page) => {
      const dead = await page
        .locator("#findings a")
        .evaluateAll((links) =>
          links
            .map((link) => link.getAttribute("href") ?? "")
            .filter((href) => !document.getElementById(href.slice(1))),
        );
      assert.deepEqual(dead, []);
    });
  });

  test("what was paid for is listed, and its parts sum to it", async () => {
    await eachPage(sampleReports(), { folded: true, javaScriptEnabled: false }, async (page, _, { result }) => {
      if (!result.waste) return;
      const shares = await page
        .locator("#findings table tbody tr")
        .evaluateAll((rows) => rows.map((row) => parseFloat(row.cells[2].textContent.replace(/^<.*/u, "0"))));
      const whole = shares.pop();
      assert.equal(whole, 100);
      assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 0.05 * (shares.length + 1));
    });
  });

  test("a window of a finding zooms the timeline, and its address can be copied", async () => {
    const report = sampleReports().find(hasWindows);
    assert.ok(report, "a sample job has a finding with a window");
    await withPage(report, {}, async (page, seen) => {
      const link = page.locator("#findings article a[data-window], #findings details[open] a[data-window]").first();
      const [from, to] = (await link.getAttribute("data-window")).split("..").map(Number);
      await page.waitForFunction(() =>
        document.querySelector("#findings a[data-window]")?.getAttribute("href")?.includes("&t="),
      );
      const href = await link.getAttribute("href");
      assert.match(href, new RegExp(`^#timeline&t=${from / 1000}\\.\\.${to / 1000}(&node=.+)?$`, "u"));
      await link.focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => /^#[^&]*&t=/u.test(location.hash));
      const [, shownFrom, shownTo] = /&t=([\d.]+)\.\.([\d.]+)/u.exec(await hashOf(page));
      assert.ok(Number(shownFrom) <= from / 1000 && Number(shownTo) >= to / 1000, "the window is in view");
      assert.ok(Number(shownTo) - Number(shownFrom) <= (1.5 * (to - from)) / 1000 + 1.001, "and not much else");
      assert.equal(await page.evaluate(() => document.activeElement?.closest("section")?.id), "timeline");
      assert.deepEqual(seen.messages, []);
    });
    const plainReport = { ...report, url: `${report.url}#timeline&t=10..20` };
    await withPage(plainReport, {}, async (page) => {
      await page.waitForFunction(() => document.querySelector("#timeline .range")?.textContent?.includes("10 s"));
    });
  });

  test("findings are lanes of the timeline, before those of rules", async () => {
    const report = sampleReports().find(hasWindows);
    const first = report.result.findings.find(({ windows }) => windows.length > 0);
    await withPage(report, {}, async (page) => {
      const lane = page.locator("#timeline .lane button").first();
      await lane.waitFor();
      assert.equal(await lane.textContent(), first.kind.replaceAll("_", " "));
    });
  });

  test("cards keep to a narrow window", async () => {
    await eachPage(sampleReports(), { viewport: { width: 360, height: 800 } }, async (page) => {
      await settle(page);
      const wide = await page
        .locator("#verdict, #findings .finding")
        .evaluateAll((cards) => cards.filter((card) => card.getBoundingClientRect().right > innerWidth).length);
      assert.equal(wide, 0);
    });
  });

  test("under Jenkins' policy, without styles and scripts, the page can be read from top to bottom", async () => {
    const report = sampleReport("dataloader-starved");
    const server = await serve(report.html, { "Content-Security-Policy": jenkins });
    try {
      await withPage({ name: "jenkins", url: server.url }, {}, async (page) => {
        const { result } = report;
        assert.equal(
          await page.locator("body").evaluate((body) => getComputedStyle(body).marginTop),
          "8px",
          "the style is not applied",
        );
        assert.ok(plain(await page.locator("#verdict").innerText()).includes(plain(result.verdict.why)));
        for (const { title } of result.findings)
          assert.ok(plain((await page.locator("#findings").textContent()) ?? "").includes(plain(title)));
        // In order: each heading, table and drawing begins below the one before it.
        const tops = await page
          .locator("h1, #verdict, h2")
          .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().top));
        assert.deepEqual(
          tops,
          [...tops].sort((a, b) => a - b),
        );
        assert.ok(tops.length > 10);
        const tables = await page
          .locator("main table")
          .evaluateAll(
            (all) =>
              all.filter(
                (table) =>
                  table.checkVisibility() && table.rows.length > 1 && table.getBoundingClientRect().height < 20,
              ).length,
          );
        assert.equal(tables, 0);
        const sizes = await page
          .locator("main svg.chart")
          .evaluateAll((all) =>
            all
              .filter((svg) => svg.checkVisibility())
              .map((svg) => [svg.getBoundingClientRect().width, svg.getBoundingClientRect().height]),
          );
        assert.ok(sizes.length > 5);
        for (const [width, height] of sizes) assert.ok(width >= 300 && height >= 20, `${width} x ${height}`);
        const dead = await page
          .locator("button, input, select")
          .evaluateAll((all) => all.filter((control) => control.checkVisibility()).length);
        assert.equal(dead, 0, "no control that does nothing");
      });
    } finally {
      server.close();
    }
  });
});
