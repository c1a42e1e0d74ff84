// The page of `debrief check`: the gate's outcome comes first, with each assertion as the result has it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertAccessible } from "./axe.mjs";
import { binary, browserSuite, eachPage, repository, temporary } from "./helper.mjs";

/** The page of a sample job that these demands are made of. */
function check(name, ...demands) {
  const path = join(temporary(), `gate-${name}.html`);
  const json = path.replace(/html$/u, "json");
  const { status } = spawnSync(binary, [
    "check",
    join(repository, "sample_jobs", name),
    ...demands,
    "-o",
    path,
    "--json",
    json,
    "--quiet",
  ]);
  return { name, status, url: pathToFileURL(path).href, result: JSON.parse(readFileSync(json, "utf8")) };
}

let made;
const pages = () =>
  (made ??= [
    check(
      "small-batch-mlp",
      "--require",
      "gpu.p50 >= 70",
      "--require",
      "steps.train.p50 < 1",
      "--fail-on",
      "step_stalls",
    ),
    check("resnet50-healthy", "--require", "gpu.p50 >= 70"),
  ]);

browserSuite("gate", () => {
  test("the gate is the first section, and says each assertion", async () => {
    assert.deepEqual(
      pages().map(({ status }) => status),
      [1, 0],
    );
    await eachPage(pages(), { folded: true, javaScriptEnabled: false }, async (page, _, { result }) => {
      assert.equal(await page.locator("main > section").first().getAttribute("id"), "gate");
      const said = await page.locator("#gate .take-away, #gate .standing").allInnerTexts();
      assert.match(said.join(" "), result.gate.passed ? /Passed/u : /Failed/u);
      const rows = await page.locator("#gate tbody tr").allInnerTexts();
      assert.equal(rows.length, result.gate.assertions.length);
      for (const [at, { name, status, found }] of result.gate.assertions.entries()) {
        const row = rows[at].replace(/[\s\u00a0\u202f]+/gu, " ").toLowerCase();
        for (const part of [name, status, found])
          assert.ok(row.includes(part.replace(/[\s\u00a0\u202f]+/gu, " ").toLowerCase()), `${part} in ${row}`);
      }
    });
  });

  test("what failed stands above the verdict, with how far it is off", async () => {
    await eachPage(pages(), { folded: true, javaScriptEnabled: false }, async (page, _, { result }) => {
      const gate = page.locator(".page-head .gate");
      const verdict = await page.locator("#verdict").boundingBox();
      assert.ok((await gate.boundingBox()).y < verdict.y);
      const failed = result.gate.assertions.filter(({ status }) => status === "failed");
      assert.equal(await gate.locator("li").count(), failed.length);
      for (const [at, { name, found, value, bound }] of failed.entries()) {
        const line = gate.locator("li").nth(at);
        const text = (await line.innerText()).replaceAll("\u00a0", " ");
        for (const part of [name, found]) assert.ok(text.includes(part), `${part} in ${text}`);
        if (value === null) continue;
        // The bar ends at the value, the line stands at the bound, on one scale.
        const bar = Number(await line.locator("rect").nth(1).getAttribute("width"));
        const mark = Number(await line.locator("line").getAttribute("x1"));
        assert.ok(Math.abs(bar / mark - value / bound) < 0.01, `${bar} ${mark}`);
      }
    });
  });

  test("axe finds nothing, and nothing is wider than the page", async () => {
    await eachPage(pages(), { folded: true, bypassCSP: true }, async (page, seen, { name }) => {
      await assertAccessible(page, name, { part: "#gate", least: 5 });
    });
  });
});
