// The page is complete without this script; it only adds conveniences to what is there.

import { setUpLegends } from "./charts/legend";
import { setUpTooltips } from "./charts/tooltip";
import { Folds } from "./shell/folds";
import { setUpPermalinks } from "./shell/permalink";
import { markCurrentSection } from "./shell/sections";
import type { Shortcut } from "./shell/shortcuts";
import { setUpToolbar } from "./shell/toolbar";
import { setUpTables } from "./tables/tables";
import { setUpTimeline, type TimelineHandle } from "./timeline/index";

/** One part's failure leaves the others at work. */
function attempt<T>(setUp: () => T): T | undefined {
  try {
    return setUp();
  } catch (error) {
    console.error(error);
    return undefined;
  }
}

/** The timeline's keys, wherever the focus is. A reader who cannot see what they do is taken there. */
function timelineShortcuts(timeline: TimelineHandle): Shortcut[] {
  const shown = (act: () => void) => (): void => {
    const section = document.getElementById("timeline");
    const place = section?.getBoundingClientRect();
    if (place && (place.bottom < 0 || place.top > innerHeight)) section?.scrollIntoView();
    act();
  };
  return [
    { keys: ["+", "="], words: "Timeline: zoom in", run: shown(() => timeline.zoomIn()) },
    { keys: ["-"], words: "Timeline: zoom out", run: shown(() => timeline.zoomOut()) },
    { keys: ["ArrowLeft", "ArrowRight"], words: "Timeline: back, on in time", run: (key) => shown(() => timeline.pan(key === "ArrowLeft" ? -0.25 : 0.25))() },
    { keys: ["0"], words: "Timeline: the whole job", run: shown(() => timeline.reset()) },
    { keys: ["n"], words: "Timeline: next node", run: shown(() => timeline.nextNode()) },
  ];
}

const timeline = attempt(setUpTimeline);
const tables = attempt(setUpTables) ?? [];
const folds = new Folds(tables);
attempt(() => folds.openForPrint());
attempt(() => setUpToolbar(folds, timeline ? timelineShortcuts(timeline) : []));
attempt(setUpLegends);
attempt(setUpTooltips);
attempt(markCurrentSection);
attempt(() => setUpPermalinks(timeline));
