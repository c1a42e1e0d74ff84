// One panel's chart. uPlot gives axes, cursor and selection; what is drawn between them is of paint.ts.

import uPlot from "uplot";
import { color } from "./colors";
import type { Frame } from "./paint";
import type { State } from "./state";
import { logValues, niceValues, timeLabel, timeTicks, valueLabel } from "./ticks";

export interface Content {
  unit: string;
  log: boolean;
  /** Least and greatest value of the axis for what is in view. */
  extent(from: number, to: number): [number, number];
  under(frame: Frame): void; // behind the grid
  over(frame: Frame): void;
  /** The cursor stands at a time and a value; null where there is none. */
  point(time: number | null, value: number, hovered: boolean): void;
}

/** Where every panel has its plot, in CSS pixels from its sides: panels lie under each other. */
export const margins = (width: number): { left: number; right: number } => ({ left: width < 480 ? 60 : 104, right: 8 });

const font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";

/** A scale's range is what update() says, not rounded to nice numbers. */
const asGiven: uPlot.Range.Function = (_, min, max) => [min, max];

export class Chart {
  readonly plot: uPlot;
  private step = 1;

  constructor(
    host: HTMLElement,
    private readonly start: number,
    private readonly state: State,
    private readonly content: Content,
    private readonly height: number,
    hasTimes: boolean, // labels of the time axis, which one panel has for all
  ) {
    const width = host.clientWidth || 640;
    const axis = {
      font,
      stroke: () => color("quiet"),
      grid: { stroke: () => color("grid"), width: 1 },
      ticks: { show: false },
    };
    this.plot = new uPlot(
      {
        width,
        height,
        padding: [6, margins(width).right, 0, 0],
        legend: { show: false },
        select: { show: true, left: 0, top: 0, width: 0, height: 0 },
        cursor: {
          y: false,
          points: { show: false },
          drag: { x: true, y: false, setScale: false, dist: 4 },
          bind: {
            dblclick: () => null,
            mousedown: (_, __, handler) => (event) => (event.button === 0 && !event.shiftKey ? handler(event) : null),
          },
        },
        scales: {
          x: { time: false, auto: false, range: asGiven, min: state.from, max: state.to },
          y: { auto: false, range: asGiven, min: 0, max: 100, distr: content.log ? 3 : 1 },
        },
        axes: [
          {
            ...axis,
            size: hasTimes ? 22 : 7, // room for half of the lowest label
            gap: 4,
            splits: (_, __, min, max) => this.timeSplits(min, max),
            // At the left end a label would run into those of the other axis.
            values: (plot, splits) =>
              splits.map((at) => (!hasTimes || plot.valToPos(at, "x") < 20 ? "" : timeLabel(start + at, this.step))),
          },
          {
            ...axis,
            size: (plot) => margins(plot.width).left,
            gap: 6,
            splits: (_, __, min, max) =>
              content.log ? logValues(min, max) : max === 100 ? [0, 25, 50, 75, 100] : niceValues(min, max, 3),
            values: (_, splits) => splits.map((value) => valueLabel(value, content.unit)),
            filter: (_, splits) => splits,
          },
        ],
        series: [{}, { paths: () => null, points: { show: false } }],
        hooks: {
          drawClear: [() => this.within((frame) => content.under(frame))],
          draw: [() => this.within((frame) => content.over(frame))],
          setCursor: [() => this.moved()],
          setSelect: [() => this.selected()],
        },
      },
      [
        [state.from, state.to],
        [null, null],
      ],
      host,
    );
    this.plot.over.addEventListener("mouseleave", () => state.pointAt(null));
    this.update();
  }

  private timeSplits(min: number, max: number): number[] {
    const { times, step } = timeTicks(this.start + min, this.start + max, this.plot.width / 90);
    this.step = step;
    return times.map((time) => time - this.start);
  }

  private frame(): Frame {
    const { ctx: context, bbox, scales } = this.plot;
    const { from, to } = this.state;
    const scale = (value: number): number => (this.content.log ? Math.log10(Math.max(value, 1e-9)) : value);
    const low = scale(scales["y"]?.min ?? 0);
    const high = scale(scales["y"]?.max ?? 1);
    return {
      context,
      ...bbox,
      from,
      to,
      x: (time) => bbox.left + ((time - from) / (to - from)) * bbox.width,
      y: (value) => bbox.top + (1 - (scale(value) - low) / (high - low)) * bbox.height,
      ratio: context.canvas.width / this.plot.width,
    };
  }

  /** Draws inside the plot area only. */
  private within(draw: (frame: Frame) => void): void {
    const frame = this.frame();
    const { context, left, top, width, height } = frame;
    context.save();
    context.beginPath();
    context.rect(left, top - frame.ratio, width, height + 2 * frame.ratio); // a line on the edge keeps its width
    context.clip();
    draw(frame);
    context.restore();
  }

  private moved(): void {
    const { left = -1, top = -1 } = this.plot.cursor;
    const time = left >= 0 ? this.plot.posToVal(left, "x") : null;
    const hovered = this.plot.over.matches(":hover");
    this.content.point(time, this.plot.posToVal(top, "y"), hovered);
    if (hovered) this.state.pointAt(time);
  }

  /** Shows the cursor where another panel is pointed at. */
  follow(time: number | null): void {
    if (this.plot.over.matches(":hover")) return;
    const left = time === null ? -10 : this.plot.valToPos(time, "x");
    this.plot.setCursor({ left, top: time === null ? -10 : 0 });
  }

  private selected(): void {
    const { left, width } = this.plot.select;
    if (width < 4) return;
    const from = this.plot.posToVal(left, "x");
    const to = this.plot.posToVal(left + width, "x");
    this.plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.state.setRange(from, to);
  }

  /** Draws what the state says. */
  update(): void {
    const { from, to } = this.state;
    const [min, max] = this.content.extent(from, to);
    this.plot.batch(() => {
      this.plot.setData(
        [
          [from, to],
          [null, null],
        ],
        false,
      );
      this.plot.setScale("x", { min: from, max: to });
      this.plot.setScale("y", { min, max });
      this.plot.redraw(false, true);
    });
  }

  resize(width: number): void {
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: this.height });
  }
}
