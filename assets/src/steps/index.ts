// Makes the section on one step interactive. Its drawing stays for print, and for when the step cannot be unpacked.

import { make, makeButton } from "../dom";
import { grouped, humanDuration } from "../format";
import type { StepState, StepsView } from "../shell/permalink";
import type { Shortcut } from "../shell/shortcuts";
import { inflate } from "../timeline/decode";
import type { PackedStep, StepsIndex } from "./contract";
import { readNames, readStep } from "./decode";
import { Panel } from "./panel";

/** For the list of shortcuts: they work where the step has the focus. */
export const stepShortcuts: readonly Shortcut[] = [
  { keys: ["n", "p"], words: "One step (when focused): next or previous slice" },
  { keys: ["ArrowUp", "ArrowDown"], words: "One step: the row above or below" },
  { keys: ["a"], words: "One step: from a launch to its kernel, and back" },
  { keys: ["Enter"], words: "One step: zoom to the selected slice, as a double click does" },
  { keys: ["Escape"], words: "One step: clear the selection" },
];

const length = (view: PackedStep): string => humanDuration(view.length / 1e6);

const title = (view: PackedStep): string =>
  `${view.step === null ? "Whole trace" : `${view.which.charAt(0).toUpperCase()}${view.which.slice(1)} (step ${view.step})`}: ${length(view)}`;

/** What the address calls a step. */
const keyOf = ({ step, process }: PackedStep): string => `${step ?? "trace"}~${process}`;

/** Buttons for those that stand out, a list for all. Gives what shows which one is chosen. */
function choices(
  index: StepsIndex,
  choose: (view: PackedStep) => void,
): { place: HTMLElement; mark: (view: PackedStep) => void } {
  const named = index.views.filter(({ which }) => which !== "step");
  const buttons = named.map((view) => makeButton(title(view), () => choose(view)));
  const place = make("div", { class: "buttons", role: "group", "aria-label": "Step" }, ...buttons);
  const list = make("select", { "aria-label": "Any step" });
  if (index.views.length > named.length) {
    const several = index.views.some(({ process }) => process !== index.views[0]?.process);
    for (const view of [...index.views].sort((a, b) => (a.step ?? 0) - (b.step ?? 0)))
      list.append(
        make(
          "option",
          { value: keyOf(view) },
          `Step ${view.step ?? ""}${several ? `, ${view.process}` : ""}: ${length(view)}`,
        ),
      );
    list.addEventListener("change", () => {
      const view = index.views.find((one) => keyOf(one) === list.value);
      if (view) choose(view);
    });
    place.append(list);
  }
  const mark = (view: PackedStep): void => {
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(named[at] === view)));
    list.value = keyOf(view);
  };
  return { place, mark };
}

function search(panel: Panel): HTMLElement {
  const box = make("input", { type: "search", "aria-label": "Find slices by name", placeholder: "Find by name" });
  const said = make("span", { role: "status" });
  box.addEventListener("input", () => {
    const count = panel.find(box.value);
    said.textContent = box.value ? `${grouped(count)} found${count > 0 ? "; Enter goes to the next" : ""}` : "";
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") panel.nextFound();
  });
  return make("span", { class: "find" }, box, said);
}

/** Nothing where no step has a critical path. */
function pathButton(panel: Panel): HTMLElement[] {
  if (!panel.hasPath()) return [];
  const button = makeButton(
    "Critical path",
    () => {
      const only = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(only));
      panel.showPath(only);
    },
    { "aria-pressed": "false" },
  );
  return [make("div", { class: "buttons" }, button)];
}

/** The panel, and how to make it show another step. */
interface Shown {
  panel: Panel;
  views: readonly PackedStep[];
  first: PackedStep;
  choose: (view: PackedStep) => void;
}

async function enhance(place: HTMLElement, index: StepsIndex, block: string): Promise<Shown | undefined> {
  const bytes = await inflate(block);
  const first = index.views.find(({ which }) => which === "median") ?? index.views[0];
  const figure = place.querySelector<HTMLElement>("figure");
  if (!first || !figure) return undefined;
  const panel = new Panel(readStep(first, bytes), readNames(index, bytes));
  const view = make("div", { class: "live" });
  const zooms = make(
    "div",
    { class: "buttons" },
    makeButton("+", () => panel.state.zoom(0.5), { "aria-label": "Zoom in" }),
    makeButton("−", () => panel.state.zoom(2), { "aria-label": "Zoom out" }),
    makeButton("←", () => panel.state.pan(-0.25), { "aria-label": "Earlier" }),
    makeButton("→", () => panel.state.pan(0.25), { "aria-label": "Later" }),
    makeButton("Whole step", () => panel.state.reset()),
  );
  const kinds = Array.from(figure.querySelectorAll(".legend li"), (entry) =>
    make("li", {}, entry.querySelector("svg")?.cloneNode(true) ?? "", ` ${entry.textContent.trim()}`),
  );
  const choose = (chosen: PackedStep): void => {
    if (panel.shown.packed !== chosen) panel.show(readStep(chosen, bytes));
    chosenStep.mark(chosen);
  };
  const chosenStep = choices(index, choose);
  chosenStep.mark(first);
  view.append(
    make("div", { class: "row" }, chosenStep.place, zooms, ...pathButton(panel), search(panel)),
    make("ul", { class: "legend" }, ...kinds),
    panel.host,
    panel.details,
    make(
      "p",
      { class: "note" },
      "Drag to sum up a range · Shift + drag to pan · double-click, + − or Ctrl + wheel to zoom · 0 to reset · ? for shortcuts",
    ),
  );
  figure.append(view);
  figure.dataset["live"] = "";
  return { panel, views: index.views, first, choose };
}

/** What the address knows of the view, which is there only once the reader comes near it. */
class Link implements StepsView {
  private shown: Shown | undefined;
  private wanted: StepState | undefined;
  private changed: () => void = () => undefined;

  constructor(private readonly start: () => void) {}

  take(shown: Shown | undefined): void {
    this.shown = shown;
    shown?.panel.onChange(() => this.changed());
    if (this.wanted) this.setState(this.wanted);
  }

  getState(): StepState | null {
    if (!this.shown) return this.wanted ?? null;
    const { panel, first } = this.shown;
    const { state, selection, shown } = panel;
    if (shown.packed === first && state.isWhole && selection < 0) return null;
    return {
      step: keyOf(shown.packed),
      ...(state.isWhole ? {} : { from: state.from / 1e6, to: state.to / 1e6 }),
      ...(selection < 0 ? {} : { selected: selection }),
    };
  }

  setState(state: StepState): void {
    this.wanted = state;
    if (!this.shown) return this.start();
    const view = this.shown.views.find((one) => keyOf(one) === state.step);
    if (!view) return;
    this.shown.choose(view);
    if (state.from !== undefined && state.to !== undefined)
      this.shown.panel.state.setRange(state.from * 1e6, state.to * 1e6);
    if (state.selected !== undefined) this.shown.panel.selectNumber(state.selected);
  }

  onChange(changed: () => void): void {
    this.changed = changed;
  }
}

/** Nothing where the page has no step to look into. */
export function setUpSteps(): StepsView | undefined {
  const place = document.getElementById("step-view");
  const text = document.getElementById("steps-index")?.textContent;
  const block = document.getElementById("steps-0")?.textContent;
  if (!place || !text || !block || typeof DecompressionStream === "undefined") return undefined;
  let started = false;
  const start = (): void => {
    if (started) return;
    started = true;
    enhance(place, JSON.parse(text) as StepsIndex, block)
      .then((shown) => link.take(shown))
      .catch((error: unknown) => console.error(error));
  };
  const link = new Link(start);
  if (typeof IntersectionObserver === "undefined") {
    start();
    return link;
  }
  new IntersectionObserver(
    (entries, observer) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      start();
    },
    { rootMargin: "800px" },
  ).observe(place);
  return link;
}
