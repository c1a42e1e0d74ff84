// Training curves that can be smoothed, put on a log scale, and looked at over time instead of steps. What the timeline shows is what
// they show, and the other way around. The drawings that they replace stay for print.

import type { Timeline } from "../shell/permalink";
import { onColors } from "../timeline/colors";
import { make, makeButton, makeCheckbox } from "../timeline/dom";
import { translate, unpack } from "./data";
import type { Axis, Curve, PackedCurves } from "./data";
import { CurvePlot } from "./plot";
import type { Look } from "./plot";
import { setUpSearch } from "./search";

class Curves {
  private look: Look;
  private readonly plots: CurvePlot[];
  /** The curve by which steps become times; undefined where no tool logged times. */
  private readonly clock: (Curve & { times: number[] }) | undefined;
  private readonly whole = makeButton("Show all", () => this.reset());

  constructor(
    figures: { figure: HTMLElement; packed: PackedCurves }[],
    private readonly timeline: Timeline | undefined,
  ) {
    const unpacked = figures.map(({ figure, packed }) => ({ figure, curves: unpack(packed), isLog: packed.log }));
    const timed = unpacked.flatMap(({ curves }) => curves).filter((curve) => curve.times !== null);
    this.clock = timed.sort((a, b) => b.steps.length - a.steps.length)[0] as typeof this.clock;
    this.look = { axis: "step", log: null, smoothing: 0, range: this.linked("step") };
    this.plots = unpacked.map(
      ({ figure, curves, isLog }) =>
        new CurvePlot(
          figure,
          curves,
          isLog,
          this.look,
          (from, to, axis) => this.select(from, to, axis),
          () => this.reset(),
        ),
    );
    const logs = unpacked.filter(({ isLog }) => isLog).length;
    figures[0]!.figure.before(this.controls(logs === figures.length, logs > 0 && logs < figures.length));
    timeline?.onChange(() => this.change({ range: this.linked(this.look.axis) }));
    onColors(() => this.plots.forEach((plot) => plot.recolor()));
  }

  private controls(isLog: boolean, isMixed: boolean): HTMLElement {
    const log = makeCheckbox("Log scale", isLog, (checked) => this.change({ log: checked }));
    log.querySelector("input")!.indeterminate = isMixed;
    const slider = make("input");
    slider.type = "range";
    [slider.min, slider.max, slider.step, slider.value] = ["0", "0.99", "0.01", "0"];
    slider.addEventListener("input", () => this.change({ smoothing: Number(slider.value) }));
    const row = make("div", "curve-controls");
    if (this.clock) row.append(this.axes());
    row.append(make("label", "", "Smoothing ", slider), log, this.whole);
    this.whole.disabled = this.look.range === null;
    return row;
  }

  private axes(): HTMLElement {
    const select = make("select");
    select.append(make("option", "", "step"), make("option", "", "time"));
    select.addEventListener("change", () => {
      const axis: Axis = select.selectedIndex === 1 ? "time" : "step";
      const { range } = this.look;
      this.change({ axis, range: range && this.clock ? this.over(axis, range) : null });
    });
    return make("label", "", "X-axis ", select);
  }

  /** What is in view, on the other axis. */
  private over(axis: Axis, [from, to]: [number, number]): [number, number] {
    const { steps, times } = this.clock!;
    const [before, after] = axis === "time" ? [steps, times] : [times, steps];
    return [translate(before, after, from), translate(before, after, to)];
  }

  /** What the timeline shows, on an axis; null: all, also where nothing was logged in that time. */
  private linked(axis: Axis): [number, number] | null {
    const shown = this.timeline?.getState();
    if (!shown || !this.clock) return null;
    const range: [number, number] = [shown.from, shown.to];
    if (axis === "time") return range;
    const [from, to] = this.over("step", range);
    return to > from ? [from, to] : null;
  }

  private change(part: Partial<Look>): void {
    this.look = { ...this.look, ...part };
    this.whole.disabled = this.look.range === null;
    for (const plot of this.plots) plot.show(this.look);
  }

  private select(from: number, to: number, axis: Axis): void {
    if (!this.timeline || !this.clock) return this.change(axis === this.look.axis ? { range: [from, to] } : {});
    const [begin, end] = axis === "time" ? [from, to] : this.over("time", [from, to]);
    const node = this.timeline.getState()?.node ?? "";
    this.timeline.setState({ from: begin, to: end, node });
  }

  private reset(): void {
    const node = this.timeline?.getState()?.node ?? "";
    if (this.clock) this.timeline?.setState({ from: 0, to: Number.MAX_SAFE_INTEGER, node }); // the timeline cuts it to the job
    this.change({ range: null });
  }
}

/** Makes the page's training curves interactive; nothing where it has none. */
export function setUpCurves(timeline: Timeline | undefined): void {
  const figures = Array.from(document.querySelectorAll<HTMLElement>("figure[data-curves]"), (figure) => ({
    figure,
    packed: JSON.parse(figure.dataset["curves"] ?? "") as PackedCurves,
  }));
  if (figures.length > 0) new Curves(figures, timeline);
  setUpSearch();
}
