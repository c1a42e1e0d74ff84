// Light, dark, or as the system has it. The choice is kept where the browser allows it: a page opened from
// a file or in a sandbox may have no storage.

export type Theme = "auto" | "light" | "dark";

const order: readonly Theme[] = ["auto", "light", "dark"];
const storageKey = "debrief-theme";

/** The theme after this one, round and round. */
export function nextTheme(theme: Theme): Theme {
  return order[(order.indexOf(theme) + 1) % order.length] ?? "auto";
}

/** What was stored, if it is a theme. */
export function parseTheme(stored: string | null): Theme {
  return order.find((theme) => theme === stored) ?? "auto";
}

function load(): Theme {
  try {
    return parseTheme(localStorage.getItem(storageKey));
  } catch {
    return "auto";
  }
}

function store(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // No storage here: the choice lasts as long as the page.
  }
}

function apply(theme: Theme, button: HTMLElement): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  button.textContent = `Theme: ${theme}`;
}

/** Makes the button change the theme. */
export function setUpTheme(button: HTMLElement): void {
  let theme = load();
  apply(theme, button);
  button.addEventListener("click", () => {
    theme = nextTheme(theme);
    store(theme);
    apply(theme, button);
  });
}
