import assert from "node:assert/strict";
import { test } from "node:test";
import { zoomed } from "../src/charts/icicle";

test("a bar that is clicked takes the whole width, with what is inside and around it", () => {
  const to = { x: 100, width: 50 };
  assert.deepEqual(zoomed(to, to, 1000), { x: 0, width: 1000 });
  assert.deepEqual(zoomed({ x: 110, width: 10 }, to, 1000), { x: 200, width: 200 }, "inside");
  assert.deepEqual(zoomed({ x: 0, width: 400 }, to, 1000), { x: 0, width: 1000 }, "around");
  assert.equal(zoomed({ x: 150, width: 20 }, to, 1000), null, "beside");
  assert.equal(zoomed({ x: 20, width: 80 }, to, 1000), null, "before");
});
