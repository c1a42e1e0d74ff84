// Which section one is in: marked in the navigation while scrolling, and stepped through by keys.

import { parseHash, replaceHash } from "./permalink";

const sections = (): HTMLElement[] => Array.from(document.querySelectorAll<HTMLElement>("main section[id]"));

/** Marks the link to the section that is in a strip near the top of the window. */
export function markCurrentSection(): void {
  const links = new Map(
    Array.from(document.querySelectorAll<HTMLAnchorElement>("nav a[href^='#']"), (link) => [link.hash.slice(1), link]),
  );
  const inStrip = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) inStrip[isIntersecting ? "add" : "delete"](target);
      const current = sections()
        .filter((section) => inStrip.has(section))
        .pop();
      for (const [id, link] of links)
        if (current?.id === id) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
    },
    { rootMargin: "0px 0px -75% 0px" },
  );
  for (const section of sections()) observer.observe(section);
}

/** The section whose heading has the focus, as long as it is on the screen; else the one at the window's top. */
function currentIndex(all: readonly HTMLElement[]): number {
  const { top } = document.activeElement?.getBoundingClientRect() ?? { top: -1 };
  const focused = all.findIndex((section) => section.querySelector("h2") === document.activeElement);
  if (focused >= 0 && top >= 0 && top < innerHeight) return focused;
  return all.filter((section) => section.getBoundingClientRect().top < 40).length - 1;
}

/** Goes to the next section (1) or the one before (-1). */
export function stepSection(by: 1 | -1): void {
  const all = sections();
  const section = all[Math.min(Math.max(currentIndex(all) + by, 0), all.length - 1)];
  if (!section) return;
  section.scrollIntoView();
  const heading = section.querySelector("h2");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
  replaceHash({ ...parseHash(location.hash), id: section.id });
}
