// When findings and rules held: a lane for each, its name at the left. Pointing at a lane tints its stretches in all
// panels; pressing its name keeps them tinted.

import { margins } from "./chart";
import { onColors } from "./colors";
import { make, makeButton } from "./dom";
import { listenToGestures } from "./gestures";
import { stripes } from "./incidents";
import type { Frame } from "./paint";
import type { Panel, View } from "./view";

const laneHeight = 16; // pixels; the style has the same
const bar = 8;

export class LanePanel implements Panel {
  private readonly rows = new Map<string, { name: HTMLButtonElement; canvas: HTMLCanvasElement }>();
  private readonly host = make("div", "lanes");
  private kept = "";

  constructor(
    live: HTMLElement,
    private readonly view: View,
  ) {
    const { incidents, state } = view;
    for (const rule of incidents.rules) {
      const name = makeButton(rule, () => {
        this.kept = this.kept === rule ? "" : rule;
        state.mark(this.kept);
        this.show();
      });
      name.title = rule;
      const canvas = make("canvas");
      canvas.setAttribute("aria-hidden", "true");
      const area = make("div", "area", canvas);
      const lane = make("div", "lane", name, area);
      lane.addEventListener("mouseenter", () => state.mark(rule));
      lane.addEventListener("mouseleave", () => state.mark(this.kept));
      listenToGestures(area, state);
      this.rows.set(rule, { name, canvas });
      this.host.append(lane);
    }
    live.append(this.host);
    state.onChange((change) => {
      if (change === "mark") this.show();
    });
    onColors(() => this.draw());
    this.show();
  }

  /** Which lane is marked. */
  private show(): void {
    for (const [rule, { name }] of this.rows)
      name.setAttribute("aria-pressed", String(this.view.state.marked === rule));
  }

  load(): Promise<void> {
    this.draw();
    return Promise.resolve();
  }

  recolor(): void {
    this.draw();
  }

  resize(): void {
    this.draw();
  }

  draw(): void {
    const outer = this.host.clientWidth;
    const { left, right } = margins(outer);
    const width = Math.floor(outer - left - right);
    if (width < 1) return;
    this.host.style.setProperty("--names", `${left}px`);
    const ratio = devicePixelRatio || 1;
    const { from, to } = this.view.state;
    for (const [rule, { canvas }] of this.rows) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(laneHeight * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${laneHeight}px`;
      const context = canvas.getContext("2d");
      if (!context) continue;
      const frame: Frame = {
        context,
        left: 0,
        top: 0,
        width: canvas.width,
        height: canvas.height,
        from,
        to,
        x: (time) => ((time - from) / (to - from)) * canvas.width,
        y: (value) => value,
        ratio,
      };
      context.fillStyle = this.view.incidents.colorOf(rule);
      const top = Math.round(((laneHeight - bar) / 2) * ratio);
      for (const [at, wide] of stripes(frame, this.view.incidents.bands(rule)))
        context.fillRect(at, top, wide, Math.round(bar * ratio));
    }
  }
}
