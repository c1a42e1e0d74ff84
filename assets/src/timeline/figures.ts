// Figures of a window, as C++ has them of the whole job.

import { exactPercent, grouped, humanDuration, inUnit, plainNumber, unknown } from "../format";
import type { Figure } from "../tables/units";
import type { PackedMetric, PackedSteps } from "./contract";
import { quantile, sorted } from "./quantile";
import type { Samples } from "./samples";
import type { Series } from "./series";
import type { Range, State } from "./state";

/** Cells by the key of their column (`data-column`); the rest as numbers, for the bar. NaN: no sample. */
export interface Figures {
  cells: Record<string, Figure>;
  min: number;
  p50: number;
  p99: number;
  max: number;
}

const shares: [string, number][] = [
  ["min", 0],
  ["p50", 0.5],
  ["p95", 0.95],
  ["p99", 0.99],
  ["max", 1],
];

const noFigure: Figure = { text: unknown, raw: null };

/** Of a row that is not on the timeline: no figure of a window is known. */
export const noFigures: Figures = {
  cells: Object.fromEntries(
    ["count", "total", "mean", ...shares.map(([name]) => name)].map((column) => [column, noFigure]),
  ),
  min: NaN,
  p50: NaN,
  p99: NaN,
  max: NaN,
};

/** The number is left out where the text is that number already. */
function figure(text: string, value: number): Figure {
  const raw = plainNumber(value);
  return { text, raw: raw === text ? null : raw };
}

const durationCell = (seconds: number): Figure => figure(humanDuration(seconds), seconds);

/** Of points that stand for several samples, the ends are those of the samples. */
function ends(series: Series, { from, to }: Range): { max?: number; min?: number } {
  if (!series.low || series.times.length === 0) return {};
  const first = series.indexAt(from);
  series.band.query(first, first + series.within(from, to).length);
  return { max: series.band.high, min: series.band.low };
}

function spread(series: Series, range: Range, words: (value: number) => Figure): Figures {
  const ordered = sorted([series.within(range.from, range.to)]);
  const exact: Record<string, number | undefined> = ends(series, range);
  const cells: Record<string, Figure> = {};
  for (const [name, share] of shares)
    cells[name] = ordered.length > 0 ? words(exact[name] ?? quantile(ordered, share)) : noFigure;
  const { min = quantile(ordered, 0), max = quantile(ordered, 1) } = exact;
  return { cells, min, p50: quantile(ordered, 0.5), p99: quantile(ordered, 0.99), max };
}

/** A row of the table of system usage. */
export async function usageFigures(samples: Samples, packed: PackedMetric, range: Range): Promise<Figures> {
  return spread(await samples.whole(packed), range, (value) => {
    const text = inUnit(value, packed.unit);
    return packed.unit === "%" ? { text, raw: null } : figure(text, value);
  });
}

/** A row of the table of step durations, of the steps that start in the window. */
export async function stepFigures(samples: Samples, packed: PackedSteps, range: Range): Promise<Figures> {
  const series = await samples.steps(packed);
  const figures = spread(series, range, durationCell);
  let [count, total] = [0, 0];
  for (const value of series.within(range.from, range.to)) {
    if (value !== value) continue;
    ++count;
    total += value;
  }
  figures.cells["count"] = figure(grouped(count * series.every), count * series.every);
  figures.cells["total"] = count > 0 ? durationCell(total * series.every) : noFigure;
  figures.cells["mean"] = count > 0 ? durationCell(total / count) : noFigure;
  return figures;
}

/** What is in view, in one line. */
export async function inViewWords(
  samples: Samples,
  state: State,
  processNode: (process: string) => string,
): Promise<string> {
  const { from, to, node } = state;
  const parts: string[] = [];
  for (const metric of ["GPU", "CPU"]) {
    const nodes = samples.nodesWith(metric).filter((one) => node === "" || one.node === node);
    const all = await Promise.all(nodes.map(({ packed }) => samples.whole(packed)));
    const median = quantile(sorted(all.map((series) => series.within(from, to))), 0.5);
    if (median === median) parts.push(`${metric} median ${exactPercent(median)}`);
  }
  const steps = samples.index.steps.filter(({ process }) => node === "" || ["", node].includes(processNode(process)));
  if (steps.length > 0) {
    const all = await Promise.all(steps.map((packed) => samples.steps(packed)));
    const ordered = sorted(all.map((series) => series.within(from, to)));
    const count = all.reduce((sum, series) => sum + series.within(from, to).length * series.every, 0);
    const about = all.some(({ every }) => every > 1) ? "about " : "";
    parts.push(`${about}${grouped(count)} ${count === 1 ? "step" : "steps"}`);
    if (ordered.length > 0) parts.push(`median step ${humanDuration(quantile(ordered, 0.5))}`);
  }
  return parts.length > 0 ? `In view: ${parts.join(", ")}.` : "";
}
