// The page is valid HTML.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { allReports, browserSuite } from "./helper.mjs";

const validator = new HtmlValidate(new StaticConfigLoader({
  root: true,
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    "doctype-style": "off", // either case is valid; ours is the specification's own
    "long-title": "off", // advice for search engines; the title is the job's name, however long
    // The frames in which tables scroll are regions inside a section, not sections of the report.
    "prefer-native-element": ["error", { exclude: ["region"] }],
  },
}));

browserSuite("validity", () => {
  test("every report is valid HTML", async () => {
    for (const report of allReports()) {
      const { results } = await validator.validateString(report.html, report.path);
      const found = results.flatMap(({ messages }) => messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`));
      assert.deepEqual(found, [], report.name);
    }
  });

  test("the validator would find what is wrong", async () => {
    const broken = allReports()[0].html.replace("<h2 ", '<h2 id="main" id="main" ').replace("</table>", "");
    const { results } = await validator.validateString(broken);
    const rules = new Set(results[0].messages.map(({ ruleId }) => ruleId));
    for (const rule of ["no-dup-attr", "close-order"]) assert.ok(rules.has(rule), `${[...rules]}`);
  });
});
