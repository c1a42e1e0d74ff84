import assert from "node:assert/strict";
import { test } from "node:test";
import type { Index, Packed } from "../src/timeline/contract";
import { nodeOf } from "../src/timeline/contract";
import { inflate, unpack, unpackSmall } from "../src/timeline/decode";
import { Samples } from "../src/timeline/samples";
import { Packer } from "./packed";

test("bytes lie in planes, differences wrap, and the greatest value is no sample", async () => {
  const packer = new Packer();
  const plain = packer.add([0, 200, null, 7], 1, 0, 0.5);
  const deltas = packer.add([1000, 500, 65534, null, 3], 2, 1, 0.01);
  const times = packer.add([0, 4_000_000_000, 4_000_000_001], 4, 1, 1);
  const bytes = await inflate(packer.base64());
  assert.deepEqual([...unpackSmall(bytes, plain)], [0, 100, NaN, 3.5]);
  assert.deepEqual(
    [...unpackSmall(bytes, deltas)].map((value) => Math.round(value * 100)),
    [1000, 500, 65534, NaN, 3],
  );
  assert.deepEqual([...unpack(bytes, times)], [0, 4_000_000_000, 4_000_000_001]);
});

test("scale 0 is logarithmic", async () => {
  const packer = new Packer();
  const packed = packer.add([0, 1600, 16000, 48000], 2, 0, 0);
  const values = unpackSmall(await inflate(packer.base64()), packed);
  assert.deepEqual([...values], [0, 1, 1023, 2 ** 30 - 1].map(Math.fround));
});

test("arrays outside their block and streams cut short are refused", async () => {
  const bytes = new Uint8Array(10);
  for (const packed of [
    [0, 11, 1, 0, 1],
    [8, 2, 2, 0, 1],
    [-1, 1, 1, 0, 1],
    [0, 1, 3, 0, 1],
  ] as Packed[])
    assert.throws(() => unpackSmall(bytes, packed), RangeError);
  const packer = new Packer();
  packer.add(
    Array.from({ length: 1000 }, (_, at) => (at * 7919) % 251),
    1,
    0,
    1,
  );
  const whole = Buffer.from(packer.base64(), "base64");
  await assert.rejects(inflate(whole.subarray(0, whole.length / 2).toString("base64")));
  await assert.rejects(inflate("not base64!"));
});

test("a block is unpacked when it is asked for, and once", async () => {
  const blocks = [new Packer(), new Packer()];
  const index: Index = {
    start: 0,
    end: 2000,
    duration: 2,
    steps: [],
    phases: [],
    incidents: [],
    thinned: [],
    nodes: [
      {
        name: "algo-1",
        metrics: [
          {
            metric: "CPU",
            unit: "%",
            every: 1,
            block: 0,
            times: blocks[0]!.add([0, 500, 1000], 4, 1, 1),
            mean: blocks[0]!.add([10, 20, 30], 1, 0, 0.5),
            devices: {
              every: 2,
              block: 1,
              names: ["cpu0"],
              times: blocks[1]!.add([0, 1000], 4, 1, 1),
              mean: [blocks[1]!.add([10, 20], 1, 0, 1)],
              min: [blocks[1]!.add([5, 15], 1, 0, 1)],
              max: [blocks[1]!.add([50, 60], 1, 0, 1)],
            },
          },
        ],
      },
    ],
  };
  const asked: number[] = [];
  const samples = new Samples(index, (block) => {
    asked.push(block);
    return blocks[block]!.base64();
  });
  const packed = samples.metric("algo-1", "CPU")!;
  assert.deepEqual([...(await samples.whole(packed)).values], [5, 10, 15]);
  await samples.whole(packed);
  assert.deepEqual(asked, [0]);
  const [device] = await samples.devices(packed);
  assert.deepEqual([...device!.high!], [50, 60]);
  assert.equal(device!.every, 2);
  assert.deepEqual(asked, [0, 1]);
  assert.equal(samples.metric("algo-2", "CPU"), undefined);
});

test("a process belongs to the node with the longest name that begins it", () => {
  const nodes = ["algo-1", "algo-12", "algo"].map((name) => ({ name, metrics: [] }));
  const index = { nodes } as unknown as Index;
  assert.equal(nodeOf(index, "algo-12-27"), "algo-12");
  assert.equal(nodeOf(index, "algo-1"), "algo-1");
  assert.equal(nodeOf(index, "algo-123"), "algo");
  assert.equal(nodeOf(index, "worker"), "");
});
