// The pages are valid HTML; and what a page repeats can be left out (markup.mjs) without hiding a mistake.

import assert from "node:assert/strict";
import { test } from "node:test";
import { allReports, browserSuite, sampleReport } from "./helper.mjs";
import { withoutRepeats } from "./markup.mjs";
import { mistakes, mistakesOf } from "./valid.mjs";

/** The page with one thing wrong, at the last place that looks like this. */
function broken(html, place, put) {
  const at = html.lastIndexOf(place, html.indexOf("<script", html.indexOf("</main>")));
  assert.ok(at > 0, place);
  return html.slice(0, at) + put + html.slice(at + place.length);
}

const wrong = [
  ["no-implicit-close", "</td></tr>", "</tr>"],
  ["parser-error", "</svg>", ""],
  ["no-dup-attr", '<td class="words"', '<td class="words" class="words"'],
  ["no-dup-id", '<td class="words"', '<td id="main" class="words"'],
  ["no-raw-characters", "</td></tr>", " < &</td></tr>"],
  ["element-permitted-content", "</td></tr>", "</td><p></p></tr>"],
  ["unrecognized-char-ref", "</td></tr>", "&nothing;</td></tr>"],
  ["no-missing-references", '<td class="words"', '<td aria-labelledby="nothing" class="words"'],
  ["element-name", "</td></tr>", "<strange></strange></td></tr>"],
];

browserSuite("validity", () => {
  test("every report is valid HTML", async () => {
    for (const report of allReports()) assert.deepEqual(await mistakesOf(report.html), [], report.name);
  });

  test("a page is valid with everything that repeats", async () => {
    const { html } = sampleReport("ddp-gloo-straggler");
    assert.deepEqual(await mistakes(html), []);
    const { kept, likes } = withoutRepeats(html);
    assert.ok(kept.length < html.length / 2, `${kept.length} of ${html.length}`);
    assert.deepEqual(withoutRepeats(kept).likes, likes);
    assert.ok(!withoutRepeats(html, likes).kept.includes("<section"));
  });

  test("drawings are made of closed elements", async () => {
    const { html } = sampleReport("ddp-gloo-straggler");
    for (const put of ["", "</g>", " < </text>", '<g id="x></text>'])
      assert.notEqual(withoutRepeats(broken(html, "</text>", put)).end, undefined, put);
  });

  for (const [rule, place, put] of wrong)
    test(`${rule} is found after the last ${place}`, async () => {
      const found = await mistakes(withoutRepeats(broken(sampleReport("ddp-gloo-straggler").html, place, put)).kept);
      assert.ok(
        found.some((mistake) => mistake.includes(`${rule}:`)),
        `${found}`,
      );
    });
});
