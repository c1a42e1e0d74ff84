// Draws a step onto a canvas. Slices that are too narrow to be told apart become one mark, so a frame costs no more
// than there are pixels.

import { fixed, humanDuration } from "../format";
import { color } from "../timeline/colors";
import { niceValues } from "../timeline/ticks";
import type { Names, Step } from "./decode";
import type { Gap } from "./gaps";
import { axisHeight, rowHeight, type Layout, type Row } from "./layout";

/** Of what is neither an operator nor work of a GPU; as src/render/sections/trace/one_step.cpp has them. */
const kindColors: Readonly<Record<string, string>> = {
  annotation: "ink",
  module: "rest",
  runtime: "launch",
  overhead: "quiet",
};

/** By what it is for; as src/render/parts/category_words.cpp has them. */
const categoryColors: Readonly<Record<string, string>> = {
  gemm: "compute",
  attention: "model",
  convolution: "between",
  normalization: "disk",
  elementwise: "data",
  reduction: "pale",
  embedding: "startup",
  communication: "communication",
  copy: "copy",
  other: "idle",
};

/** On these, words are in ink. */
const lightColors = new Set(["rest", "pale", "idle"]);

export const lookOf = (names: Names, name: number): string =>
  kindColors[names.kinds[name] ?? ""] ?? categoryColors[names.categories[name] ?? ""] ?? "idle";

export interface Scene {
  step: Step;
  names: Names;
  layout: Layout;
  from: number;
  to: number;
  scrolled: number;
  width: number;
  height: number;
  selected: number; // -1: none
  /** Of each name, whether it is looked for; null: nothing is. */
  found: readonly boolean[] | null;
  /** Whether only the critical path stands out. */
  critical: boolean;
  arrows: readonly (readonly [number, number])[];
  gaps: readonly Gap[];
  /** What was dragged over; null: nothing. */
  range: Gap | null;
}

const barHeight = rowHeight - 1;
const narrow = 1; // pixels below which slices are joined
const fontOf = (weight: string): string => `${weight}11px system-ui, sans-serif`;

/** Moments of an axis, with as many decimals as tell them apart. */
export function axisTicks(from: number, to: number, count: number): { time: number; label: string }[] {
  const times = niceValues(from, to, count);
  const [unit, name] = to >= 2e9 ? [1e9, "s"] : to >= 2e6 ? [1e6, "ms"] : [1e3, "µs"];
  const apart = ((times[1] ?? to) - (times[0] ?? from)) / unit;
  const decimals = Math.max(0, Math.min(6, Math.ceil(-Math.log10(apart) - 1e-9)));
  return times.map((time) => ({ time, label: `${fixed(time / unit, decimals)} ${name}` }));
}

export function paint(context: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, from, to, scrolled, width, height, step } = scene;
  const scale = width / (to - from);
  const x = (time: number): number => (time - from) * scale;
  context.clearRect(0, 0, width, height);
  context.textBaseline = "middle";
  context.font = fontOf("");
  const ticks = axisTicks(from, to, Math.max(2, width / 110));
  context.fillStyle = color("grid");
  for (const { time } of ticks) context.fillRect(Math.round(x(time)), axisHeight, 1, height);
  context.save();
  context.translate(0, -scrolled);
  const characters = context.measureText("abcdefghijklmnop_:").width / 18;
  for (const row of layout.rows)
    if (row.top + rowHeight > scrolled && row.top < scrolled + height) paintRow(context, scene, row, x, characters);
  paintGaps(context, scene, x);
  context.fillStyle = color("ink");
  if (step.length < step.end)
    for (let y = axisHeight; y < layout.height; y += 6) context.fillRect(x(step.length), y, 1, 3);
  paintArrows(context, scene, x);
  if (scene.selected >= 0) {
    context.lineWidth = 2;
    context.strokeStyle = color("ink");
    const left = x(step.starts[scene.selected]!);
    context.strokeRect(
      left - 1,
      layout.top(scene.selected) - 1,
      Math.max(2, x(step.ends[scene.selected]!) - left) + 2,
      barHeight + 2,
    );
  }
  context.font = fontOf("600 ");
  context.fillStyle = color("quiet");
  for (const { name, top } of layout.heads) context.fillText(name, 2, top + 10);
  context.restore();
  if (scene.range) {
    const [left, right] = [x(scene.range.from), x(scene.range.to)];
    context.globalAlpha = 0.15;
    context.fillStyle = color("s0");
    context.fillRect(left, axisHeight, right - left, height);
    context.globalAlpha = 1;
    for (const edge of [left, right]) context.fillRect(Math.round(edge), axisHeight, 1, height);
  }
  paintAxis(context, ticks, x, width);
}

/** Hatched, on the first row of each of the step's own streams; their length on the first stream, where there is room. */
function paintGaps(context: CanvasRenderingContext2D, scene: Scene, x: (time: number) => number): void {
  const { layout, step, gaps, width } = scene;
  let named = false; // of one stream; the others' gaps are the same
  step.tracks.forEach((track, number) => {
    const row = layout.firstRow(number);
    if (!track.gpu || track.other || !row) return;
    for (const { from, to } of gaps) {
      const [left, right] = [Math.max(0, x(from)), Math.min(width, x(to))];
      if (right - left < 2) continue;
      context.save();
      context.beginPath();
      context.rect(left, row.top, right - left, barHeight);
      context.clip();
      context.fillStyle = color("band");
      context.fillRect(left, row.top, right - left, barHeight);
      context.strokeStyle = color("startup");
      context.lineWidth = 1;
      context.beginPath();
      for (let at = left - barHeight; at < right; at += 6) {
        context.moveTo(at, row.top + barHeight);
        context.lineTo(at + barHeight, row.top);
      }
      context.stroke();
      const words = humanDuration((to - from) / 1e9);
      const room = context.measureText(words).width;
      if (!named && room + 12 < right - left) {
        const middle = (left + right) / 2;
        context.fillStyle = color("paper");
        context.fillRect(middle - room / 2 - 4, row.top, room + 8, barHeight);
        context.fillStyle = color("ink");
        context.fillText(words, middle - room / 2, row.top + barHeight / 2 + 0.5);
      }
      context.restore();
    }
    named = true;
  });
}

function paintAxis(
  context: CanvasRenderingContext2D,
  ticks: readonly { time: number; label: string }[],
  x: (time: number) => number,
  width: number,
): void {
  context.fillStyle = color("paper");
  context.fillRect(0, 0, width, axisHeight);
  context.font = fontOf("");
  context.fillStyle = color("quiet");
  for (const { time, label } of ticks) {
    const room = context.measureText(label).width;
    context.fillText(label, Math.max(0, Math.min(x(time) - room / 2, width - room)), axisHeight / 2);
  }
}

function paintRow(
  context: CanvasRenderingContext2D,
  scene: Scene,
  row: Row,
  x: (time: number) => number,
  characters: number,
): void {
  const { step, names, layout, found, from, to, width } = scene;
  const mark = (left: number, right: number, name: number, isFound: boolean): void => {
    context.globalAlpha = isFound ? 1 : 0.2;
    context.fillStyle = color(lookOf(names, name));
    context.fillRect(left, row.top, Math.max(0.5, right - left), barHeight);
  };
  let run: { left: number; right: number; name: number; isFound: boolean } | null = null;
  const end = (): void => {
    if (run) mark(run.left, run.right, run.name, run.isFound);
    run = null;
  };
  for (let place = layout.after(row, from); place < row.slices.length; ++place) {
    const slice = row.slices[place]!;
    if (step.starts[slice]! > to) break;
    const name = step.name[slice]!;
    const isFound = (found?.[name] ?? true) && (!scene.critical || step.critical[slice] === 1);
    const [left, right] = [Math.max(-1, x(step.starts[slice]!)), Math.min(width + 1, x(step.ends[slice]!))];
    if (right - left < narrow) {
      if (run && left - run.right < 0.5) {
        run.right = Math.max(run.right, right);
        if (isFound && !run.isFound) [run.name, run.isFound] = [name, true];
      } else {
        end();
        run = { left, right, name, isFound };
      }
      continue;
    }
    end();
    mark(left, right - (right - left > 3 ? 0.5 : 0), name, isFound);
    const room = Math.floor((right - left - 6) / characters);
    if (room < 3) continue;
    const text = names.labels[name] ?? "";
    context.fillStyle = color(lightColors.has(lookOf(names, name)) ? "ink" : "paper");
    context.fillText(
      text.length > room ? `${text.slice(0, room - 1)}…` : text,
      left + 3,
      row.top + barHeight / 2 + 0.5,
    );
  }
  end();
  context.globalAlpha = 1;
}

function paintArrows(
  context: CanvasRenderingContext2D,
  { step, layout, arrows }: Scene,
  x: (time: number) => number,
): void {
  context.strokeStyle = context.fillStyle = color("ink");
  context.lineWidth = 1.25;
  for (const [call, work] of arrows) {
    const [fromX, fromY] = [x((step.starts[call]! + step.ends[call]!) / 2), layout.top(call) + barHeight];
    const [toX, toY] = [x(step.starts[work]!), layout.top(work)];
    const bend = Math.max(20, (toY - fromY) / 2);
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.bezierCurveTo(fromX, fromY + bend, toX, toY - bend, toX, toY - 4);
    context.stroke();
    context.beginPath();
    context.moveTo(toX, toY);
    context.lineTo(toX - 3.5, toY - 6);
    context.lineTo(toX + 3.5, toY - 6);
    context.fill();
  }
}
