// Makes the section on one step interactive. Its drawing stays for print, and for when the step cannot be unpacked.

import { make, makeButton } from "../dom";
import { grouped, humanDuration } from "../format";
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
  { keys: ["Enter"], words: "One step: zoom to the selected slice" },
];

const title = ({ which, step, length }: PackedStep): string =>
  `${step === null ? "Whole trace" : `${which.charAt(0).toUpperCase()}${which.slice(1)} (step ${step})`}: ${humanDuration(length / 1e6)}`;

function choices(index: StepsIndex, chosen: PackedStep, choose: (view: PackedStep) => void): HTMLElement {
  const buttons = index.views.map((view) => {
    const button = makeButton(
      title(view),
      () => {
        for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
        choose(view);
      },
      { "aria-pressed": String(view === chosen) },
    );
    return button;
  });
  return make("div", { class: "buttons", role: "group", "aria-label": "Step" }, ...buttons);
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

async function enhance(place: HTMLElement, index: StepsIndex, block: string): Promise<void> {
  const bytes = await inflate(block);
  const first = index.views.find(({ which }) => which === "median") ?? index.views[0];
  const figure = place.querySelector<HTMLElement>("figure");
  if (!first || !figure) return;
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
  view.append(
    make(
      "div",
      { class: "row" },
      choices(index, first, (chosen) => void panel.show(readStep(chosen, bytes))),
      zooms,
      ...pathButton(panel),
      search(panel),
    ),
    make("ul", { class: "legend" }, ...kinds),
    panel.host,
    panel.details,
    make(
      "p",
      { class: "note" },
      "Drag to pan · + − or Ctrl + wheel to zoom · 0 to reset · click to select · ? for shortcuts",
    ),
  );
  figure.append(view);
  figure.dataset["live"] = "";
}

/** Nothing where the page has no step to look into. */
export function setUpSteps(): void {
  const place = document.getElementById("step-view");
  const text = document.getElementById("steps-index")?.textContent;
  const block = document.getElementById("steps-0")?.textContent;
  if (!place || !text || !block || typeof DecompressionStream === "undefined") return;
  const start = (): void =>
    void enhance(place, JSON.parse(text) as StepsIndex, block).catch((error: unknown) => console.error(error));
  if (typeof IntersectionObserver === "undefined") return start();
  new IntersectionObserver(
    (entries, observer) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      start();
    },
    { rootMargin: "800px" },
  ).observe(place);
}
