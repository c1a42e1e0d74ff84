// What the rest of the page's script can ask of the timeline.

import type { Index } from "./contract";
import { make } from "./dom";
import { Timeline } from "./timeline";

/** Milliseconds after the job's start, and a node's name; "" is all nodes. */
export interface TimelineState {
  from: number;
  to: number;
  node: string;
}

export interface TimelineHandle {
  /** null: the whole job, as it was at first. */
  getState(): TimelineState | null;
  setState(state: TimelineState): void;
  onChange(changed: () => void): void;
  zoomIn(): void;
  zoomOut(): void;
  /** By a share of what is in view; negative is back in time. */
  pan(share: number): void;
  reset(): void;
  nextNode(): void;
}

/** Says why the drawings stay as they are. */
function giveUp(section: HTMLElement, why: string): void {
  for (const figure of section.querySelectorAll<HTMLElement>("[data-live]")) {
    delete figure.dataset["live"];
    figure.querySelector(".live")?.remove();
  }
  section.querySelector("#timeline-controls")?.replaceChildren(make("p", "note", `${why} The drawings below show the whole job.`));
}

/** Makes the section's drawings interactive; nothing where the page has no timeline. */
export function setUpTimeline(): TimelineHandle | undefined {
  const section = document.getElementById("timeline");
  const text = document.getElementById("timeline-index")?.textContent;
  if (!section || !text) return undefined;
  if (typeof DecompressionStream === "undefined") {
    giveUp(section, "This browser cannot unpack the samples (it has no DecompressionStream), so the timeline does not zoom.");
    return undefined;
  }
  const broken = (): void => giveUp(section, "The samples in this page are damaged, so the timeline does not zoom.");
  try {
    const timeline = new Timeline(section, JSON.parse(text) as Index);
    timeline.start().catch(broken);
    return handleOf(timeline);
  } catch {
    broken();
    return undefined;
  }
}

function handleOf({ state }: Timeline): TimelineHandle {
  const first = state.node;
  return {
    getState: () => (state.isWhole && state.node === first ? null : { from: state.from, to: state.to, node: state.node }),
    setState({ from, to, node }) {
      state.setNode(node);
      state.setRange(from, to);
    },
    onChange: (changed) => state.onChange((change) => {
      if (change === "range" || change === "node") changed();
    }),
    zoomIn: () => state.zoom(0.5),
    zoomOut: () => state.zoom(2),
    pan: (share) => state.pan(share),
    reset: () => state.reset(),
    nextNode: () => state.nextNode(),
  };
}
