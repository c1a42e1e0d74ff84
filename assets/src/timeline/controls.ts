// What stays on the screen while the charts are: the whole job as a brush, node, zoom, and what is in view.

import { clockAfter, humanDuration } from "../format";
import { Brush } from "./brush";
import { make, makeButton } from "./dom";
import { decimalsFor } from "./ticks";
import type { View } from "./view";

export class Controls {
  readonly summary = make("p", "in-view");
  private readonly range = make("span", "range");
  private readonly select = make("select");
  private readonly brush: Brush;
  private readonly buttons: Record<"in" | "out" | "left" | "right" | "whole", HTMLButtonElement>;

  constructor(
    place: HTMLElement,
    private readonly view: View,
  ) {
    const { state } = view;
    this.brush = new Brush(view);
    this.buttons = {
      in: makeButton("Zoom in", () => state.zoom(0.5)),
      out: makeButton("Zoom out", () => state.zoom(2)),
      left: makeButton("Earlier", () => state.pan(-0.5)),
      right: makeButton("Later", () => state.pan(0.5)),
      whole: makeButton("Whole job", () => state.reset()),
    };
    this.range.setAttribute("aria-live", "polite");
    const row = make("div", "row");
    if (state.nodes.length > 1) row.append(this.nodes());
    row.append(make("div", "buttons", ...Object.values(this.buttons)), this.range);
    place.append(this.brush.element, row);
    const hint =
      "Drag to zoom · Shift-drag to pan · Ctrl or ⌘ + wheel to zoom · double-click to reset · ? for shortcuts";
    place.after(this.summary, make("p", "note hint", hint));
    this.show();
  }

  private nodes(): HTMLElement {
    const { state } = this.view;
    this.select.append(make("option", "", "all nodes"), ...state.nodes.map((name) => make("option", "", name)));
    this.select.addEventListener("change", () => state.setNode(state.nodes[this.select.selectedIndex - 1] ?? ""));
    return make("label", "", "Node ", this.select);
  }

  /** Follows the state. */
  show(): void {
    const { state, index } = this.view;
    this.brush.show();
    this.select.selectedIndex = state.nodes.indexOf(state.node) + 1;
    const decimals = decimalsFor(state.to - state.from);
    const [from, to] = [state.from, state.to].map((time) => clockAfter(index.start, time, decimals));
    const words = `${from} to ${to} UTC, ${humanDuration(state.isWhole ? index.duration : (state.to - state.from) / 1000)}${state.isWhole ? ", the whole job" : ""}`;
    if (this.range.textContent !== words) this.range.textContent = words;
    this.buttons.whole.disabled = this.buttons.out.disabled = state.isWhole;
    this.buttons.left.disabled = state.from <= 0;
    this.buttons.right.disabled = state.to >= state.length;
  }
}
