// What pointing at a mark of a drawing tells, at once and beside the pointer. It is the mark's `<title>`, which
// is taken out as long as it is shown here, or the browser would show it a second time.

import { make } from "../dom";

/** From the pointer, in pixels. */
const distance = 14;

const markAt = (target: EventTarget | null): Element | undefined => {
  for (
    let mark = target instanceof SVGElement ? target : null;
    mark && mark.tagName !== "svg";
    mark = mark.parentElement as SVGElement | null
  )
    if (titleOf(mark)) return mark;
  return undefined;
};

const titleOf = (mark: Element): Element | undefined =>
  Array.from(mark.children).find((child) => child.tagName === "title");

export function setUpTooltips(): void {
  const tip = make("div", { class: "tip", role: "tooltip", hidden: "" });
  document.querySelector("main")?.append(tip);
  let shown: { mark: Element; title: Element } | undefined;

  const hide = (): void => {
    shown?.mark.prepend(shown.title);
    shown = undefined;
    tip.hidden = true;
  };
  const place = (x: number, y: number): void => {
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, x + distance + width > innerWidth ? x - distance - width : x + distance)}px`;
    tip.style.top = `${Math.max(4, y + distance + height > innerHeight ? y - distance - height : y + distance)}px`;
  };
  const show = (target: EventTarget | null, x: number, y: number): void => {
    const isSame = shown && target instanceof Node && shown.mark.contains(target);
    const mark = isSame ? shown?.mark : markAt(target);
    if (!isSame) hide();
    const title = mark && titleOf(mark);
    if (mark && title) {
      tip.textContent = title.textContent;
      title.remove();
      shown = { mark, title };
      tip.hidden = false;
    }
    if (shown) place(x, y);
  };

  // Of a finger these come with the tap; it stays until the next one.
  for (const event of ["pointerdown", "pointermove"] as const)
    document.addEventListener(event, ({ target, clientX, clientY }) => show(target, clientX, clientY), {
      passive: true,
    });
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof SVGElement)) return;
    const { left, bottom } = target.getBoundingClientRect();
    show(target, left, bottom);
  });
  document.addEventListener("focusout", ({ target }) => {
    if (target instanceof SVGElement) hide();
  });
  document.documentElement.addEventListener("pointerleave", hide);
  document.addEventListener("scroll", hide, { passive: true, capture: true });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") hide();
  });
}
