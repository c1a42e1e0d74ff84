// Frames of tables that have room for all columns do not scroll: then heads can stay in sight, and there is nothing to
// reach by keyboard.

export function watchFrames(): void {
  if (typeof ResizeObserver === "undefined") return;
  const measure = (frame: HTMLElement): void => {
    if (frame.clientWidth === 0) return; // folded away
    const fits = frame.scrollWidth <= frame.clientWidth + 1;
    frame.classList.toggle("fits", fits);
    if (fits) frame.removeAttribute("tabindex");
    else frame.setAttribute("tabindex", "0");
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const frame = target.closest<HTMLElement>(".scroll");
      if (frame) measure(frame);
    }
  });
  for (const table of document.querySelectorAll<HTMLTableElement>(".scroll > table")) {
    observer.observe(table);
    if (table.parentElement) observer.observe(table.parentElement);
  }
}
