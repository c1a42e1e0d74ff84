// The job's phases along the top: a stripe for each, with its name where there is room.

import { color } from "./colors";
import { margins } from "./chart";
import { clockAfter, humanDuration } from "../format";
import { make } from "./dom";
import { listenToGestures } from "./gestures";
import type { Panel, View } from "./view";

/** As src/chart/time_panel.cpp has them. */
const phaseColors: Readonly<Record<string, string>> = {
  TRAIN: "compute",
  PROFILED: "compute",
  EVAL: "copy",
  "between steps": "between",
};

/** Pixels that a letter takes, about. */
const letter = 7;

export class PhasePanel implements Panel {
  private readonly strip = make("div", "strip");
  private readonly names: ReadonlySet<string>;

  constructor(
    live: HTMLElement,
    private readonly view: View,
  ) {
    this.names = new Set(view.index.phases.map(([name]) => name));
    live.append(this.strip);
    listenToGestures(this.strip, view.state);
  }

  load(): Promise<void> {
    this.draw();
    return Promise.resolve();
  }

  resize(): void {
    this.draw();
  }

  recolor(): void {
    this.draw();
  }

  draw(): void {
    const outer = this.strip.parentElement?.clientWidth ?? 0;
    const { left, right } = margins(outer);
    this.strip.style.marginLeft = `${left}px`;
    this.strip.style.marginRight = `${right}px`;
    const width = outer - left - right;
    const { from, to } = this.view.state;
    const x = (time: number): number => ((Math.max(from, Math.min(to, time)) - from) / (to - from)) * width;
    let end = -1; // phases that would lie within one pixel are not drawn one upon the other
    const stripes: HTMLElement[] = [];
    for (const [name, first, last] of this.view.index.phases) {
      const at = x(first);
      if (name === "profiled") end = -1; // these lie below the others
      if (last < from || first > to || (x(last) < end + 0.5 && end >= 0)) continue;
      end = x(last);
      // Where all there is was profiled, the phase says so already.
      const named = end - at >= letter * name.length + 4 && !(name === "profiled" && this.names.has("PROFILED"));
      const stripe = make("span", name === "profiled" ? name : "", named ? name : "");
      const start = this.view.index.start;
      stripe.title = `${name}: ${clockAfter(start, first)} to ${clockAfter(start, last)} UTC, ${humanDuration((last - first) / 1000)}`;
      stripe.style.left = `${at}px`;
      stripe.style.width = `${Math.max(name === "profiled" ? 3 : 1, end - at)}px`;
      stripe.style.borderTopColor = name === "profiled" ? color("ink") : color(phaseColors[name] ?? "startup");
      stripes.push(stripe);
    }
    this.strip.replaceChildren(...stripes);
  }
}
