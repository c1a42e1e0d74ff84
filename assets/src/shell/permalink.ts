// The page's address says where one is: `#steps&t=1.5..1.9&node=algo-1` is a section (or a table), and what
// the timeline shows, in seconds after the job's start.

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

export interface Place {
  id: string;
  timeline: TimelineState | null;
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
  return { id: decode(id), timeline: from < to ? { from, to, node: value("node") } : null };
}

export function formatHash({ id, timeline }: Place): string {
  const seconds = (milliseconds: number): string => String(Math.max(0, Math.round(milliseconds)) / 1000);
  const shown = timeline ? `&t=${seconds(timeline.from)}..${seconds(timeline.to)}` : "";
  const node = timeline?.node ? `&node=${encodeURIComponent(timeline.node)}` : "";
  return `#${encodeURIComponent(id)}${shown}${node}`;
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

/** Goes to a place as a link does: the browser's Back leads to where the reader was. */
export function pushPlace(place: Place): void {
  try {
    history.replaceState({ scrollY }, "");
    history.pushState(null, "", formatHash(place));
  } catch {
    // A sandbox, or too many changes in a short time: the address stays.
  }
}

/** After Back, to where the reader was, once the browser has gone to what the address names. */
function restoreScroll({ state }: PopStateEvent): void {
  const y: unknown = (state as { scrollY?: unknown } | null)?.scrollY;
  if (typeof y === "number") requestAnimationFrame(() => scrollTo(0, y));
}

/** Gives sections' headings a link; others have the same links in the navigation. */
function addLinks(): void {
  for (const heading of document.querySelectorAll("main section[id] > h2")) {
    const href = `#${heading.parentElement?.id ?? ""}`;
    heading.append(make("a", { class: "permalink", href, "aria-hidden": "true", tabindex: "-1" }, "#"));
  }
}

export function setUpPermalinks(timeline: Timeline | undefined): void {
  addLinks();
  const go = (): void => {
    const place = parseHash(location.hash);
    const target = document.getElementById(place.id);
    if (target) {
      unfold(target.querySelector(":scope > details.body") ?? target);
      target.scrollIntoView();
    }
    if (timeline && place.timeline) timeline.setState(place.timeline);
  };
  addEventListener("hashchange", () => {
    go();
    // A link within the page names a section only.
    replaceHash({ id: parseHash(location.hash).id, timeline: timeline?.getState() ?? null });
  });
  let wait: ReturnType<typeof setTimeout> | undefined;
  timeline?.onChange(() => {
    clearTimeout(wait);
    wait = setTimeout(
      () => replaceHash({ id: parseHash(location.hash).id || "timeline", timeline: timeline.getState() }),
      200,
    );
  });
  addEventListener("popstate", restoreScroll);
  if (location.hash) go();
}
