import assert from "node:assert/strict";
import { test } from "node:test";
import { csvField, toCsv } from "../src/tables/csv";

test("fields are quoted where they have to be", () => {
  assert.equal(csvField("plain"), "plain");
  assert.equal(csvField('say "hi", twice'), '"say ""hi"", twice"');
  assert.equal(csvField("two\nlines"), '"two\nlines"');
});

test("control characters and marks that turn text around are shown", () => {
  assert.equal(csvField("a\u001b[31mb"), "a\\u{001b}[31mb");
  assert.equal(csvField("a\u202eb\u2066c"), "a\\u{202e}b\\u{2066}c");
  assert.equal(csvField("Zürich\u00a0−3"), "Zürich\u00a0−3");
});

test("numbers stay numbers, formulas become text", () => {
  assert.equal(csvField("-3.5"), "-3.5");
  for (const evil of ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1"]) assert.equal(csvField(evil), `'${evil}`);
  assert.equal(csvField('=HYPERLINK("http://x","y")'), `"'=HYPERLINK(""http://x"",""y"")"`);
});

test("a table has its units in the head, and nothing where nothing is known", () => {
  const heads = [
    { name: "Node", unit: "", isNumber: false },
    { name: "Time", unit: "s", isNumber: true },
  ];
  assert.equal(
    toCsv({
      heads,
      rows: [
        ["algo-1", "0.5"],
        ["algo-2", "–"],
      ],
    }),
    "Node,Time (s)\r\nalgo-1,0.5\r\nalgo-2,\r\n",
  );
});
