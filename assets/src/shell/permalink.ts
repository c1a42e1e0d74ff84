// The page's address says where one is: `#steps&t=1.5..1.9&node=algo-1` is a section (or a table), and what
// the timeline shows, in seconds after the job's start. `&step=23~algo-1-605&s=1.2..3.4&sel=17` is what One step shows: a
// step of a process, a window in milliseconds after its start, and the number of a slice.

import { make } from "../dom";
import { unfold } from "./folds";
import type { Shortcut } from "./shortcuts";

/** What the timeline shows: milliseconds after the job's start, and a node's name; "" where none is chosen. */
export interface TimelineState {
  from: number;
  to: number;
  node: string;
}

export interface Timeline {
  /** null: the whole job, as it was at first. */
  getState(): TimelineState | null;
  setState(state: TimelineState): void;
  onChange(changed: () => void): void;
  shortcuts?: readonly Shortcut[];
}

/** What One step shows. */
export interface StepState {
  step: string; // "23~algo-1-605"
  from?: number; // milliseconds; both or none
  to?: number;
  selected?: number;
}

export interface StepsView {
  /** null: as it was at first. */
  getState(): StepState | null;
  setState(state: StepState): void;
  onChange(changed: () => void): void;
}

export interface Place {
  id: string;
  timeline: TimelineState | null;
  step?: StepState;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

export function parseHash(hash: string): Place {
  const [id = "", ...rest] = hash.replace(/^#/u, "").split("&");
  const value = (name: string): string =>
    decode(rest.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? "");
  const times = /^(\d{1,12}(?:\.\d{1,3})?)\.\.(\d{1,12}(?:\.\d{1,3})?)$/u.exec(value("t"));
  const [from, to] = [Number(times?.[1]) * 1000, Number(times?.[2]) * 1000];
  const place: Place = { id: decode(id), timeline: from < to ? { from, to, node: value("node") } : null };
  const step = value("step");
  if (!step) return place;
  const window = /^(\d{1,12}(?:\.\d{1,6})?)\.\.(\d{1,12}(?:\.\d{1,6})?)$/u.exec(value("s"));
  const shown = window ? { from: Number(window[1]), to: Number(window[2]) } : {};
  const selected = /^\d{1,7}$/u.test(value("sel")) ? { selected: Number(value("sel")) } : {};
  return { ...place, step: { step, ...shown, ...selected } };
}

function formatStep(step: StepState | undefined): string {
  if (!step) return "";
  const milliseconds = (time: number): string => String(Math.max(0, Math.round(time * 1e6)) / 1e6);
  const window =
    step.from !== undefined && step.to !== undefined ? `&s=${milliseconds(step.from)}..${milliseconds(step.to)}` : "";
  const selected = step.selected === undefined ? "" : `&sel=${step.selected}`;
  return `&step=${encodeURIComponent(step.step)}${window}${selected}`;
}

export function formatHash({ id, timeline, step }: Place): string {
  const seconds = (milliseconds: number): string => String(Math.max(0, Math.round(milliseconds)) / 1000);
  const shown = timeline ? `&t=${seconds(timeline.from)}..${seconds(timeline.to)}` : "";
  const node = timeline?.node ? `&node=${encodeURIComponent(timeline.node)}` : "";
  return `#${encodeURIComponent(id)}${shown}${node}${formatStep(step)}`;
}

/** Writes the address, if it is another and may be written. */
export function replaceHash(place: Place): void {
  const hash = formatHash(place);
  if (hash === location.hash || (hash === "#" && !location.hash)) return;
  try {
    history.replaceState(history.state, "", hash);
  } catch {
    // A sandbox, or too many changes in a short time: the address stays.
  }
}

/** What was at the middle of the window when the reader left, by a key in that entry's state: it is of this load of the page, since
 * states outlive it. */
const left = new Map<string, { element: Element; top: number }>();

/** Goes to a place as a link does: the browser's Back leads to where the reader was. */
export function pushPlace(place: Place): void {
  const element = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const key = element && `${performance.timeOrigin} ${left.size}`;
  if (key) left.set(key, { element, top: element.getBoundingClientRect().top });
  try {
    history.replaceState({ scrollY, left: key }, "");
    history.pushState(null, "", formatHash(place));
  } catch {
    // A sandbox, or too many changes in a short time: the address stays.
  }
}

/** After Back, to where the reader was, once the browser has gone to what the address names. What is drawn when it comes near
 * may have grown meanwhile, so that what was there counts, and how far down the page only where the page was loaded again. */
function restoreScroll({ state }: PopStateEvent): void {
  const was = state as { scrollY?: unknown; left?: unknown } | null;
  const y = was?.scrollY;
  if (typeof y !== "number") return;
  const there = typeof was?.left === "string" ? left.get(was.left) : undefined;
  requestAnimationFrame(() => {
    scrollTo(0, y);
    if (there) scrollBy(0, there.element.getBoundingClientRect().top - there.top);
  });
}

/** Gives sections' headings a link. Chapters have theirs in the navigation: a heading that opens something holds no link. */
function addLinks(): void {
  for (const heading of document.querySelectorAll("main section[id] > :is(h2, h3)")) {
    const href = `#${heading.parentElement?.id ?? ""}`;
    heading.append(make("a", { class: "permalink", href, "aria-hidden": "true", tabindex: "-1" }, "#"));
  }
}

export function setUpPermalinks(timeline: Timeline | undefined, steps?: StepsView): void {
  addLinks();
  const here = (id: string): Place => {
    const step = steps?.getState();
    return { id, timeline: timeline?.getState() ?? null, ...(step ? { step } : {}) };
  };
  const go = (): void => {
    const place = parseHash(location.hash);
    const target = document.getElementById(place.id);
    if (target) {
      unfold(target.querySelector(":scope > details:is(.body, .chapter > *)") ?? target);
      target.scrollIntoView();
    }
    if (timeline && place.timeline) timeline.setState(place.timeline);
    if (steps && place.step) steps.setState(place.step);
  };
  addEventListener("hashchange", () => {
    go();
    // A link within the page names a section only.
    replaceHash(here(parseHash(location.hash).id));
  });
  let wait: ReturnType<typeof setTimeout> | undefined;
  const write = (section: string, always: boolean) => (): void => {
    clearTimeout(wait);
    wait = setTimeout(() => replaceHash(here((always ? "" : parseHash(location.hash).id) || section)), 200);
  };
  timeline?.onChange(write("timeline", false));
  steps?.onChange(write("one-step", true));
  addEventListener("popstate", restoreScroll);
  if (location.hash) go();
}
