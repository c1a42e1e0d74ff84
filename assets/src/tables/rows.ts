// Which rows of a table are seen, and in which order: with a filter those that match; without one the first
// few, as long as the table is folded.

import { rawText, shownText } from "./cells";
import { isMatch } from "./match";

export class Rows {
  /** Every row, as the report has them. */
  readonly all: readonly HTMLTableRowElement[];
  private order: readonly HTMLTableRowElement[];
  private query = "";
  private isOpen = false;

  /** `few`: how many are seen while it is folded. */
  constructor(
    readonly table: HTMLTableElement,
    readonly few = Infinity,
  ) {
    this.all = Array.from(table.tBodies[0]?.rows ?? []);
    this.order = this.all;
    this.show();
  }

  get caption(): string {
    return (this.table.caption?.textContent ?? "").trim();
  }

  get canFold(): boolean {
    return this.few < this.all.length;
  }

  get open(): boolean {
    return this.isOpen || !this.canFold;
  }

  set open(open: boolean) {
    this.isOpen = open;
    this.show();
  }

  get isFiltered(): boolean {
    return this.query !== "";
  }

  /** What the filter leaves, in the order in which it is seen. */
  matching(): HTMLTableRowElement[] {
    return this.order.filter((row) => !row.hidden);
  }

  arrange(order: readonly HTMLTableRowElement[]): void {
    this.order = order;
    this.table.tBodies[0]?.append(...order);
    this.show();
  }

  filter(query: string): void {
    this.query = query.trim();
    for (const row of this.all) row.hidden = !isMatch(textOf(row), this.query);
    this.show();
  }

  /** Folded rows are hidden by a class, which does not count on paper. */
  private show(): void {
    const few = this.open || this.query ? Infinity : this.few;
    this.order.forEach((row, at) => row.classList.toggle("folded", at >= few));
    this.table.dispatchEvent(new Event("rows"));
  }
}

/** What a row can be found by: what it shows, and the plain numbers. */
const textOf = (row: HTMLTableRowElement): string =>
  Array.from(row.cells, (cell) => `${shownText(cell)} ${rawText(cell)}`).join(" ");
