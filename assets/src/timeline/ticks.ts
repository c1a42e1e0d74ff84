// Where axes have their labels: at values that people count in.

import { fixed, humanBytes, humanDuration, clock } from "../format";

/** The least 1, 2, 2.5 or 5 times a power of ten that is at least `value`. */
export function niceCeiling(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** About `count` steps of 1, 2 or 5 times a power of ten from low to high. */
export function niceValues(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10) * power;
  const out: number[] = [];
  for (let at = Math.ceil(low / step - 1e-9) + 0; at * step <= high + step * 1e-9; ++at) out.push(at * step);
  return out;
}

/** 1, 2 and 5 times powers of ten: the powers alone where there are many, even steps within less than a decade. */
export function logValues(low: number, high: number): number[] {
  const out: number[] = [];
  const decades = Math.log10(high / low);
  if (decades < 1) return niceValues(low, high, 4);
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; ++power)
    for (const factor of decades > 2 ? [1] : [1, 2, 5]) {
      const value = factor * 10 ** power;
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) out.push(value);
    }
  return out;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const timeSteps = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  second,
  2 * second,
  5 * second,
  10 * second,
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
];

/** Moments at full seconds, minutes, hours or days, of a span since the epoch, and the step between them. */
export function timeTicks(from: number, to: number, count: number): { times: number[]; step: number } {
  const wanted = Math.max(count, 1);
  const step = timeSteps.find((one) => (to - from) / one <= wanted) ?? day * Math.ceil((to - from) / day / wanted);
  const times: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) times.push(at);
  return { times, step };
}

/** How many decimals of a second tell moments in a span apart. */
export const decimalsFor = (span: number): number => (span < 2 * second ? 3 : span < 30 * second ? 1 : 0);

export function timeLabel(time: number, step: number): string {
  if (step >= day || (step >= minute && time % day === 0)) return new Date(time).toISOString().slice(5, 10);
  if (step >= minute) return clock(time).slice(0, 5);
  return clock(time, step >= second ? 0 : step >= 100 ? 1 : 3);
}

/** Power and temperature. */
const isOfGpu = (unit: string): boolean => unit === "W" || unit === "°C";

/** What a node's line is of its devices': networks and disks have directions, which are added up. */
export const wholeWords = (unit: string): "average" | "total" =>
  unit === "B/s" || unit === "1/s" ? "total" : "average";

/** A value of an axis in its unit. */
export function valueLabel(value: number, unit: string): string {
  if (unit === "%") return `${Number(value.toFixed(1))}%`;
  if (unit === "s") return humanDuration(value);
  if (unit === "B/s") return value === 0 ? "0" : `${humanBytes(value).replace(/\.0+(?= )/u, "")}/s`;
  if (isOfGpu(unit)) return value === 0 ? "0" : `${Number(value.toPrecision(6))} ${unit}`;
  return value >= 1e6 ? `${value / 1e6} M` : value >= 1e4 ? `${value / 1e3} k` : `${Number(value.toPrecision(6))}`;
}

/** A sample in words: "45.2%", "1.25 MB/s", "210 ms". */
export function valueWords(value: number, unit: string): string {
  if (value !== value) return "no sample";
  if (unit === "s") return humanDuration(value);
  if (unit === "B/s") return `${humanBytes(value)}/s`;
  if (isOfGpu(unit)) return `${fixed(value, 0)} ${unit}`;
  return unit === "%" ? `${fixed(value, 1)}%` : `${fixed(value, 2)} ${unit}`;
}
