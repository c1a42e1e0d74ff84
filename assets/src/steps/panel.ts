// One step as it is looked at: the canvas, what is selected, and what is said of it.

import { make } from "../dom";
import { grouped, humanDuration } from "../format";
import { onColors } from "../timeline/colors";
import { coalesced } from "../timeline/dom";
import { actOnKey } from "../timeline/gestures";
import { State } from "../timeline/state";
import { hideTip, showTip } from "../timeline/tip";
import type { Names, Step } from "./decode";
import { detailsOf } from "./details";
import { paint } from "./draw";
import { gapsOf, type Gap } from "./gaps";
import { axisHeight, Layout, rowHeight } from "./layout";
import { listenToPointers } from "./pointer";
import { launchedBy } from "./relations";
import { totalsOf } from "./totals";

const mostArrows = 200;
const mostTotals = 8;
const shortened = (name: string): string => (name.length > 120 ? `${name.slice(0, 119)}…` : name);
const slack = 3; // pixels beside a slice that still mean it

export class Panel {
  state = new State(1, []);
  private layout: Layout;
  private selected = -1;
  private found: boolean[] | null = null;
  private critical = false;
  private gaps: readonly Gap[] = [];
  private range: Gap | null = null;
  private changed: () => void = () => undefined;
  private readonly canvas = make("canvas", { "aria-hidden": "true" });
  private readonly spacer = make("div");
  readonly host = make(
    "div",
    {
      class: "step-canvas",
      tabindex: "0",
      role: "application",
      "aria-label": "The step's slices: n and p go to the next and the previous, up and down to other rows",
    },
    this.spacer,
  );
  readonly details = make("div", { class: "step-details", "aria-live": "polite" });
  private readonly redraw = coalesced(() => this.draw());

  constructor(
    private step: Step,
    private readonly names: Names,
  ) {
    this.spacer.append(this.canvas);
    this.layout = this.show(step);
    listenToPointers(this.host, () => this.state, {
      click: (event) => this.select(this.sliceAt(event) ?? -1),
      range: (from, to) => this.measure(Math.max(0, from), Math.min(this.step.end, to)),
    });
    this.host.addEventListener("keydown", (event) => this.key(event));
    this.host.addEventListener("scroll", this.redraw);
    this.host.addEventListener("dblclick", (event) => {
      const slice = this.sliceAt(event);
      if (slice !== undefined) this.zoomTo(slice);
    });
    this.host.addEventListener("pointermove", (event) => this.hover(event));
    this.host.addEventListener("pointerleave", () => hideTip(this.host));
    new ResizeObserver(this.redraw).observe(this.host);
    onColors(this.redraw);
  }

  show(step: Step): Layout {
    this.step = step;
    this.layout = new Layout(step);
    this.state = new State(step.end, []);
    this.state.onChange(this.redraw);
    this.state.onChange(() => this.changed());
    this.gaps = gapsOf(step);
    this.spacer.style.height = `${this.layout.height}px`;
    this.select(-1);
    return this.layout;
  }

  /** Marks slices whose name has the text in it; gives how many. */
  find(text: string): number {
    const wanted = text.toLowerCase();
    this.found = wanted ? this.names.texts.map((name) => name.toLowerCase().includes(wanted)) : null;
    this.redraw();
    return this.step.name.reduce((count, name) => count + (this.found?.[name] ? 1 : 0), 0);
  }

  /** Whether the view has a critical path. */
  hasPath(): boolean {
    return this.step.critical.includes(1);
  }

  /** Lets only the critical path stand out, or everything. */
  showPath(only: boolean): void {
    this.critical = only;
    this.redraw();
  }

  /** Selects the next slice, in time, that is looked for. */
  nextFound(): void {
    const { starts, name } = this.step;
    const after = (at: number): boolean =>
      this.selected < 0 ||
      starts[at]! > starts[this.selected]! ||
      (starts[at] === starts[this.selected] && at > this.selected);
    let [next, first] = [-1, -1];
    name.forEach((one, at) => {
      if (!this.found?.[one] || at === this.selected) return;
      if (first < 0 || starts[at]! < starts[first]!) first = at;
      if (after(at) && (next < 0 || starts[at]! < starts[next]!)) next = at;
    });
    if (first >= 0) this.reveal(next < 0 ? first : next);
  }

  /** Calls back when the window or the selection is another. */
  onChange(changed: () => void): void {
    this.changed = changed;
  }

  get shown(): Step {
    return this.step;
  }

  /** The number of the selected slice; -1: none. */
  get selection(): number {
    return this.selected;
  }

  /** Selects a slice by its number, if the step has it. */
  selectNumber(slice: number): void {
    if (slice < this.step.starts.length) this.reveal(slice);
  }

  private zoomTo(slice: number): void {
    const length = this.step.ends[slice]! - this.step.starts[slice]!;
    this.select(slice);
    this.state.setRange(this.step.starts[slice]! - length / 4, this.step.ends[slice]! + length / 4);
  }

  /** Sums up what happened in a range. */
  private measure(from: number, to: number): void {
    if (!(to > from)) return;
    this.select(-1);
    this.range = { from, to };
    const totals = totalsOf(this.step, this.names, from, to);
    const list = make("ol", { class: "totals" });
    for (const { name, kind, count, time } of totals.slice(0, mostTotals))
      list.append(
        make(
          "li",
          {},
          make("strong", {}, humanDuration(time / 1e9)),
          ` ${shortened(name)}`,
          ` (${kind}, ${grouped(count)}×)`,
        ),
      );
    const more = totals.length > mostTotals ? `, ${grouped(totals.length - mostTotals)} more names` : "";
    this.details.replaceChildren(
      make("p", {}, make("strong", {}, `${humanDuration((to - from) / 1e9)} selected`), more),
      list,
    );
    this.redraw();
  }

  private select(slice: number): void {
    this.selected = slice;
    this.range = null;
    this.changed();
    if (slice < 0)
      this.details.replaceChildren(
        make("p", { class: "note" }, "Click a slice for its details. Drag over a range to sum it up."),
      );
    else {
      const list = make("dl", { class: "facts" });
      for (const [name, value] of detailsOf(this.step, this.names, slice))
        list.append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
      this.details.replaceChildren(
        make("p", {}, make("strong", {}, this.names.texts[this.step.name[slice]!] ?? "")),
        list,
      );
    }
    this.redraw();
  }

  /** Selects, and brings into view what is not in it. */
  private reveal(slice: number): void {
    const { starts, ends } = this.step;
    const { from, to } = this.state;
    if (starts[slice]! >= to || ends[slice]! <= from) {
      const middle = (starts[slice]! + ends[slice]!) / 2;
      const half = Math.max((to - from) / 2, (ends[slice]! - starts[slice]!) * 0.6);
      this.state.setRange(middle - half, middle + half);
    }
    const top = this.layout.top(slice);
    if (top - axisHeight < this.host.scrollTop || top + rowHeight > this.host.scrollTop + this.host.clientHeight)
      this.host.scrollTop = top - this.host.clientHeight / 2;
    this.select(slice);
  }

  private timeAt(clientX: number): number {
    const { left } = this.host.getBoundingClientRect();
    return this.state.from + ((clientX - left) / this.host.clientWidth) * (this.state.to - this.state.from);
  }

  private sliceAt(event: MouseEvent): number | undefined {
    const y = event.clientY - this.host.getBoundingClientRect().top;
    if (y < axisHeight) return undefined;
    return this.layout.hit(
      y + this.host.scrollTop,
      this.timeAt(event.clientX),
      (slack * (this.state.to - this.state.from)) / this.host.clientWidth,
    );
  }

  private hover(event: PointerEvent): void {
    const slice = event.buttons === 0 ? this.sliceAt(event) : undefined;
    if (slice === undefined) return hideTip(this.host);
    const { left, top } = this.host.getBoundingClientRect();
    const name = this.names.texts[this.step.name[slice]!] ?? "";
    const duration = humanDuration((this.step.ends[slice]! - this.step.starts[slice]!) / 1e9);
    showTip(this.host, event.clientX - left, event.clientY - top + this.host.scrollTop, [duration], shortened(name));
  }

  /** From the selection along its row, to another row, or along an arrow. */
  private neighbor(key: string): number | undefined {
    const { selected, layout, step, state } = this;
    if (selected < 0) {
      const row = layout.rows.findIndex(({ slices }) => slices.length > 0);
      return layout.nearest(row, state.from);
    }
    const row = layout.row(selected);
    const slices = layout.rows[row]?.slices ?? [];
    if (key === "n" || key === "p") return slices[slices.indexOf(selected) + (key === "n" ? 1 : -1)];
    if (key === "a") return step.launch[selected]! >= 0 ? step.launch[selected] : launchedBy(step, selected)[0];
    const way = key === "ArrowUp" ? -1 : 1;
    const time = Math.max(state.from, Math.min(state.to, (step.starts[selected]! + step.ends[selected]!) / 2));
    for (let next = row + way; layout.rows[next]; next += way) {
      const found = layout.nearest(next, time);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private key(event: KeyboardEvent): void {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (["n", "p", "a", "ArrowUp", "ArrowDown"].includes(key)) {
      const next = this.neighbor(key);
      if (next !== undefined) this.reveal(next);
    } else if (key === "Enter" && this.selected >= 0) this.zoomTo(this.selected);
    else if (key === "Escape" && (this.selected >= 0 || this.range)) this.select(-1);
    else if (!actOnKey(this.state, event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private arrows(): [number, number][] {
    if (this.selected < 0) return [];
    const call = this.step.launch[this.selected]!;
    if (call >= 0) return [[call, this.selected]];
    return launchedBy(this.step, this.selected)
      .slice(0, mostArrows)
      .map((work) => [this.step.launch[work]!, work]);
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    const context = this.canvas.getContext("2d");
    if (width < 1 || !context) return;
    const ratio = devicePixelRatio || 1;
    const size = [Math.round(width * ratio), Math.round(height * ratio)] as const;
    if (this.canvas.width !== size[0] || this.canvas.height !== size[1]) {
      [this.canvas.width, this.canvas.height] = size;
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { from, to } = this.state;
    paint(context, {
      step: this.step,
      names: this.names,
      layout: this.layout,
      from,
      to,
      scrolled: this.host.scrollTop,
      width,
      height,
      selected: this.selected,
      found: this.found,
      critical: this.critical,
      arrows: this.arrows(),
      gaps: this.gaps,
      range: this.range,
    });
  }
}
