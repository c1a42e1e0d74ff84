// Whether what a page shows is a value of the result, as near as its format can be.

import assert from "node:assert/strict";
import { figure } from "./tables.mjs";

/** Shown with two decimals, and that near to the value. */
export function assertTwoDecimals(shown, value, what) {
  if (value === null) return assert.equal(shown, "–", what);
  assert.match(shown, /^-?\d+\.\d\d$/u, what);
  assert.ok(Math.abs(Number(shown) - value) <= 0.005 + 1e-6, `${what}: ${shown} for ${value}`);
}

/** Shown with three digits and a unit. */
export function assertThreeDigits(shown, value, what, least = 0) {
  if (value === null) return assert.equal(shown, "–", what);
  const near = Math.max(Math.abs(value) * 0.005, least) + 1e-9;
  assert.ok(Math.abs(figure(shown) - value) <= near, `${what}: ${shown} for ${value}`);
}

/** Bytes have no decimals. */
export const assertBytes = (shown, value, what) => assertThreeDigits(shown, value, what, 0.5);

/** A duration from a minute on is shown in whole units, so it may be off by half the smallest. */
export function assertDuration(shown, value, what) {
  if (value === null || value < 59.95) return assertThreeDigits(shown, value, what);
  const unit = { s: 1, min: 60, h: 3600 }[/[a-z]+$/u.exec(shown)?.[0]];
  assert.ok(Math.abs(figure(shown) - value) <= unit, `${what}: ${shown} for ${value}`);
}

export function assertCount(shown, value, what) {
  assert.match(shown, /^\d{1,3}(,\d{3})*$/u, what);
  assert.equal(figure(shown), value, what);
}

/** A count that may be unknown. */
export function assertCountOrUnknown(shown, value, what) {
  if (value === null) return assert.equal(shown, "–", what);
  assertCount(shown, value, what);
}

/** The rows of the tables whose captions begin so, those folded away too; none where the result has none. */
export function rowsOf(tables, caption, expected) {
  const rows = tables.filter((one) => one.caption.startsWith(caption)).flatMap((one) => one.rows);
  assert.equal(rows.length, expected.length, caption);
  return rows;
}

/** What the column of a statistic is called: "p95", "Mean". */
export const headOf = (key) => (/^p\d/u.test(key) ? key : key[0].toUpperCase() + key.slice(1));

/** A cell whose column is left out where nothing of it is known. */
export const cellOf = (row, head) => row[head] ?? "–";
