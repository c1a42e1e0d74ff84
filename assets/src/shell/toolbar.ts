// The page's buttons, and the keys that do the same.

import { makeButton } from "../dom";
import { focusFilter } from "../tables/filter";
import { toggleUnits, unitsAreRaw } from "../tables/units";
import type { Folds } from "./folds";
import { stepSection } from "./sections";
import { openShortcuts, setUpShortcuts, type Shortcut } from "./shortcuts";
import { setUpTheme } from "./theme";

function unitsButton(): HTMLButtonElement {
  const button = makeButton(
    "Units: human",
    () => {
      toggleUnits();
      button.textContent = `Units: ${unitsAreRaw() ? "raw" : "human"}`;
    },
    { id: "units" },
  );
  return button;
}

function foldsButton(folds: Folds): HTMLButtonElement {
  const button = makeButton("Expand all", () => folds.toggle(), { id: "expand" });
  const show = (): void => void (button.textContent = folds.allOpen ? "Collapse all" : "Expand all");
  folds.onChange(show);
  show();
  return button;
}

/** Fills the toolbar and shows it. `more`: shortcuts of others. */
export function setUpToolbar(folds: Folds, more: readonly Shortcut[]): void {
  const theme = makeButton("", () => undefined, { id: "theme" });
  const units = unitsButton();
  const expand = foldsButton(folds);
  const shortcuts: Shortcut[] = [
    { keys: ["j"], words: "Next section", run: () => stepSection(1) },
    { keys: ["k"], words: "Previous section", run: () => stepSection(-1) },
    { keys: ["/"], words: "Filter the table on the screen; Esc clears", run: focusFilter },
    { keys: ["e"], words: "Expand or collapse all", run: () => expand.click() },
    { keys: ["u"], words: "Units: human or raw", run: () => units.click() },
    { keys: ["t"], words: "Theme: auto, light or dark", run: () => theme.click() },
    ...more,
    { keys: ["?"], words: "These shortcuts; Esc closes", run: () => openShortcuts(shortcuts) },
  ];
  const help = makeButton("?", () => openShortcuts(shortcuts), {
    id: "help",
    "aria-label": "? Keyboard shortcuts",
    "aria-haspopup": "dialog",
  });
  setUpTheme(theme);
  setUpShortcuts(shortcuts);
  const tools = document.getElementById("tools");
  tools?.append(expand, units, theme, help);
  if (tools) tools.hidden = false;
}
