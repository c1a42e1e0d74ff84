// Every GPU and every core a row, time across, utilization as color.

import { margins } from "./chart";
import { color, heatColors } from "./colors";
import { clockAfter, humanDuration } from "../format";
import { make } from "./dom";
import { listenToGestures } from "./gestures";
import { heatCells } from "./heat_cells";
import type { HeatRow } from "./heat_cells";
import { decimalsFor, valueWords } from "./ticks";
import { hideTip, showTip } from "./tip";
import { circumstances, momentWords } from "./view";
import type { Panel, View } from "./view";

const thinnest = 3;
const thickest = 16;
const tallest = 420; // what rows may take together before they are at their thinnest
const readable = 11; // rows of this height have labels of their own
const mostGpus = 128; // of all nodes together; more are shown as the mean of each node
const hint = "Point at a cell, or use the arrow keys, to read it. Blank: no samples.";
const steps = 100; // how many presses of a key lead from one side to the other

export class HeatPanel implements Panel {
  private rows: HeatRow[] = [];
  private readonly host = make("div", "heat");
  private readonly canvas = make("canvas");
  private readonly area = make("div", "heat-area");
  private readonly cursor = make("div", "heat-cursor");
  private readonly moment = make("div", "heat-moment"); // what another panel is pointed at
  private readonly said = make("p", "note");
  private readonly bar = make("canvas");
  private cell: { row: number; share: number } | null = null;
  private wanted = 0;

  constructor(
    live: HTMLElement,
    private readonly view: View,
  ) {
    this.host.tabIndex = 0;
    this.host.setAttribute("role", "application");
    this.host.setAttribute("aria-label", "Heat map; arrow keys move between cells");
    this.canvas.setAttribute("aria-hidden", "true");
    this.said.setAttribute("aria-live", "polite");
    this.bar.width = 256;
    this.bar.height = 1;
    this.bar.setAttribute("aria-hidden", "true");
    this.area.append(this.cursor, this.moment);
    this.moment.hidden = true;
    this.host.append(this.canvas, this.area);
    live.append(this.host, make("p", "scale-bar", "0%", this.bar, "100% utilization"), this.said);
    this.cursor.hidden = true;
    listenToGestures(this.area, view.state);
    this.area.addEventListener("mousemove", (event) => this.hover(event));
    this.area.addEventListener("mouseleave", () => {
      hideTip(this.host);
      view.state.pointAt(null);
    });
    this.host.addEventListener("keydown", (event) => this.key(event));
  }

  /** GPUs first, then cores; of all nodes together, every GPU and the mean of each node's cores. */
  async load(): Promise<void> {
    const turn = ++this.wanted;
    const { samples, state, index } = this.view;
    const [gpus, cores]: [HeatRow[], HeatRow[]] = [[], []];
    const all = samples.nodesWith("GPU").reduce((sum, { packed }) => sum + (packed.devices?.names.length ?? 1), 0);
    const crowded = all > mostGpus;
    for (const node of state.node === "" ? index.nodes.map(({ name }) => name) : [state.node]) {
      const prefix = state.node === "" ? `${node} ` : "";
      for (const [metric, rows, group] of [
        ["GPU", gpus, "GPUs"],
        ["CPU", cores, "cores"],
      ] as const) {
        const packed = samples.metric(node, metric);
        if (!packed) continue;
        const whole = !packed.devices || (state.node === "" && (metric === "CPU" || crowded));
        if (whole) rows.push({ label: `${prefix}${metric}`, group, series: await samples.whole(packed) });
        else
          (await samples.devices(packed)).forEach((series, at) =>
            rows.push({ label: `${prefix}${packed.devices?.names[at] ?? ""}`, group, series }),
          );
        if (turn !== this.wanted) return;
      }
    }
    this.rows = [...gpus, ...cores];
    this.cell = null;
    this.said.textContent = `${state.node === "" ? `${crowded ? "GPUs and cores" : "Cores"} are averaged by node; choose a node to see each. ` : ""}${hint}`;
    this.draw();
  }

  recolor(): void {
    this.draw();
  }

  resize(): void {
    this.draw();
  }

  private get rowHeight(): number {
    return Math.max(thinnest, Math.min(thickest, Math.floor(tallest / Math.max(1, this.rows.length))));
  }

  draw(): void {
    const outer = this.host.clientWidth;
    const { left, right } = margins(outer);
    const columns = Math.floor(outer - left - right);
    if (columns < 1 || this.rows.length === 0) return;
    const height = this.rowHeight * this.rows.length;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(outer * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${outer}px`;
    this.canvas.style.height = this.area.style.height = `${height}px`;
    this.area.style.left = `${left}px`;
    this.area.style.width = `${columns}px`;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const palette = heatColors();
    this.paintBar(palette);
    const { from, to } = this.view.state;
    const cells = heatCells(this.rows, from, to, columns);
    const image = new ImageData(columns, this.rows.length);
    for (let at = 0; at < cells.length; ++at) {
      const value = cells[at]!;
      if (value !== value) continue;
      const level = 4 * Math.round(Math.max(0, Math.min(100, value)) * 2.55);
      for (let part = 0; part < 4; ++part) image.data[4 * at + part] = palette[level + part]!;
    }
    const small = make("canvas");
    small.width = columns;
    small.height = this.rows.length;
    small.getContext("2d")?.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.scale(ratio, ratio);
    context.drawImage(small, left, 0, columns, height);
    this.paintLabels(context, left);
    this.moveCursor();
  }

  private paintBar(palette: Uint8ClampedArray): void {
    const image = new ImageData(256, 1);
    image.data.set(palette);
    this.bar.getContext("2d")?.putImageData(image, 0, 0);
  }

  private paintLabels(context: CanvasRenderingContext2D, left: number): void {
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = color("quiet");
    context.textAlign = "right";
    context.textBaseline = "middle";
    this.rows.forEach(({ label, group }, row) => {
      const begins = this.rows[row - 1]?.group !== group;
      if (begins && row > 0) context.fillRect(0, row * this.rowHeight, left, 0.5);
      const middle = this.rowHeight >= readable ? (row + 0.5) * this.rowHeight : row * this.rowHeight + 7;
      const text = this.rowHeight >= readable ? label : begins ? group : "";
      if (text) context.fillText(elided(context, text, left - 8), left - 6, middle);
    });
  }

  private cellWords(row: number, time: number): string {
    const one = this.rows[row];
    return one ? `${one.label}: ${valueWords(one.series.values[one.series.nearest(time)] ?? NaN, "%")}` : "";
  }

  private hover(event: MouseEvent): void {
    const { left, top, width } = this.area.getBoundingClientRect();
    const row = Math.floor((event.clientY - top) / this.rowHeight);
    const { from, to } = this.view.state;
    const time = from + ((event.clientX - left) / width) * (to - from);
    const others = this.view.panels.flatMap((panel) => panel.words?.(time) ?? []);
    const lines = [momentWords(this.view, time), ...others, ...circumstances(this.view, time)];
    showTip(
      this.host,
      event.clientX - left + this.area.offsetLeft,
      event.clientY - top,
      lines,
      this.cellWords(row, time),
    );
    this.view.state.pointAt(time);
  }

  follow(time: number | null): void {
    const { from, to } = this.view.state;
    this.moment.hidden = time === null || time < from || time > to;
    if (time !== null) this.moment.style.left = `${(100 * (time - from)) / (to - from)}%`;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.rows.length === 0) return;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const { row, share } = this.cell ?? { row: 0 - move[0], share: 0.5 };
    this.cell = {
      row: Math.max(0, Math.min(this.rows.length - 1, row + move[0])),
      share: Math.max(0, Math.min(1, share + move[1] / steps)),
    };
    this.moveCursor();
    const { from, to } = this.view.state;
    const time = from + this.cell.share * (to - from);
    const moment = clockAfter(this.view.index.start, time, decimalsFor(to - from));
    this.said.textContent = `${this.cellWords(this.cell.row, time)} at ${moment} UTC, ${humanDuration(time / 1000)} after the start`;
  }

  private moveCursor(): void {
    this.cursor.hidden = this.cell === null;
    if (!this.cell) return;
    this.cursor.style.left = `${this.cell.share * 100}%`;
    this.cursor.style.top = `${this.cell.row * this.rowHeight}px`;
    this.cursor.style.height = `${this.rowHeight}px`;
  }
}

function elided(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let end = Math.min(text.length, 40);
  while (end > 1 && context.measureText(`…${text.slice(-end)}`).width > width) --end;
  return `…${text.slice(-end)}`;
}
