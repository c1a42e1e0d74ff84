// Values and times of training curves in words.

import { grouped } from "../format";

/** A value in as many digits as tell training losses apart: "1.982", "3.2e-5". */
export function scalarWords(value: number): string {
  if (!Number.isFinite(value)) return "NaN or infinite";
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-3 || size >= 1e6))
    return value
      .toExponential(3)
      .replace(/\.?0+e/u, "e")
      .replace("e+", "e");
  if (size >= 1000) return value < 0 ? `-${grouped(Math.round(size))}` : grouped(Math.round(size));
  return String(Number(value.toPrecision(4)));
}

/** "250 ms", "40 s", "5 min", "3 h", as exact as ticks `step` milliseconds apart need. */
export function elapsedLabel(milliseconds: number, step: number): string {
  if (milliseconds === 0) return "0";
  const units: [number, string][] = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
    [1000, "s"],
  ];
  const [length, unit] = units.find(([one]) => step >= one && milliseconds % one === 0) ?? [1, "ms"];
  return `${grouped(milliseconds / length)} ${unit}`;
}
