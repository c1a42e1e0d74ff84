// The interactive timeline. It takes the place of the section's drawings, which stay for print and for when it cannot
// be made: the page is whole without it.

import { ChartPanel } from "./chart_panel";
import { onColors } from "./colors";
import type { Index } from "./contract";
import { nodeOf } from "./contract";
import { Controls } from "./controls";
import { coalesced, make } from "./dom";
import { inViewWords } from "./figures";
import { actOnKey } from "./gestures";
import { HeatPanel } from "./heat_panel";
import { Incidents } from "./incidents";
import { setUpJumps } from "./jumps";
import { LanePanel } from "./lane_panel";
import { MetricPanel } from "./metric_panel";
import { PhasePanel } from "./phase_panel";
import { Samples } from "./samples";
import { State } from "./state";
import { StepPanel } from "./step_panel";
import type { Panel, View } from "./view";
import { WindowTables } from "./window_tables";

/** Figures are computed when the view has stood still for so many milliseconds. */
const restful = 80;

type LivePanel = Panel & { recolor(): void };

function makePanel(figure: HTMLElement, live: HTMLElement, view: View): LivePanel | null {
  const name = figure.dataset["panel"] ?? "";
  if (name === "phases") return new PhasePanel(live, view);
  if (name === "lanes") return view.incidents.rules.length > 0 ? new LanePanel(live, view) : null;
  if (name === "steps") return view.index.steps.length > 0 ? new StepPanel(live, view) : null;
  if (name === "heat") return new HeatPanel(live, view);
  return view.samples.nodesWith(name).length > 0 ? new MetricPanel(live, name, view) : null;
}

/** Puts a panel into its figure, out of sight until it has something to show. */
function enhance(figure: HTMLElement, view: View): { figure: HTMLElement; live: HTMLElement; panel: LivePanel } | null {
  const caption = figure.dataset["subject"] ?? "";
  const live = make("div", "live", make("p", "caption", caption));
  const panel = makePanel(figure, live, view);
  if (!panel) return null;
  if (figure.dataset["panel"] !== "heat") {
    live.tabIndex = 0;
    live.setAttribute("role", "group");
    live.setAttribute("aria-label", caption);
  }
  return { figure, live, panel };
}

export class Timeline {
  readonly state: State;
  private readonly view: View;

  constructor(
    private readonly section: HTMLElement,
    index: Index,
  ) {
    this.state = new State(
      Math.max(1, index.end - index.start),
      index.nodes.map(({ name }) => name),
    );
    const text = (block: number): string => document.getElementById(`timeline-${block}`)?.textContent ?? "";
    const incidents = new Incidents(index, this.state);
    this.view = { index, samples: new Samples(index, text), state: this.state, incidents, panels: [] };
  }

  /** Draws everything, and follows the state from then on. Throws, before it has changed anything, where the data are broken. */
  async start(): Promise<void> {
    const { view, section } = this;
    const [packed] = view.index.nodes.flatMap(({ metrics }) => metrics);
    if (packed) await view.samples.whole(packed);
    else if (view.index.steps[0]) await view.samples.steps(view.index.steps[0]);
    const place = section.querySelector<HTMLElement>("#timeline-controls");
    if (!place) return;
    const panels = Array.from(section.querySelectorAll<HTMLElement>("figure[data-panel]")).flatMap(
      (figure) => enhance(figure, view) ?? [],
    );
    view.panels = panels.map(({ panel }) => panel);
    for (const isFolded of [false, true]) {
      const charts = panels.flatMap(({ figure, panel }) =>
        panel instanceof ChartPanel && (figure.closest(".more-panels") !== null) === isFolded ? panel : [],
      );
      const last = charts[charts.length - 1];
      if (last) last.hasTimes = true;
    }
    const controls = new Controls(place, view);
    for (const { figure, live } of panels) {
      figure.append(live);
      figure.dataset["live"] = "";
    }
    await Promise.all(panels.filter(({ panel }) => !(panel instanceof HeatPanel)).map(({ panel }) => panel.load()));
    this.follow(controls, panels);
    this.listen(
      panels.map(({ live }) => live),
      panels.map(({ panel }) => panel),
    );
    setUpJumps(view, section);
  }

  private follow(controls: Controls, figures: { figure: HTMLElement; panel: LivePanel }[]): void {
    const { view, state } = this;
    const panels = figures.map(({ panel }) => panel);
    const tables = new WindowTables(view);
    let timer = 0;
    const compute = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        void tables.show();
        void inViewWords(view.samples, state, (process) => nodeOf(view.index, process)).then((words) => {
          controls.summary.textContent = words;
        });
      }, restful);
    };
    const near = this.watchNearness(figures);
    const draw = coalesced(() => {
      controls.show();
      for (const panel of panels) near.draw(panel);
    });
    const load = (which: LivePanel[]): void =>
      void Promise.all(which.map((panel) => near.load(panel))).catch(() => undefined);
    state.onChange((change) => {
      if (change === "pointer") return panels.forEach((panel) => panel.follow?.(state.pointer));
      if (change === "node") load(panels);
      if (change === "lines") load(panels.filter((panel) => panel instanceof MetricPanel));
      if (change === "range" || change === "node") compute();
      draw();
    });
    onColors(() => panels.forEach((panel) => panel.recolor()));
    compute();
  }

  /** What is far from the screen is drawn when it comes near; the heat map's samples, most of all there are, are unpacked then. */
  private watchNearness(figures: { figure: HTMLElement; panel: LivePanel }[]): {
    draw(panel: LivePanel): void;
    load(panel: LivePanel): Promise<void>;
  } {
    const byFigure = new Map<Element, LivePanel>(figures.map(({ figure, panel }) => [figure, panel]));
    const near = new Set<LivePanel>();
    const stale = new Set<LivePanel>();
    const unloaded = new Set<LivePanel>([...byFigure.values()].filter((panel) => panel instanceof HeatPanel));
    const bring = (panel: LivePanel): void => {
      if (unloaded.delete(panel)) void panel.load().catch(() => undefined);
      else if (stale.delete(panel)) panel.draw();
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const panel = byFigure.get(target);
          if (!panel) continue;
          if (isIntersecting) near.add(panel);
          else near.delete(panel);
          if (isIntersecting) bring(panel);
        }
      },
      { rootMargin: "400px" },
    );
    for (const figure of byFigure.keys()) observer.observe(figure);
    return {
      draw: (panel) => {
        if (near.has(panel)) panel.draw();
        else stale.add(panel);
      },
      load: async (panel) => {
        if (!unloaded.has(panel)) await panel.load();
      },
    };
  }

  private listen(lives: HTMLElement[], panels: LivePanel[]): void {
    const resize = coalesced(() => panels.forEach((panel) => panel.resize()));
    const observer = new ResizeObserver(resize);
    if (lives[0]) observer.observe(lives[0]);
    for (const folded of this.section.querySelectorAll(".more-panels")) folded.addEventListener("toggle", resize);
    this.section.addEventListener("keydown", (event) => {
      if (event.target instanceof Element && event.target.closest("input, select, textarea, summary")) return;
      if (actOnKey(this.state, event)) event.preventDefault();
    });
  }
}
