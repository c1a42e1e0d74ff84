// Making elements. Texts are text nodes, so that a name of a job stays text.

/** An element with attributes and children. Attributes are the page's own words, never a style. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function makeButton(
  words: string,
  press: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const button = make("button", { type: "button", ...attributes }, words);
  button.addEventListener("click", press);
  return button;
}

let status: HTMLElement | undefined;
/** Says something to who does not see it. */
export function announce(words: string): void {
  if (!status) document.body.append((status = make("p", { role: "status", class: "unseen" })));
  status.textContent = words;
}
