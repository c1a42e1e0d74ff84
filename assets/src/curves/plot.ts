// One chart of training curves. uPlot gives axes, cursor and selection; the lines are drawn here, since each has steps of its own.

import uPlot from "uplot";
import { grouped, humanDuration } from "../format";
import { color, seriesColor } from "../timeline/colors";
import { make } from "../timeline/dom";
import { logValues, niceValues, timeTicks } from "../timeline/ticks";
import { hideTip, showTip } from "../timeline/tip";
import { extent, nearest, positions, smooth } from "./data";
import type { Axis, Curve } from "./data";
import { elapsedLabel, scalarWords } from "./words";

/** How every chart of the section shows its curves. */
export interface Look {
  axis: Axis;
  log: boolean | null; // null: as each was drawn at first
  smoothing: number; // 0: none; below 1
  /** What is in view on the axis; null: all. */
  range: [number, number] | null;
}

const height = 230; // CSS pixels
const smallHeight = 150;
const left = 64; // of the plot: as the drawing that it replaces
const font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
const mark = 4; // half of what marks values that are not finite, CSS pixels

interface Shown {
  curve: Curve;
  at: number[];
  values: number[];
  smoothed: number[];
  stroke: () => string;
}

export class CurvePlot {
  private readonly host = make("div", "chart");
  private plot?: uPlot;
  private shown: Shown[] = [];
  private step = 1; // between two ticks of the axis
  private isDrawnLog = false;
  private readonly height: number;

  constructor(
    private readonly figure: HTMLElement,
    private readonly curves: readonly Curve[],
    private readonly isLogAtFirst: boolean,
    private look: Look,
    private readonly select: (from: number, to: number, axis: Axis) => void,
    private readonly reset: () => void,
  ) {
    this.height = figure.classList.contains("small-chart") ? smallHeight : height;
    this.host.setAttribute("role", "img");
    this.host.setAttribute("aria-label", figure.querySelector("figcaption")?.textContent ?? "");
    figure.append(make("div", "curves-live", this.host));
    figure.dataset["curvesLive"] = "";
    // A closed section has no width; it is drawn when it gets one.
    new ResizeObserver(() => this.resize()).observe(this.host);
    figure.querySelector(".legend")?.addEventListener("click", () => this.show(this.look));
  }

  /** Curves without times keep a chart of steps where all are without. */
  get axis(): Axis {
    return this.curves.some(({ times }) => times) ? this.look.axis : "step";
  }

  private get isLog(): boolean {
    return this.look.log ?? this.isLogAtFirst;
  }

  private hiddenKeys(): Set<string> {
    const hidden = this.figure.querySelectorAll<HTMLElement>('.legend [data-key]:has([aria-pressed="false"])');
    return new Set(Array.from(hidden, (entry) => entry.dataset["key"] ?? ""));
  }

  show(look: Look): void {
    this.look = look;
    const hidden = this.hiddenKeys();
    this.shown = this.curves.flatMap((curve, index) => {
      const at = positions(curve, this.axis);
      if (!at || hidden.has(String(index))) return [];
      return [
        {
          curve,
          at,
          values: curve.values,
          smoothed: smooth(curve.values, look.smoothing),
          stroke: () => seriesColor(index),
        },
      ];
    });
    if (this.plot) this.draw();
  }

  recolor(): void {
    this.plot?.redraw(false, true);
  }

  private resize(): void {
    const width = this.host.clientWidth;
    if (width === 0) return;
    if (!this.plot) {
      this.show(this.look);
      this.plot = this.make(width);
      this.draw();
    } else if (width !== this.plot.width) this.plot.setSize({ width, height: this.height });
  }

  private xRange(): [number, number] {
    const [from, to] = extent(this.shown.flatMap(({ at }) => [at[0] ?? NaN, at[at.length - 1] ?? NaN])) ?? [0, 1];
    const asked = this.axis === this.look.axis ? this.look.range : null;
    if (!asked) return to > from ? [from, to] : [from - 1, to + 1];
    return asked;
  }

  /** Of what is in view, with a little room; on a log axis only what is above 0 counts. */
  private yRange(from: number, to: number): [number, number] {
    const log = this.isLog;
    const inView = function* (shown: Shown[]): Generator<number> {
      for (const { at, values } of shown)
        for (let point = 0; point < at.length; ++point)
          if (at[point]! >= from && at[point]! <= to && (!log || values[point]! > 0)) yield values[point]!;
    };
    const found = extent(inView(this.shown));
    if (log) {
      const [low, high] = found ?? [0.1, 1];
      const room = Math.max(1.05, (high / low) ** 0.05);
      return [low / room, high * room];
    }
    const [low, high] = found ?? [0, 1];
    const room = 0.05 * (high - low) || 0.1 * Math.abs(low) || 1;
    return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
  }

  private draw(): void {
    if (this.plot && this.isDrawnLog !== this.isLog) {
      const { width } = this.plot; // a plot keeps the kind of scale that it was made with
      this.plot.destroy();
      this.plot = this.make(width);
    }
    const { plot } = this;
    if (!plot) return;
    const [from, to] = this.xRange();
    const [low, high] = this.yRange(from, to);
    plot.batch(() => {
      plot.setScale("x", { min: from, max: to });
      plot.setScale("y", { min: low, max: high });
      plot.redraw(false, true);
    });
  }

  private splits(min: number, max: number, width: number): number[] {
    if (this.axis === "step") return niceValues(min, max, width / 110).filter((value) => Number.isInteger(value));
    const { times, step } = timeTicks(min, max, width / 110);
    this.step = step;
    return times;
  }

  private make(width: number): uPlot {
    this.isDrawnLog = this.isLog;
    const given: uPlot.Range.Function = (_, min, max) => [min, max];
    const axis = {
      font,
      labelFont: font,
      stroke: () => color("quiet"),
      grid: { stroke: () => color("grid"), width: 1 },
      ticks: { show: false },
    };
    const plot = new uPlot(
      {
        width,
        height: this.height,
        padding: [8, 34, 0, 0],
        legend: { show: false },
        select: { show: true, left: 0, top: 0, width: 0, height: 0 },
        cursor: {
          y: false,
          points: { show: false },
          drag: { x: true, y: false, setScale: false, dist: 4 },
          bind: { dblclick: () => () => (this.reset(), null) },
        },
        scales: {
          x: { time: false, auto: false, range: given, min: 0, max: 1 },
          y: { auto: false, range: given, min: 0.1, max: 1, distr: this.isLog ? 3 : 1 },
        },
        axes: [
          {
            ...axis,
            size: 24,
            gap: 4,
            label: "",
            labelSize: 14,
            splits: (self, _, min, max) => this.splits(min, max, self.width),
            values: (_, splits) =>
              splits.map((value) => (this.axis === "step" ? grouped(value) : elapsedLabel(value, this.step))),
          },
          {
            ...axis,
            size: left,
            gap: 6,
            splits: (_, __, min, max) => (this.isLog ? logValues(min, max) : niceValues(min, max, 4)),
            values: (_, splits) => splits.map((value) => scalarWords(Math.abs(value) < 1e-12 ? 0 : value)),
            filter: (_, splits) => splits,
          },
        ],
        series: [{}, { paths: () => null, points: { show: false } }],
        hooks: {
          draw: [(self) => this.paint(self)],
          setCursor: [(self) => this.point(self)],
          setSelect: [(self) => this.selected(self)],
        },
      },
      [
        [0, 1],
        [null, null],
      ],
      this.host,
    );
    plot.over.addEventListener("mouseleave", () => hideTip(this.host));
    return plot;
  }

  private paint(plot: uPlot): void {
    const { ctx: context, bbox } = plot;
    const ratio = context.canvas.width / plot.width;
    const pixel = (value: number, scale: "x" | "y"): number => plot.valToPos(value, scale, true);
    context.save();
    this.name(context, bbox, ratio);
    context.beginPath();
    context.rect(bbox.left, bbox.top - 6 * ratio, bbox.width, bbox.height + 6 * ratio);
    context.clip();
    context.lineJoin = "round";
    for (const one of this.shown) {
      const isSmoothed = this.look.smoothing > 0;
      context.strokeStyle = one.stroke();
      context.fillStyle = one.stroke();
      context.lineWidth = 1.5 * ratio;
      if (isSmoothed) {
        context.globalAlpha = 0.3;
        this.line(context, one.at, one.values, pixel, ratio);
        context.globalAlpha = 1;
      }
      this.line(context, one.at, isSmoothed ? one.smoothed : one.values, pixel, ratio);
      this.gaps(context, one, bbox, pixel, ratio);
    }
    context.restore();
  }

  /** What the axis counts, at its right end. */
  private name(context: CanvasRenderingContext2D, bbox: uPlot.BBox, ratio: number): void {
    context.font = font.replace("11px", `${11 * ratio}px`);
    context.fillStyle = color("quiet");
    context.textAlign = "right";
    context.textBaseline = "bottom";
    const words = this.axis === "step" ? "step" : "time since start";
    context.fillText(words, bbox.left + bbox.width, context.canvas.height);
  }

  /** A line through what is finite and, on a log axis, above 0. */
  private line(
    context: CanvasRenderingContext2D,
    at: readonly number[],
    values: readonly number[],
    pixel: (value: number, scale: "x" | "y") => number,
    ratio: number,
  ): void {
    const has = (point: number): boolean => {
      const value = values[point] ?? NaN;
      return Number.isFinite(value) && (!this.isLog || value > 0);
    };
    context.beginPath();
    for (let point = 0; point < at.length; ++point) {
      if (!has(point)) continue;
      const [x, y] = [pixel(at[point]!, "x"), pixel(values[point]!, "y")];
      if (has(point - 1)) context.lineTo(x, y);
      else context.moveTo(x, y);
      // A point of its own between two gaps would not be seen.
      if (!has(point - 1) && !has(point + 1)) context.fillRect(x - ratio, y - ratio, 2 * ratio, 2 * ratio);
    }
    context.stroke();
  }

  /** As src/chart/curve_lines.cpp: a dashed line where values first are not finite, a triangle wherever it happens again. */
  private gaps(
    context: CanvasRenderingContext2D,
    { at, values }: Shown,
    bbox: uPlot.BBox,
    pixel: (value: number, scale: "x" | "y") => number,
    ratio: number,
  ): void {
    context.strokeStyle = context.fillStyle = color("alarm");
    context.lineWidth = ratio;
    let isFirst = true;
    for (let point = 0; point < at.length; ++point) {
      if (Number.isFinite(values[point]) || (point > 0 && !Number.isFinite(values[point - 1]))) continue;
      const x = pixel(at[point]!, "x");
      if (isFirst) {
        context.setLineDash([3 * ratio, 3 * ratio]);
        context.beginPath();
        context.moveTo(x, bbox.top);
        context.lineTo(x, bbox.top + bbox.height);
        context.stroke();
        context.setLineDash([]);
      }
      isFirst = false;
      context.beginPath();
      context.moveTo(x - mark * ratio, bbox.top - mark * ratio);
      context.lineTo(x + mark * ratio, bbox.top - mark * ratio);
      context.lineTo(x, bbox.top + mark * ratio);
      context.fill();
    }
  }

  private point(plot: uPlot): void {
    const { left: x = -1, top = -1 } = plot.cursor;
    if (x < 0 || this.shown.length === 0) return hideTip(this.host);
    const at = plot.posToVal(x, "x");
    const places = this.shown.map((one) => ({ one, place: nearest(one.at, at) })).filter(({ place }) => place >= 0);
    const closest = places.reduce<{ one: Shown; place: number } | null>(
      (best, next) =>
        best && Math.abs(best.one.at[best.place]! - at) <= Math.abs(next.one.at[next.place]! - at) ? best : next,
      null,
    );
    if (!closest) return hideTip(this.host);
    const { one, place } = closest;
    const step = `Step ${grouped(one.curve.steps[place]!)}`;
    const time = one.curve.times?.[place];
    const moment = time === undefined ? step : `${step}, ${humanDuration(time / 1000)} after the start`;
    const words = places.map(({ one: { curve, values, smoothed }, place: near }) => {
      const value = scalarWords(values[near]!);
      const isSmoothed = this.look.smoothing > 0 && Number.isFinite(values[near]);
      return `${curve.name}: ${value}${isSmoothed ? ` (smoothed ${scalarWords(smoothed[near]!)})` : ""}`;
    });
    showTip(this.host, x + plot.over.offsetLeft, top, words, moment);
  }

  private selected(plot: uPlot): void {
    const { left: begin, width } = plot.select;
    if (width < 4) return;
    const [from, to] = [plot.posToVal(begin, "x"), plot.posToVal(begin + width, "x")];
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.select(from, to, this.axis);
  }
}
