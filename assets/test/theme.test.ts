import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTheme, parseTheme } from "../src/shell/theme";

test("themes go round", () => {
  assert.equal(nextTheme("auto"), "light");
  assert.equal(nextTheme("light"), "dark");
  assert.equal(nextTheme("dark"), "auto");
});

test("what is stored is not trusted", () => {
  assert.equal(parseTheme("dark"), "dark");
  assert.equal(parseTheme(null), "auto");
  assert.equal(parseTheme("__proto__"), "auto");
});
