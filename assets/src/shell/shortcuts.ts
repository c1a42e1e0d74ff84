// Keys that do something anywhere on the page, and the window that lists them.

import { make } from "../dom";
import { isDialogOpen, openDialog } from "./dialog";

export interface Shortcut {
  /** As KeyboardEvent.key has them. */
  keys: readonly string[];
  /** What they do: "Next section". */
  words: string;
  /** Absent: what has the focus listens itself, and this is for the list. */
  run?: (key: string) => void;
}

const names: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  " ": "Space",
};

/** A key as a reader knows it. */
export const keyName = (key: string): string => names[key] ?? key;

/** Whether keys go into what has the focus; arrows also move in a frame that scrolls. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("input, select, textarea")) return true;
  return key.startsWith("Arrow") && target.closest("[tabindex='0']") !== null;
}

export function openShortcuts(shortcuts: readonly Shortcut[]): void {
  const list = make("dl", { class: "keys" });
  for (const { keys, words } of shortcuts) {
    const names = keys.flatMap((key, at) => [...(at > 0 ? [" "] : []), make("kbd", {}, keyName(key))]);
    list.append(make("div", {}, make("dt", {}, ...names), make("dd", {}, words)));
  }
  openDialog("Keyboard shortcuts", list);
}

export function setUpShortcuts(shortcuts: readonly Shortcut[]): void {
  const byKey = new Map(shortcuts.flatMap(({ keys, run }) => (run ? keys.map((key) => [key, run] as const) : [])));
  document.addEventListener("keydown", (event) => {
    const { key } = event;
    const run = byKey.get(key);
    if (!run || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (isDialogOpen() || isTaken(event.target, key)) return;
    event.preventDefault();
    run(key);
  });
}
