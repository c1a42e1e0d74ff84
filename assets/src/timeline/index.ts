// What the rest of the page's script can ask of the timeline.

import type { Shortcut } from "../shell/shortcuts";
import type { Timeline as Handle } from "../shell/permalink";
import type { Index } from "./contract";
import { make } from "./dom";
import { Timeline } from "./timeline";

/** Says why the drawings stay as they are. */
function giveUp(section: HTMLElement, why: string): void {
  for (const figure of section.querySelectorAll<HTMLElement>("[data-live]")) {
    delete figure.dataset["live"];
    figure.querySelector(".live")?.remove();
  }
  section
    .querySelector("#timeline-controls")
    ?.replaceChildren(make("p", "note", `${why} The drawings below show the whole job.`));
}

/** Makes the section's drawings interactive; nothing where the page has no timeline. */
export function setUpTimeline(): Handle | undefined {
  const section = document.getElementById("timeline");
  const text = document.getElementById("timeline-index")?.textContent;
  if (!section || !text) return undefined;
  if (typeof DecompressionStream === "undefined") {
    giveUp(
      section,
      "This browser cannot unpack the samples (it has no DecompressionStream), so the timeline does not zoom.",
    );
    return undefined;
  }
  const broken = (): void => giveUp(section, "The samples in this page are damaged, so the timeline does not zoom.");
  try {
    const timeline = new Timeline(section, JSON.parse(text) as Index);
    timeline.start().catch(broken);
    return handleOf(timeline, section);
  } catch {
    broken();
    return undefined;
  }
}

/** Keys that work wherever the focus is. A reader who could not see what they do is taken there. */
function shortcutsOf({ state }: Timeline, section: HTMLElement): Shortcut[] {
  const show = (): void => {
    const { top, bottom } = section.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) section.scrollIntoView();
  };
  const all: Shortcut[] = [
    { keys: ["+", "-"], words: "Timeline: zoom in or out", run: (key) => state.zoom(key === "+" ? 0.5 : 2) },
    {
      keys: ["ArrowLeft", "ArrowRight"],
      words: "Timeline: earlier or later",
      run: (key) => state.pan(key === "ArrowLeft" ? -0.25 : 0.25),
    },
    { keys: ["0"], words: "Timeline: reset to the whole job", run: () => state.reset() },
  ];
  if (state.nodes.length > 1) all.push({ keys: ["n"], words: "Timeline: next node", run: () => state.nextNode() });
  return all.map((shortcut) => ({ ...shortcut, run: (key) => (show(), shortcut.run?.(key)) }));
}

function handleOf(timeline: Timeline, section: HTMLElement): Handle {
  const { state } = timeline;
  const first = state.node;
  return {
    getState: () =>
      state.isWhole && state.node === first ? null : { from: state.from, to: state.to, node: state.node },
    setState({ from, to, node }) {
      state.setNode(node);
      state.setRange(from, to);
    },
    onChange: (changed) =>
      state.onChange((change) => {
        if (change === "range" || change === "node") changed();
      }),
    shortcuts: shortcutsOf(timeline, section),
  };
}
