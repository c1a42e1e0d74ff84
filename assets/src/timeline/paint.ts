// Draws samples onto a canvas: each where there is room, else the least and the greatest of each column of pixels.

import { Bitmap, pixelColor } from "./bitmap";
import { color } from "./colors";
import type { Series } from "./series";

/** Pixels of a canvas and what they stand for. */
export interface Frame {
  context: CanvasRenderingContext2D;
  left: number;
  top: number;
  width: number;
  height: number;
  from: number;
  to: number;
  x(time: number): number;
  y(value: number): number;
  ratio: number; // canvas pixels per CSS pixel
}

export interface Line {
  name: string;
  series: Series;
  color: () => string;
  dashed: boolean;
}

/** Least and greatest, column by column; `pen` 0 begins anew after a gap. */
interface Columns {
  x: number[];
  low: number[];
  high: number[];
  pen: number[];
  single: boolean; // each is a sample of its own
}

function columns(series: Series, banded: boolean, frame: Frame): Columns {
  const { times, gap } = series;
  const pyramid = banded ? series.band : series.pyramid;
  const first = Math.max(0, series.indexAt(frame.from) - 1);
  const last = Math.min(times.length, series.indexAt(frame.to) + 1);
  const out: Columns = { x: [], low: [], high: [], pen: [], single: last - first <= frame.width / (2 * frame.ratio) };
  let joins = 0;
  const add = (begin: number, end: number, x: number): void => {
    if (begin > 0 && times[begin]! - times[begin - 1]! > gap) joins = 0;
    pyramid.query(begin, end);
    if (pyramid.low !== pyramid.low) {
      joins = 0;
      return;
    }
    out.x.push(x);
    out.low.push(pyramid.low);
    out.high.push(pyramid.high);
    out.pen.push(joins);
    joins = 1;
  };
  if (out.single) {
    for (let at = first; at < last; ++at) add(at, at + 1, frame.x(times[at]!));
    return out;
  }
  const perColumn = (frame.to - frame.from) / frame.width;
  let begin = first;
  for (let column = 0; column <= frame.width && begin < last; ++column) {
    const end = column === frame.width ? last : Math.min(last, series.indexAt(frame.from + (column + 1) * perColumn));
    if (end > begin) add(begin, end, frame.left + column + 0.5);
    begin = end;
  }
  return out;
}

function paintBand(frame: Frame, series: Series, fill: string): void {
  const { context } = frame;
  const { x, low, high, pen } = columns(series, true, frame);
  context.fillStyle = fill;
  context.globalAlpha = 0.22;
  for (let begin = 0; begin < x.length;) {
    let end = begin + 1;
    while (end < x.length && pen[end] === 1) ++end;
    context.beginPath();
    for (let at = begin; at < end; ++at) context.lineTo(x[at]!, frame.y(high[at]!));
    for (let at = end - 1; at >= begin; --at) context.lineTo(x[at]!, frame.y(low[at]!));
    context.fill();
    begin = end;
  }
  context.globalAlpha = 1;
}

/** Lines with room for their samples: strokes, and dots where they are few. */
function stroke(frame: Frame, line: Line, { x, low, pen }: Columns): void {
  const { context, ratio } = frame;
  context.strokeStyle = context.fillStyle = line.color();
  context.lineWidth = 1.25 * ratio;
  context.lineJoin = "bevel";
  context.setLineDash(line.dashed ? [6 * ratio, 3 * ratio] : []);
  context.beginPath();
  for (let at = 0; at < x.length; ++at) {
    if (pen[at] === 0) context.moveTo(x[at]!, frame.y(low[at]!));
    else context.lineTo(x[at]!, frame.y(low[at]!));
  }
  context.stroke();
  context.setLineDash([]);
  const few = x.length < frame.width / (10 * ratio);
  for (let at = 0; at < x.length; ++at) {
    const alone = pen[at] === 0 && (at + 1 === x.length || pen[at + 1] === 0); // between gaps it has no line to be seen by
    if (!few && !alone) continue;
    context.beginPath();
    context.arc(x[at]!, frame.y(low[at]!), (few ? 2.5 : 1) * ratio, 0, 7);
    context.fill();
  }
}

/** Lines of more samples than strokes are quick for: each column of pixels from its least to its greatest. */
function fillColumns(frame: Frame, line: Line, { x, low, high, pen }: Columns, bitmap: Bitmap): void {
  const fill = pixelColor(line.color());
  const thick = Math.max(1, Math.round(1.25 * frame.ratio));
  const dash = 9 * frame.ratio;
  const span = (column: number, from: number, to: number): void => {
    if (line.dashed && column % dash >= (dash * 2) / 3) return;
    // A line on the edge, at 0 % or 100 %, keeps its whole width.
    const row = (at: number): number => Math.max(0, Math.min(Math.round(at) - (thick >> 1), bitmap.height - thick));
    const top = row(Math.min(from, to));
    bitmap.fill(column, top, 1, row(Math.max(from, to)) + thick - top, fill);
  };
  let last = { column: 0, top: 0, bottom: 0 };
  for (let at = 0; at < x.length; ++at) {
    const now = {
      column: Math.floor(x[at]! - frame.left),
      top: frame.y(high[at]!) - frame.top,
      bottom: frame.y(low[at]!) - frame.top,
    };
    const steps = now.column - last.column;
    if (pen[at] === 0) span(now.column, now.top, now.bottom);
    else if (steps <= 1) span(now.column, Math.min(now.top, last.bottom), Math.max(now.bottom, last.top));
    else {
      const [from, to] = [(last.top + last.bottom) / 2, (now.top + now.bottom) / 2];
      for (let step = 1; step <= steps; ++step)
        span(last.column + step, from + ((to - from) * (step - 1)) / steps, from + ((to - from) * step) / steps);
      span(now.column, now.top, now.bottom);
    }
    last = now;
  }
}

/** More lines than this are not worth smooth strokes. */
const mostStrokes = 12;

export function paintLines(frame: Frame, lines: readonly Line[]): void {
  let bitmap: Bitmap | undefined;
  for (const line of lines) {
    if (line.series.low) paintBand(frame, line.series, line.color());
    const found = columns(line.series, false, frame);
    if (found.single && lines.length <= mostStrokes) stroke(frame, line, found);
    else fillColumns(frame, line, found, (bitmap ??= new Bitmap(Math.ceil(frame.width), Math.ceil(frame.height))));
  }
  bitmap?.show(frame.context, frame.left, frame.top);
}

/**
 * One dot per step, with a bar from least to greatest where it stands for several. Where dots of several series lie on
 * each other, each has every so many columns to itself, so that none is hidden.
 */
export function paintDots(frame: Frame, lines: readonly Line[]): void {
  const bitmap = new Bitmap(Math.ceil(frame.width), Math.ceil(frame.height));
  const size = Math.max(2, Math.round(3 * frame.ratio));
  const half = size >> 1;
  const paint = (line: Line, isOnTop: (x: number) => boolean): void => {
    const { times, values, low, high } = line.series;
    const fill = pixelColor(line.color());
    for (let at = line.series.indexAt(frame.from); at < times.length && times[at]! <= frame.to; ++at) {
      const x = Math.round(frame.x(times[at]!) - frame.left);
      if (!isOnTop(x)) continue;
      const y = Math.round(frame.y(values[at]!) - frame.top);
      if (low && high) {
        const top = Math.round(frame.y(high[at]!) - frame.top);
        bitmap.fill(x, top, 1, Math.round(frame.y(low[at]!) - frame.top) - top, fill);
      }
      bitmap.fill(x - half, y - half, size, size, fill);
    }
  };
  for (const line of lines) paint(line, () => true);
  if (lines.length > 1) lines.forEach((line, turn) => paint(line, (x) => Math.floor(x / size) % lines.length === turn));
  bitmap.show(frame.context, frame.left, frame.top);
}

/** Rings around outlying steps: a shape of their own, so that color is not all that marks them. */
export function paintRings(frame: Frame, points: readonly { time: number; value: number }[]): void {
  const { context, ratio } = frame;
  const radius = 5 * ratio;
  const size = Math.ceil(2 * radius + 2 * ratio);
  const ring = document.createElement("canvas");
  ring.width = ring.height = size;
  const drawn = ring.getContext("2d");
  if (!drawn) return;
  drawn.strokeStyle = color("alarm");
  drawn.lineWidth = 1.5 * ratio;
  drawn.arc(size / 2, size / 2, radius, 0, 7);
  drawn.stroke();
  const taken = new Set<number>(); // rings that would lie on each other are drawn once
  for (const { time, value } of points) {
    if (time < frame.from || time > frame.to) continue;
    const [x, y] = [Math.round(frame.x(time)), Math.round(frame.y(value))];
    const place = (x >> 1) * 65536 + (y >> 1);
    if (taken.has(place)) continue;
    taken.add(place);
    context.drawImage(ring, x - size / 2, y - size / 2);
  }
}
