// The job's phases along the top: a stripe for each, with its name where there is room.

import { color, seriesColor } from "./colors";
import { margins } from "./chart";
import { clockAfter, humanDuration } from "../format";
import { make } from "./dom";
import { listenToGestures } from "./gestures";
import type { Panel, View } from "./view";

/** Pixels that a letter takes, about. */
const letter = 7;

export class PhasePanel implements Panel {
  private readonly strip = make("div", "strip");
  private readonly colors = new Map<string, number>();

  constructor(
    live: HTMLElement,
    private readonly view: View,
  ) {
    for (const [name] of view.index.phases)
      if (!isEnd(name) && name !== "profiled" && !this.colors.has(name)) this.colors.set(name, this.colors.size);
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
      const stripe = make("span", name === "profiled" ? name : "", end - at >= letter * name.length + 4 ? name : "");
      const start = this.view.index.start;
      stripe.title = `${name}: ${clockAfter(start, first)} to ${clockAfter(start, last)} UTC, ${humanDuration((last - first) / 1000)}`;
      stripe.style.left = `${at}px`;
      stripe.style.width = `${Math.max(name === "profiled" ? 3 : 1, end - at)}px`;
      stripe.style.borderTopColor =
        name === "profiled" ? color("ink") : isEnd(name) ? color("rest") : seriesColor(this.colors.get(name) ?? 0);
      stripes.push(stripe);
    }
    this.strip.replaceChildren(...stripes);
  }
}

/** What is before and after the work. */
const isEnd = (name: string): boolean => name === "initialization" || name === "finalization";
