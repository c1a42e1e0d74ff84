// A window over the page. Esc and its button close it, and focus goes back to where it was.

import { make, makeButton } from "../dom";

export const isDialogOpen = (): boolean => document.querySelector("dialog[open]") !== null;

export function openDialog(title: string, ...content: readonly Node[]): void {
  if (isDialogOpen()) return;
  const from = document.activeElement;
  const dialog = make(
    "dialog",
    { "aria-labelledby": "dialog-title" },
    make("h2", { id: "dialog-title" }, title),
    ...content,
  );
  dialog.append(makeButton("Close", () => dialog.close(), { class: "close" }));
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (from instanceof HTMLElement) from.focus();
  });
  dialog.addEventListener("click", (event) => {
    // beside it, on the backdrop, which counts as the dialog
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (event.target === dialog && (x < left || x > right || y < top || y > bottom)) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
