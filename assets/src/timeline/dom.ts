// Elements with their text. Names only ever go in as text.

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

export function makeButton(text: string, act: () => void, label?: string): HTMLButtonElement {
  const button = make("button", "", text);
  button.type = "button";
  if (label) button.setAttribute("aria-label", label);
  button.addEventListener("click", act);
  return button;
}

export function makeCheckbox(text: Node | string, checked: boolean, act: (checked: boolean) => void): HTMLLabelElement {
  const box = make("input");
  box.type = "checkbox";
  box.checked = checked;
  box.addEventListener("change", () => act(box.checked));
  return make("label", "", box, text);
}

/** Runs `act` once in the next frame, however often it is asked for. */
export function coalesced(act: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      act();
    });
  };
}
