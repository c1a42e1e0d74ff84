// What pointers and the wheel do to a step: a drag of the mouse selects a range, with Shift it moves the view, as a finger
// does; two fingers and the wheel zoom, a click selects. The wheel scrolls the page unless the view has the focus or a key
// is held.

import type { State } from "../timeline/state";

const stillFor = 4; // pixels that a pointer may stray in a click

export interface Acts {
  click: (event: PointerEvent) => void;
  /** A range of time that is dragged over, while it is and when it is. */
  range: (from: number, to: number) => void;
}

export function listenToPointers(host: HTMLElement, stateNow: () => State, { click, range }: Acts): void {
  const pointers = new Map<number, PointerEvent>();
  let moved = 0;
  let selectsFrom: number | null = null;
  const timeAt = (clientX: number): number => {
    const state = stateNow();
    const { left, width } = host.getBoundingClientRect();
    return state.from + ((clientX - left) / width) * (state.to - state.from);
  };
  const apart = (): [number, number] => {
    const [a = 0, b = 0] = Array.from(pointers.values(), ({ clientX }) => clientX);
    return [Math.max(1, Math.abs(a - b)), (a + b) / 2];
  };
  host.addEventListener(
    "wheel",
    (event) => {
      if (!(event.ctrlKey || event.metaKey || event.shiftKey || document.activeElement === host)) return;
      event.preventDefault();
      const state = stateNow();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.shiftKey)
        state.pan(event.deltaX / host.clientWidth);
      else state.zoom(2 ** (Math.max(-100, Math.min(100, event.deltaY || event.deltaX)) / 150), timeAt(event.clientX));
    },
    { passive: false },
  );
  host.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) moved = 0;
    selectsFrom = event.pointerType === "mouse" && !event.shiftKey ? timeAt(event.clientX) : null;
    pointers.set(event.pointerId, event);
  });
  host.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const [before] = apart();
    pointers.set(event.pointerId, event);
    moved += Math.abs(event.clientX - last.clientX) + Math.abs(event.clientY - last.clientY);
    if (moved <= stillFor) return;
    host.setPointerCapture(event.pointerId);
    if (pointers.size > 1) {
      const [now, middle] = apart();
      stateNow().zoom(before / now, timeAt(middle));
      return;
    }
    if (selectsFrom !== null) {
      const now = timeAt(event.clientX);
      range(Math.min(selectsFrom, now), Math.max(selectsFrom, now));
      return;
    }
    stateNow().pan((last.clientX - event.clientX) / host.clientWidth);
    if (event.pointerType === "mouse") host.scrollTop += last.clientY - event.clientY;
  });
  host.addEventListener("pointerup", (event) => {
    if (pointers.delete(event.pointerId) && moved <= stillFor) click(event);
  });
  host.addEventListener("pointercancel", (event) => void pointers.delete(event.pointerId));
}
