// An icicle's bar can be clicked: it and what is inside of it take the whole width, until "Show all" is pressed.

import { makeButton } from "../dom";

/** Where a bar is drawn, in units of the drawing. */
export interface Span {
  x: number;
  width: number;
}

/** Where a bar goes when `to` takes `whole`: null: out of sight. What lies around `to` is as wide as everything. */
export function zoomed({ x, width }: Span, to: Span, whole: number): Span | null {
  const scale = whole / to.width;
  const from = Math.max(0, (x - to.x) * scale);
  const end = Math.min(whole, (x + width - to.x) * scale);
  return end - from >= 0.5 ? { x: from, width: end - from } : null;
}

interface Bar extends Span {
  group: SVGGElement;
  rect: SVGRectElement;
  label: SVGTextElement | null;
  words: string; // of the label, at first
  name: string;
}

const least = 30; // units from which a bar has its name, as src/chart/icicle.cpp has it
const perCharacter = 6.2; // units; labels are 11 units high

function barsOf(svg: SVGSVGElement): Bar[] {
  return Array.from(svg.querySelectorAll<SVGGElement>("g[data-key] > g"), (group) => {
    const rect = group.querySelector("rect")!;
    const label = group.querySelector("text");
    const title = group.querySelector("title")?.textContent ?? "";
    const end = title.lastIndexOf(": "); // of the name; figures follow
    return {
      group,
      rect,
      label,
      x: Number(rect.getAttribute("x") ?? 0),
      width: Number(rect.getAttribute("width")),
      words: label?.textContent ?? "",
      name: end > 0 ? title.slice(0, end) : title,
    };
  });
}

/** A label for what had no room for one: like the first one that the drawing has. */
function addLabel(bar: Bar, like: SVGTextElement): SVGTextElement {
  const label = like.cloneNode() as SVGTextElement;
  label.setAttribute("y", String(Number(bar.rect.getAttribute("y") ?? 0) + 13));
  bar.group.append(label);
  return label;
}

function place(bar: Bar, span: Span | null, isAll: boolean, like: SVGTextElement | null): void {
  bar.group.style.display = span ? "" : "none";
  if (!span) return;
  bar.rect.setAttribute("x", String(span.x));
  bar.rect.setAttribute("width", String(Math.max(span.width, 0.5)));
  const has = span.width >= least;
  if (has && !bar.label && like) bar.label = addLabel(bar, like);
  if (!bar.label) return;
  bar.label.style.display = has && (!isAll || bar.words !== "") ? "" : "none";
  bar.label.setAttribute("x", String(span.x + 4));
  const room = Math.floor((span.width - 8) / perCharacter);
  bar.label.textContent = isAll ? bar.words : bar.name.length > room ? `${bar.name.slice(0, room - 1)}…` : bar.name;
}

function setUp(figure: HTMLElement): void {
  const svg = figure.querySelector<SVGSVGElement>("svg.chart:not(.phone)");
  if (!svg) return;
  const whole = svg.viewBox.baseVal.width;
  const bars = barsOf(svg);
  const like = svg.querySelector("text");
  const show = (to: Span | null): void => {
    for (const bar of bars) place(bar, to ? zoomed(bar, to, whole) : bar, !to, like);
    all.hidden = !to;
  };
  const all = makeButton("Show all", () => show(null), { class: "unzoom", hidden: "" });
  figure.querySelector(".scroll")?.before(all);
  svg.addEventListener("click", ({ target }) => {
    const bar = bars.find(({ group }) => target instanceof Node && group.contains(target));
    if (bar) show(bar);
  });
}

export function setUpIcicles(): void {
  for (const figure of document.querySelectorAll<HTMLElement>("figure[data-zooms]")) setUp(figure);
}
