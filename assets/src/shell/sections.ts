// Which section one is in: marked in the navigation while scrolling, and stepped through by keys.

import { parseHash, replaceHash } from "./permalink";

const sections = (): HTMLElement[] => Array.from(document.querySelectorAll<HTMLElement>("main section[id]"));

/** Marks the link to the section that is in a strip near the top of the window. */
export function markCurrentSection(): void {
  const links = new Map(Array.from(document.querySelectorAll<HTMLAnchorElement>("nav a[href^='#']"), (link) => [link.hash.slice(1), link]));
  const inStrip = new Set<Element>();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) inStrip[isIntersecting ? "add" : "delete"](target);
    const current = sections().filter((section) => inStrip.has(section)).pop();
    for (const [id, link] of links)
      if (current?.id === id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
  }, { rootMargin: "0px 0px -75% 0px" });
  for (const section of sections()) observer.observe(section);
}

let last: { section: HTMLElement; scroll: number } | undefined;

/** Goes to the next section (1) or the one before (-1). */
export function stepSection(by: 1 | -1): void {
  const all = sections();
  // At the page's end several sections are on the screen: there the last step counts, not the place.
  const at = last && last.scroll === scrollY ? all.indexOf(last.section)
    : all.filter((section) => section.getBoundingClientRect().top < 40).length - 1;
  const section = all[Math.min(Math.max(at + by, 0), all.length - 1)];
  if (!section) return;
  section.scrollIntoView();
  const heading = section.querySelector("h2");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
  last = { section, scroll: scrollY };
  replaceHash({ ...parseHash(location.hash), id: section.id });
}
