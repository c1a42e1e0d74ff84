// What pointer, wheel and fingers do on a chart. The page's own scrolling stays: a wheel zooms only with a key held,
// and a finger selects only after a long press.

import type uPlot from "uplot";
import { make } from "./dom";
import type { State } from "./state";

const longPress = 450; // milliseconds
const leastDrag = 4; // pixels; less is a click
const stillFor = 10; // pixels that a finger may stray meanwhile

export function listenToGestures(over: HTMLElement, state: State, plot?: uPlot): void {
  const share = (clientX: number): number => {
    const { left, width } = over.getBoundingClientRect();
    return Math.max(0, Math.min(1, (clientX - left) / width));
  };
  const timeAt = (clientX: number): number => state.from + share(clientX) * (state.to - state.from);

  over.addEventListener(
    "wheel",
    (event) => {
      if (!(event.ctrlKey || event.metaKey || event.shiftKey)) return;
      event.preventDefault();
      const turned = event.deltaY || event.deltaX;
      state.zoom(2 ** (Math.max(-100, Math.min(100, turned)) / 150), timeAt(event.clientX));
    },
    { passive: false },
  );
  over.addEventListener("dblclick", () => state.reset());
  over.addEventListener("mousedown", (event) => {
    if (event.button !== 0) return;
    if (event.shiftKey) drag(over, state, event);
    else if (!plot) selectByPointer(over, event, timeAt, state); // a plot does so itself
  });
  if (plot) selectByFinger(over, plot, share, timeAt, state);
}

/** Marks what the pointer is dragged over, and shows that. */
function selectByPointer(over: HTMLElement, begin: MouseEvent, timeAt: (x: number) => number, state: State): void {
  begin.preventDefault();
  const mark = make("div", "selection");
  over.append(mark);
  const { left, width } = over.getBoundingClientRect();
  const within = (x: number): number => Math.max(0, Math.min(width, x - left));
  const move = (event: MouseEvent): void => {
    const [from, to] = [within(begin.clientX), within(event.clientX)].sort((a, b) => a - b) as [number, number];
    mark.style.left = `${from}px`;
    mark.style.width = `${to - from}px`;
  };
  const end = (event: MouseEvent): void => {
    document.removeEventListener("mousemove", move);
    document.removeEventListener("mouseup", end);
    mark.remove();
    if (Math.abs(event.clientX - begin.clientX) < leastDrag) return;
    const [from, to] = [timeAt(begin.clientX), timeAt(event.clientX)].sort((a, b) => a - b) as [number, number];
    state.setRange(from, to);
  };
  document.addEventListener("mousemove", move);
  document.addEventListener("mouseup", end);
}

/** Moves the view with the pointer until the button is let go. */
function drag(over: HTMLElement, state: State, begin: MouseEvent): void {
  begin.preventDefault();
  let last = begin.clientX;
  const move = (event: MouseEvent): void => {
    state.pan((last - event.clientX) / over.clientWidth);
    last = event.clientX;
  };
  const end = (): void => {
    document.removeEventListener("mousemove", move);
    document.removeEventListener("mouseup", end);
  };
  document.addEventListener("mousemove", move);
  document.addEventListener("mouseup", end);
}

function selectByFinger(
  over: HTMLElement,
  plot: uPlot,
  share: (x: number) => number,
  timeAt: (x: number) => number,
  state: State,
): void {
  let timer = 0;
  let begin: Touch | undefined;
  let selecting = false;
  const stop = (): void => {
    clearTimeout(timer);
    selecting = false;
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  };
  over.addEventListener(
    "touchstart",
    (event) => {
      stop();
      begin = event.touches.length === 1 ? event.touches[0] : undefined;
      if (begin) timer = window.setTimeout(() => (selecting = true), longPress);
    },
    { passive: true },
  );
  over.addEventListener(
    "touchmove",
    (event) => {
      const now = event.touches[0];
      if (!begin || !now) return;
      if (!selecting) {
        if (Math.hypot(now.clientX - begin.clientX, now.clientY - begin.clientY) > stillFor) clearTimeout(timer);
        return;
      }
      event.preventDefault();
      const [left, right] = [share(begin.clientX), share(now.clientX)].sort((a, b) => a - b) as [number, number];
      const width = over.clientWidth;
      plot.setSelect({ left: left * width, top: 0, width: (right - left) * width, height: over.clientHeight }, false);
    },
    { passive: false },
  );
  over.addEventListener("touchend", (event) => {
    const now = event.changedTouches[0];
    const chosen = selecting && begin && now && Math.abs(now.clientX - begin.clientX) > stillFor;
    const [from, to] = chosen
      ? ([timeAt(begin!.clientX), timeAt(now.clientX)].sort((a, b) => a - b) as [number, number])
      : [0, 0];
    stop();
    if (chosen) state.setRange(from, to);
  });
  over.addEventListener("touchcancel", stop);
  over.addEventListener("contextmenu", (event) => {
    if (selecting) event.preventDefault();
  });
}

/** What a key does to the timeline; false where it means nothing here. */
export function actOnKey(state: State, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (event.key) {
    case "ArrowLeft":
      state.pan(-0.25);
      break;
    case "ArrowRight":
      state.pan(0.25);
      break;
    case "+":
    case "=":
      state.zoom(0.5);
      break;
    case "-":
    case "_":
      state.zoom(2);
      break;
    case "0":
    case "Home":
      state.reset();
      break;
    default:
      return false;
  }
  return true;
}
