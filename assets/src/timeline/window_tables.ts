// Tables of the page whose figures follow the window: system usage and durations of steps. For the whole job they hold
// what C++ wrote, node by node as it was.

import { clockAfter, exactPercent } from "../format";
import { columnsOf, keyOf } from "../tables/cells";
import { figureOf, setFigure } from "../tables/units";
import type { Figure } from "../tables/units";
import type { Index } from "./contract";
import { make, makeButton } from "./dom";
import { noFigures, stepFigures, usageFigures } from "./figures";
import type { Figures } from "./figures";
import type { Range } from "./state";
import { decimalsFor } from "./ticks";
import type { View } from "./view";

/** Replaces cells' contents, and can put everything back. */
class Changes {
  private readonly figures = new Map<HTMLElement, Figure>();
  private readonly texts = new Map<Element, string>();
  private readonly attributes = new Map<Element, Map<string, string | null>>();

  figure(cell: HTMLElement, figure: Figure): void {
    if (!this.figures.has(cell)) this.figures.set(cell, figureOf(cell));
    setFigure(cell, figure);
  }

  attribute(element: Element, name: string, value: string): void {
    const first = this.attributes.get(element) ?? new Map<string, string | null>();
    this.attributes.set(element, first);
    if (!first.has(name)) first.set(name, element.getAttribute(name));
    element.setAttribute(name, value);
  }

  /** Another text, made of the first one. */
  text(element: Element, words: (first: string) => string): void {
    const first = this.texts.get(element) ?? element.textContent;
    this.texts.set(element, first);
    element.textContent = words(first);
  }

  undo(): void {
    for (const [element, text] of this.texts) element.textContent = text;
    this.texts.clear();
    for (const [cell, figure] of this.figures) setFigure(cell, figure);
    for (const [element, first] of this.attributes)
      for (const [name, value] of first) {
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      }
    this.figures.clear();
    this.attributes.clear();
  }
}

/** The bar of sections/system_usage.cpp: from the least to the greatest, and from the median to the 99th percentile upon it. */
function drawBar(changes: Changes, cell: Element, { min, p50, p99, max }: Figures): void {
  const svg = cell.querySelector("svg");
  const [pale, strong] = [cell.querySelector("rect.pale"), cell.querySelector("rect.strong")];
  if (!svg || !pale || !strong) return;
  const known = p50 === p50;
  const words = `min ${exactPercent(min)}, median ${exactPercent(p50)}, p99 ${exactPercent(p99)}, max ${exactPercent(max)}`;
  changes.attribute(svg, "aria-label", known ? words : "no sample");
  const stretch = (bar: Element, from: number, to: number): void => {
    changes.attribute(bar, "x", known ? String(Number(Math.min(from, 99).toPrecision(4))) : "0");
    changes.attribute(bar, "width", known ? String(Number(Math.max(to - from, 1).toPrecision(4))) : "0");
  };
  stretch(pale, min, max);
  stretch(strong, p50, p99);
}

class WindowTable {
  private readonly changes = new Changes();
  private readonly columns: string[];
  private readonly words = make("span");
  private readonly notice: HTMLElement;
  private turn = 0;

  constructor(
    private readonly table: HTMLTableElement,
    private readonly view: View,
    /** Keys of the columns that say what a row is about. */
    private readonly names: string[],
    private readonly figuresOf: (row: string[], range: Range) => Promise<Figures> | null,
    private readonly approximate: boolean,
  ) {
    this.columns = columnsOf(table);
    this.notice = make(
      "p",
      "window",
      this.words,
      " ",
      makeButton("Show the whole job", () => view.state.reset()),
    );
    this.notice.hidden = true;
    const frame = table.closest(".scroll") ?? table;
    const columns = frame.previousElementSibling;
    (columns?.matches(".more-columns") ? columns : frame).before(this.notice);
  }

  async show(): Promise<void> {
    const { state, index } = this.view;
    const turn = ++this.turn;
    this.notice.hidden = state.isWhole;
    if (state.isWhole) {
      this.changes.undo();
      return;
    }
    const range = { from: state.from, to: state.to };
    const found: { row: HTMLTableRowElement; figures: Figures }[] = [];
    for (const row of Array.from(this.table.tBodies[0]?.rows ?? [])) {
      const figures = await this.figuresOf(
        this.names.map((name) => keyOf(this.cell(row, name))),
        range,
      );
      if (turn !== this.turn) return;
      found.push({ row, figures: figures ?? noFigures });
    }
    for (const { row, figures } of found) this.write(row, figures);
    for (const head of Array.from(this.table.tHead?.rows[0]?.cells ?? [])) head.removeAttribute("aria-sort"); // no longer true
    this.words.textContent = noticeWords(index, range, this.approximate);
    if (this.table.caption) this.changes.text(this.table.caption, (whole) => `${whole}, ${windowWords(index, range)}`);
  }

  private cell(row: HTMLTableRowElement, column: string): HTMLTableCellElement | undefined {
    return row.cells[this.columns.indexOf(column)];
  }

  private write(row: HTMLTableRowElement, figures: Figures): void {
    for (const [column, figure] of Object.entries(figures.cells)) {
      const cell = this.cell(row, column);
      if (cell) this.changes.figure(cell, figure);
    }
    const bar = row.querySelector("td.drawing");
    if (bar) drawBar(this.changes, bar, figures);
  }
}

function windowWords(index: Index, { from, to }: Range): string {
  const decimals = decimalsFor(to - from);
  return `from ${clockAfter(index.start, from, decimals)} to ${clockAfter(index.start, to, decimals)} UTC`;
}

function noticeWords(index: Index, range: Range, approximate: boolean): string {
  const words = `Values ${windowWords(index, range)}.`;
  return approximate ? `${words} They are approximate: each point of the timeline stands for several samples.` : words;
}

/** Tables of a section that have these columns. */
function tablesWith(section: string, columns: string[]): HTMLTableElement[] {
  return Array.from(document.querySelectorAll<HTMLTableElement>(`#${section} table`)).filter((table) => {
    const all = columnsOf(table);
    return columns.every((column) => all.includes(column));
  });
}

export class WindowTables {
  private readonly tables: WindowTable[];

  constructor(view: View) {
    const { samples, index } = view;
    const usage = ([node = "", metric = ""]: string[], range: Range): Promise<Figures> | null => {
      const packed = samples.metric(node, metric);
      return packed ? usageFigures(samples, packed, range) : null;
    };
    const steps = ([process, mode]: string[], range: Range): Promise<Figures> | null => {
      const packed = index.steps.find((one) => one.process === process && one.mode === mode);
      return packed ? stepFigures(samples, packed, range) : null;
    };
    const usageIsThin = index.nodes.some(({ metrics }) => metrics.some(({ every }) => every > 1));
    const stepsAreThin = index.steps.some(({ every }) => every > 1);
    this.tables = [
      ...tablesWith("system-usage", ["node", "metric", "p50"]).map(
        (table) => new WindowTable(table, view, ["node", "metric"], usage, usageIsThin),
      ),
      ...tablesWith("steps", ["process", "mode", "count", "p50"]).map(
        (table) => new WindowTable(table, view, ["process", "mode"], steps, stepsAreThin),
      ),
    ];
  }

  async show(): Promise<void> {
    await Promise.all(this.tables.map((table) => table.show()));
  }
}
