import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownText, toMarkdown } from "../src/tables/markdown";

test("what Markdown would take for itself is escaped", () => {
  assert.equal(markdownText("a|b\\c"), "a\\|b\\\\c");
  assert.equal(markdownText("<b>&lt;</b>"), "\\<b\\>\\&lt;\\</b\\>");
  assert.equal(markdownText("*a* _b_ `c` [d](e) ~f~ $g$"), "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\~f\\~ \\$g\\$");
  assert.equal(markdownText("two\nlines"), "two lines");
});

test("columns of numbers are aligned to the right", () => {
  const heads = [
    { name: "Node", unit: "", isNumber: false },
    { name: "Time", unit: "s", isNumber: true },
  ];
  assert.equal(toMarkdown({ heads, rows: [["a|b", "0.5"]] }), "| Node | Time (s) |\n| --- | ---: |\n| a\\|b | 0.5 |\n");
});
