// Draws samples onto a canvas: each where there is room, else the least and the greatest of each column of pixels.

import { colour } from "./colours";
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
  colour: () => string;
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
  const out: Columns = { x: [], low: [], high: [], pen: [], single: last - first <= 2 * frame.width };
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
  for (let begin = 0; begin < x.length; ) {
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

export function paintLine(frame: Frame, line: Line, faint: boolean): void {
  const { context, ratio } = frame;
  const stroke = line.colour();
  if (line.series.low) paintBand(frame, line.series, stroke);
  const { x, low, high, pen, single } = columns(line.series, false, frame);
  context.strokeStyle = context.fillStyle = stroke;
  context.lineWidth = (faint ? 0.75 : 1.25) * ratio;
  context.globalAlpha = faint ? 0.6 : 1;
  context.lineJoin = "round";
  context.setLineDash(line.dashed ? [6 * ratio, 3 * ratio] : []);
  context.beginPath();
  for (let at = 0; at < x.length; ++at) {
    if (pen[at] === 0) context.moveTo(x[at]!, frame.y(low[at]!));
    else context.lineTo(x[at]!, frame.y(low[at]!));
    if (high[at] !== low[at]) context.lineTo(x[at]!, frame.y(high[at]!));
  }
  context.stroke();
  context.setLineDash([]);
  const radius = single && x.length < frame.width / (10 * ratio) ? 2.5 * ratio : 0.75 * ratio;
  for (let at = 0; at < x.length; ++at) {
    const alone = pen[at] === 0 && (at + 1 === x.length || pen[at + 1] === 0);
    if (!alone && radius < 2) continue; // one sample between gaps has no line to be seen by
    context.beginPath();
    context.arc(x[at]!, frame.y(low[at]!), Math.max(radius, ratio), 0, 7);
    context.fill();
  }
  context.globalAlpha = 1;
}

/** One dot per step; a dot that would lie on another is not drawn twice. */
export function paintDots(frame: Frame, line: Line, taken: Uint8Array): void {
  const { context, ratio } = frame;
  const { times, values, low, high } = line.series;
  const size = Math.max(2, Math.round(3 * ratio));
  context.fillStyle = line.colour();
  for (let at = line.series.indexAt(frame.from); at < times.length && times[at]! <= frame.to; ++at) {
    const x = Math.round(frame.x(times[at]!) - frame.left);
    const y = Math.round(frame.y(values[at]!) - frame.top);
    if (low && high) {
      context.globalAlpha = 0.3;
      const upper = frame.y(high[at]!);
      context.fillRect(frame.left + x - ratio / 2, upper, ratio, frame.y(low[at]!) - upper);
      context.globalAlpha = 1;
    }
    const pixel = y * (frame.width + 1) + x;
    if (taken[pixel] === 1) continue;
    taken[pixel] = 1;
    context.fillRect(frame.left + x - size / 2, frame.top + y - size / 2, size, size);
  }
}

/** Rings around outlying steps: a shape of their own, so that colour is not all that marks them. */
export function paintRings(frame: Frame, points: { time: number; value: number }[]): void {
  const { context, ratio } = frame;
  context.strokeStyle = colour("alarm");
  context.lineWidth = 1.5 * ratio;
  for (const { time, value } of points) {
    if (time < frame.from || time > frame.to) continue;
    context.beginPath();
    context.arc(frame.x(time), frame.y(value), 5 * ratio, 0, 7);
    context.stroke();
  }
}
