// Opens everything that is folded away, folds it again as it was, and opens it for printing.

interface Fold {
  open: boolean;
}

/** `tables`: what folds beside `<details>`. */
export class Folds {
  /** What was open when the page was opened. */
  private readonly openAtFirst: ReadonlySet<Fold>;

  constructor(private readonly tables: readonly Fold[]) {
    this.openAtFirst = new Set(this.all().filter(({ open }) => open));
  }

  get allOpen(): boolean {
    return this.all().every((fold) => fold.open);
  }

  toggle(): void {
    const open = !this.allOpen;
    for (const fold of this.all()) fold.open = open || this.openAtFirst.has(fold);
  }

  /** Calls back when something was opened or closed. */
  onChange(changed: () => void): void {
    for (const event of ["toggle", "rows"]) document.addEventListener(event, changed, true);
  }

  /** Paper shows all of a table anyway: its rows are hidden on screens only. */
  openForPrint(): void {
    let opened: HTMLDetailsElement[] = [];
    addEventListener("beforeprint", () => {
      opened = details().filter((fold) => !fold.open);
      for (const fold of opened) fold.open = true;
    });
    addEventListener("afterprint", () => {
      for (const fold of opened) fold.open = false;
      opened = [];
    });
  }

  private all(): Fold[] {
    return [...details(), ...this.tables];
  }
}

const details = (): HTMLDetailsElement[] => Array.from(document.querySelectorAll<HTMLDetailsElement>("main details"));

/** Opens what the element lies in, and itself. */
export function unfold(element: Element): void {
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true;
}
