import assert from "node:assert/strict";
import { test } from "node:test";
import { formatHash, parseHash } from "../src/shell/permalink";

test("a section alone", () => {
  assert.deepEqual(parseHash("#steps"), { id: "steps", timeline: null });
  assert.deepEqual(parseHash(""), { id: "", timeline: null });
  assert.equal(formatHash({ id: "steps", timeline: null }), "#steps");
});

test("a stretch of time and a node, in seconds and there and back", () => {
  const place = { id: "timeline", timeline: { from: 1500, to: 61_900, node: "algo-1 & <b>=x</b>..#%" } };
  const hash = formatHash(place);
  assert.ok(hash.startsWith("#timeline&t=1.5..61.9&node="), hash);
  assert.deepEqual(parseHash(hash), place);
  const all = { id: "", timeline: { from: 0, to: 1, node: "" } };
  assert.equal(formatHash(all), "#&t=0..0.001");
  assert.deepEqual(parseHash("#&t=0..0.001"), all);
});

test("what is no stretch of time is left out", () => {
  for (const t of [
    "",
    "1",
    "1..",
    "..2",
    "2..1",
    "1..1",
    "a..b",
    "-1..2",
    "1e9..2e9",
    "Infinity..NaN",
    "0x1..0x2",
    "1..2..3",
  ])
    assert.equal(parseHash(`#steps&t=${t}`).timeline, null, t);
});

test("what cannot be decoded is left out", () => {
  assert.equal(parseHash("#%E0%A4%A").id, "");
  assert.deepEqual(parseHash("#x&t=1..2&node=%E0%A4%A").timeline, { from: 1000, to: 2000, node: "" });
});

test("what One step shows: a step, a window in milliseconds, a slice", () => {
  const place = {
    id: "one-step",
    timeline: null,
    step: { step: "23~rank 0 & <b>", from: 1.25, to: 3.000001, selected: 17 },
  };
  const hash = formatHash(place);
  assert.ok(hash.endsWith("&s=1.25..3.000001&sel=17"), hash);
  assert.deepEqual(parseHash(hash), place);
  const whole = { id: "one-step", timeline: null, step: { step: "trace~x" } };
  assert.deepEqual(parseHash(formatHash(whole)), whole);
  assert.deepEqual(parseHash("#one-step&step=1~x&s=a..b&sel=-1"), { ...whole, step: { step: "1~x" } });
});
