// Which section one is in: marked in the navigation while scrolling, and stepped through by keys.

import { parseHash, replaceHash } from "./permalink";

const all = (selector: string): HTMLElement[] => Array.from(document.querySelectorAll<HTMLElement>(selector));

/** The report's chapters; the sections of a page that has none. */
const headed = (): HTMLElement[] => all("main > section[id]");

/** What opens a chapter; else the heading. */
const headOf = (section: HTMLElement): HTMLElement | null =>
  section.querySelector<HTMLElement>(":scope > details > summary") ?? section.querySelector<HTMLElement>("h2");

/** The navigation lists what is in a chapter while the chapter is open. */
function listOpenChapters(links: ReadonlyMap<string, HTMLAnchorElement>): void {
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.matches(".chapter > details")) return;
      const entry = links.get(target.parentElement?.id ?? "")?.parentElement;
      if (entry) entry.className = target.open ? "open" : "closed";
    },
    true,
  );
}

/** Marks the links to the section that is in a strip near the top of the window, and to its chapter. */
export function markCurrentSection(): void {
  const links = new Map(
    Array.from(document.querySelectorAll<HTMLAnchorElement>("nav a[href^='#']"), (link) => [link.hash.slice(1), link]),
  );
  listOpenChapters(links);
  const sections = all("main section[id]");
  const inStrip = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) inStrip[isIntersecting ? "add" : "delete"](target);
      const current = sections.filter((section) => inStrip.has(section)).pop();
      const marked = new Set([current?.id, current?.closest(".chapter")?.id]);
      for (const [id, link] of links)
        if (marked.has(id)) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
    },
    { rootMargin: "0px 0px -75% 0px" },
  );
  for (const section of sections) observer.observe(section);
}

/** The section whose heading has the focus, as long as it is on the screen; else the one at the window's top. */
function currentIndex(sections: readonly HTMLElement[]): number {
  const { top } = document.activeElement?.getBoundingClientRect() ?? { top: -1 };
  const focused = sections.findIndex((section) => headOf(section) === document.activeElement);
  if (focused >= 0 && top >= 0 && top < innerHeight) return focused;
  return sections.filter((section) => section.getBoundingClientRect().top < 40).length - 1;
}

/** Goes to the next section (1) or the one before (-1). */
export function stepSection(by: 1 | -1): void {
  const sections = headed();
  const section = sections[Math.min(Math.max(currentIndex(sections) + by, 0), sections.length - 1)];
  if (!section) return;
  section.scrollIntoView();
  const head = headOf(section);
  if (head?.matches("h2")) head.setAttribute("tabindex", "-1");
  head?.focus({ preventScroll: true });
  replaceHash({ ...parseHash(location.hash), id: section.id });
}
