// Colors by meaning are told apart by everyone, on both papers. Color blindness as Machado, Oliveira and Fernandes (2009)
// simulate it at its full severity; differences as CIE76 measures them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

type Triple = readonly [number, number, number];

const identity: readonly Triple[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const views: Readonly<Record<string, readonly Triple[]>> = {
  all: identity,
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

function parse(color: string): Triple {
  const digits = color.length === 4 ? color.slice(1).replace(/./gu, "$&$&") : color.slice(1);
  const [red, green, blue] = [0, 2, 4].map((at) => linear(parseInt(digits.slice(at, at + 2), 16) / 255));
  return [red!, green!, blue!];
}

const times = (rows: readonly Triple[], [a, b, c]: Triple): Triple =>
  rows.map(([x, y, z]) => x * a + y * b + z * c) as unknown as Triple;

function lab(color: Triple): Triple {
  const white: Triple = [0.95047, 1, 1.08883];
  const [x, y, z] = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    color.map((part) => Math.min(1, Math.max(0, part))) as unknown as Triple,
  ).map((part, at) => {
    const ratio = part / white[at]!;
    return ratio > 0.008856 ? Math.cbrt(ratio) : 7.787 * ratio + 16 / 116;
  }) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (a: Triple, b: Triple): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

function contrast(a: Triple, b: Triple): number {
  const [low, high] = [a, b]
    .map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
    .sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const folder = join(process.cwd(), "src");
const style = readFileSync(join(folder, "tokens.css"), "utf8");
const token = (name: string): [string, string] => {
  const found = new RegExp(`--${name}: light-dark\\((#[\\da-f]+), (#[\\da-f]+)\\)`, "u").exec(style);
  assert.ok(found, `tokens.css has --${name} for both themes`);
  return [found[1]!, found[2]!];
};
const meanings = ["compute", "data", "disk", "communication", "launch", "copy", "between", "startup", "model", "idle"];

for (const [theme, words] of ["light", "dark"].entries())
  test(`any two meanings differ by Delta E 12 or more, ${words}`, () => {
    for (const [view, rows] of Object.entries(views))
      for (const [at, first] of meanings.entries())
        for (const second of meanings.slice(at + 1)) {
          const [a, b] = [first, second].map((name) => lab(times(rows, parse(token(name)[theme]!)))) as [
            Triple,
            Triple,
          ];
          assert.ok(distance(a, b) >= 12, `${first} and ${second}, ${view}: ${distance(a, b).toFixed(1)}`);
        }
  });

for (const [theme, words] of ["light", "dark"].entries())
  test(`marks have 3:1 against the paper, ${words}`, () => {
    const paper = parse(token("paper")[theme]!);
    for (const name of meanings.filter((one) => one !== "idle"))
      // which stands for nothing, and has words beside it
      assert.ok(contrast(parse(token(name)[theme]!), paper) >= 3, name);
  });

/** By meaning: the words' color, as upon() in svg.cpp chooses it, in the light and the dark theme. */
const upon: Readonly<Record<string, [string, string]>> = Object.fromEntries(
  meanings.map((name): [string, [string, string]] => {
    if (name === "startup" || name === "idle") return [name, ["#16191d", "#fff"]];
    if (name === "disk" || name === "model") return [name, ["#fff", "#fff"]];
    if (name === "copy") return [name, ["#16191d", "#16191d"]];
    return [name, token("paper")];
  }),
);

for (const [theme, words] of ["light", "dark"].entries())
  test(`words upon marks have 4.5:1, ${words}`, () => {
    for (const [name, color] of Object.entries(upon)) {
      const ratio = contrast(parse(token(name)[theme]!), parse(color[theme]!));
      assert.ok(ratio >= 4.5, `${name}: ${ratio.toFixed(2)}`);
    }
  });

test("red is severity only: no meaning is near it", () => {
  for (const theme of [0, 1] as const)
    for (const name of meanings)
      assert.ok(distance(lab(parse(token(name)[theme])), lab(parse(token("alarm")[theme]))) >= 20, name);
});

test("C++ draws with the light theme's colors", () => {
  const drawn = readFileSync(join(folder, "../../src/chart/meaning.h"), "utf8");
  for (const name of meanings) assert.ok(drawn.includes(`{"c-${name}", "${token(name)[0]}"}`), name);
});
