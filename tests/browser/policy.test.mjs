// Content-Security-Policy: whatever might get into the page by a mistake of ours neither runs nor loads.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { browserSuite, sampleReport, settle, withPage, writePage } from "./helper.mjs";

const policyTag = /<meta http-equiv="Content-Security-Policy"[^>]*>\n?/u;

/** A server that counts what arrives. */
async function listen() {
  const hits = [];
  const server = createServer((request, response) => {
    hits.push(request.url);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { hits, address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

const injected = (address) => `
  <script>document.title = 'pwned'</script>
  <script src="${address}/script.js"></script>
  <img src="data:image/png,broken" onerror="document.title = 'pwned'" alt="">
  <img src="${address}/image.png" alt="">
  <link rel="stylesheet" href="${address}/style.css">
  <style>@import "${address}/import.css"; h1 { background: url("${address}/background.png") }</style>
  <iframe src="${address}/frame.html"></iframe>
  <object data="${address}/object.swf"></object>`;

/** Opens a page with all that in it and tells what came of it. */
async function attack(html, name) {
  const server = await listen();
  const page = writePage(name, html.replace('<main id="main">', `<main id="main">${injected(server.address)}`));
  assert.notEqual(page.html, html, "something was injected");
  const before = (page) =>
    page.addInitScript(() => {
      window.violations = [];
      addEventListener("securitypolicyviolation", (event) => window.violations.push(event.effectiveDirective));
    });
  const outcome = {};
  try {
    await withPage(page, { before }, async (page) => {
      await settle(page);
      outcome.title = await page.title();
      outcome.violations = new Set(await page.evaluate(() => window.violations));
      outcome.hits = server.hits;
      outcome.themeWorks = await page.locator("#theme").isVisible();
    });
  } finally {
    server.close();
  }
  return outcome;
}

browserSuite("policy", () => {
  const report = () => sampleReport("resnet50-healthy");

  test("injected scripts do not run, injected addresses are not fetched", async () => {
    const outcome = await attack(report().html, "injected");
    assert.equal(outcome.title, "resnet50-healthy – debrief");
    for (const directive of [
      "script-src-elem",
      "script-src-attr",
      "img-src",
      "style-src-elem",
      "frame-src",
      "object-src",
    ])
      assert.ok(outcome.violations.has(directive), `${directive} was violated: ${[...outcome.violations]}`);
    assert.deepEqual(outcome.hits, []);
    assert.ok(outcome.themeWorks, "the page's own script runs all the same");
  });

  test("it is the policy that stops them", async () => {
    const outcome = await attack(report().html.replace(policyTag, ""), "no-policy");
    assert.equal(outcome.title, "pwned");
    assert.ok(outcome.hits.length >= 5, `fetched: ${outcome.hits}`);
  });

  test("the policy is in force before anything else of the page, and allows nothing by name", () => {
    const policy = /content="([^"]*)"/u.exec(policyTag.exec(report().html)[0])[1].replace(/&#39;|&apos;/gu, "'");
    const head = report().html.split(policyTag)[0].trim();
    assert.match(head, /^<!doctype html>\s*<html lang="en" data-job="[^"]*">\s*<head>\s*<meta charset="utf-8">$/u);
    assert.match(policy, /^default-src 'none';/u);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/u);
    assert.match(policy, /base-uri 'none'/u);
    assert.match(policy, /form-action 'none'/u);
  });
});
