// The words beside the pointer. There is one such box; it belongs to the panel that is pointed at.

import { make } from "./dom";

const box = make("div", "pointed");

/** Shows lines of text in `host` (a positioned element), `x` and `y` from its top left corner; `main` is the one that counts. */
export function showTip(host: HTMLElement, x: number, y: number, lines: string[], main: string): void {
  if (box.parentElement !== host) host.append(box);
  box.hidden = false;
  box.replaceChildren(make("strong", "", main), ...lines.map((line) => make("div", "", line)));
  const left = x + 14 + box.offsetWidth > host.clientWidth ? x - 14 - box.offsetWidth : x + 14;
  box.style.left = `${Math.max(0, left)}px`;
  box.style.top = `${y + 10}px`;
}

/** Takes the box away, unless it belongs to another panel. */
export function hideTip(host: HTMLElement): void {
  if (box.parentElement === host) box.hidden = true;
}
