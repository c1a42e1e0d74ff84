// The whole job as a strip that stays on the screen: the first screen's ribbon of causes, with the window that the
// charts show marked on it. Dragging makes another window; dragging the window moves it.

import { make } from "./dom";
import type { View } from "./view";

const leastDrag = 4; // pixels; less is a click, which moves the window there

export class Brush {
  readonly element = make("div", "brush");
  private readonly window = make("div", "brush-window");

  constructor(private readonly view: View) {
    this.element.title = "Drag to choose a window, or drag the window";
    const ribbon = this.ribbon();
    if (ribbon) this.element.append(ribbon);
    this.element.append(this.window);
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("dblclick", () => view.state.reset());
    this.show();
  }

  /** A copy of the ribbon, laid where its time is. */
  private ribbon(): Element | undefined {
    const figure = document.querySelector<HTMLElement>(".when[data-span]");
    const drawn = figure?.querySelector(".ribbon svg");
    const [first, last] = (figure?.dataset["span"] ?? "").split("..").map(Number);
    if (!drawn || first === undefined || last === undefined || !(last > first)) return undefined;
    const copy = drawn.cloneNode(true) as SVGElement;
    copy.setAttribute("aria-hidden", "true");
    copy.removeAttribute("role");
    const { index, state } = this.view;
    copy.style.left = `${(100 * (first - index.start)) / state.length}%`;
    copy.style.width = `${(100 * (last - first)) / state.length}%`;
    return copy;
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    const { state } = this.view;
    const { left, width } = this.element.getBoundingClientRect();
    const timeAt = (x: number): number => Math.max(0, Math.min(1, (x - left) / width)) * state.length;
    const begin = timeAt(event.clientX);
    const moves = !state.isWhole && begin >= state.from && begin <= state.to;
    const [from, to] = [state.from, state.to];
    const stop = new AbortController();
    const { signal } = stop;
    let dragged = false;
    this.element.setPointerCapture(event.pointerId);
    this.element.addEventListener(
      "pointermove",
      (move) => {
        dragged ||= Math.abs(move.clientX - event.clientX) >= leastDrag;
        if (!dragged) return;
        const now = timeAt(move.clientX);
        if (moves) {
          const shift = Math.max(-from, Math.min(now - begin, state.length - to));
          state.setRange(from + shift, to + shift);
        } else state.setRange(Math.min(begin, now), Math.max(begin, now));
      },
      { signal },
    );
    const end = (): void => {
      stop.abort();
      if (!dragged && !moves && !state.isWhole) {
        const half = (to - from) / 2;
        const middle = Math.max(half, Math.min(begin, state.length - half));
        state.setRange(middle - half, middle + half);
      }
    };
    this.element.addEventListener("pointerup", end, { signal });
    this.element.addEventListener("pointercancel", () => stop.abort(), { signal });
  }

  /** Follows the state. */
  show(): void {
    const { from, to, length } = this.view.state;
    this.window.style.left = `${(100 * from) / length}%`;
    this.window.style.width = `${(100 * (to - from)) / length}%`;
  }
}
