// The page is complete without this script; it only adds conveniences to what is there.

import { setUpIcicles } from "./charts/icicle";
import { setUpLegends } from "./charts/legend";
import { setUpTooltips } from "./charts/tooltip";
import { setUpCurves } from "./curves/index";
import { Folds } from "./shell/folds";
import { setUpPermalinks } from "./shell/permalink";
import { markCurrentSection } from "./shell/sections";
import { setUpToolbar } from "./shell/toolbar";
import { setUpSteps, stepShortcuts } from "./steps/index";
import { setUpTables } from "./tables/tables";
import { setUpTimeline } from "./timeline/index";

/** One part's failure leaves the others at work. */
function attempt<T>(setUp: () => T): T | undefined {
  try {
    return setUp();
  } catch (error) {
    console.error(error);
    return undefined;
  }
}

const timeline = attempt(setUpTimeline);
const tables = attempt(setUpTables) ?? [];
const folds = new Folds(tables);
attempt(() => folds.openForPrint());
const steps = attempt(setUpSteps);
attempt(() =>
  setUpToolbar(folds, [
    ...(timeline?.shortcuts ?? []),
    ...(document.getElementById("steps-index") ? stepShortcuts : []),
  ]),
);
attempt(setUpIcicles);
attempt(setUpLegends);
attempt(setUpTooltips);
attempt(() => setUpCurves(timeline));
attempt(markCurrentSection);
attempt(() => setUpPermalinks(timeline, steps));
