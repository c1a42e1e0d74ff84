// Elements as the timeline makes them.

import { make as makeWith, makeButton as makeButtonWith } from "../dom";

/** An element of a class. */
export const make = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => makeWith(tag, className ? { class: className } : {}, ...children);

export const makeButton = (text: string, act: () => void, label = ""): HTMLButtonElement =>
  makeButtonWith(text, act, label ? { "aria-label": label } : {});

export function makeCheckbox(text: Node | string, checked: boolean, act: (checked: boolean) => void): HTMLLabelElement {
  const box = make("input");
  box.type = "checkbox";
  box.checked = checked;
  box.addEventListener("change", () => act(box.checked));
  return make("label", "", box, text);
}

/** Runs `act` once in the next frame, however often it is asked for. */
export function coalesced(act: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      act();
    });
  };
}
