// What the timeline shows: one store, and whoever wants to know of changes.

/** Milliseconds after the job's start. */
export interface Range {
  from: number;
  to: number;
}

export type Change = "range" | "node" | "lines" | "mark" | "pointer";

/** Nothing shorter can be looked at, in milliseconds. */
const shortest = 10;

export class State {
  from = 0;
  to: number;
  node = ""; // all nodes
  /** Of each metric, the devices that have a line; "" is the node's own. */
  readonly devices = new Map<string, Set<string>>();
  /** The finding or rule whose stretches are tinted; "": none. */
  marked = "";
  /** The time that is pointed at, wherever the pointer is. */
  pointer: number | null = null;
  private readonly listeners: ((change: Change) => void)[] = [];

  constructor(
    readonly length: number,
    readonly nodes: readonly string[],
  ) {
    this.to = length;
    if (nodes.length === 1) this.node = nodes[0] ?? "";
  }

  get isWhole(): boolean {
    return this.from <= 0 && this.to >= this.length;
  }

  onChange(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  tell(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }

  /** Keeps the length that is asked for and moves it into the job; not shorter than the shortest. */
  setRange(from: number, to: number): void {
    if (!(Number.isFinite(from) && Number.isFinite(to))) return;
    const length = Math.min(this.length, Math.max(to - from, Math.min(shortest, this.length)));
    const first = Math.max(0, Math.min((from + to - length) / 2, this.length - length));
    if (first === this.from && first + length === this.to) return;
    this.from = first;
    this.to = first + length;
    this.tell("range");
  }

  reset(): void {
    this.setRange(0, this.length);
  }

  /** Below 1 zooms in; `at` is the time that stays where it is. */
  zoom(factor: number, at = (this.from + this.to) / 2): void {
    const length = (this.to - this.from) * factor;
    if (length >= this.length) return this.reset();
    if (length < shortest) return;
    const from = Math.max(0, Math.min(at - (at - this.from) * factor, this.length - length));
    this.setRange(from, from + length);
  }

  /** By a share of what is in view; negative is back in time. */
  pan(share: number): void {
    const length = this.to - this.from;
    const from = Math.max(0, Math.min(this.from + share * length, this.length - length));
    this.setRange(from, from + length);
  }

  setNode(node: string): void {
    if (node === this.node || (node !== "" && !this.nodes.includes(node))) return;
    if (node === "" && this.nodes.length === 1) return;
    this.node = node;
    this.tell("node");
  }

  /** The next node, and all nodes after the last. */
  nextNode(): void {
    if (this.nodes.length < 2) return;
    this.setNode(this.nodes[this.nodes.indexOf(this.node) + 1] ?? "");
  }

  devicesOf(metric: string): ReadonlySet<string> {
    return this.devices.get(metric) ?? new Set([""]);
  }

  setDevices(metric: string, names: Iterable<string>): void {
    this.devices.set(metric, new Set(names));
    this.tell("lines");
  }

  mark(rule: string): void {
    if (rule === this.marked) return;
    this.marked = rule;
    this.tell("mark");
  }

  pointAt(time: number | null): void {
    if (time === this.pointer) return;
    this.pointer = time;
    this.tell("pointer");
  }
}

/** "12000..15000" as a window; nothing for anything else. */
export function parseWindow(text: string): Range | null {
  const match = /^(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?)$/u.exec(text);
  if (!match) return null;
  const [from, to] = [Number(match[1]), Number(match[2])];
  return to >= from ? { from, to } : null;
}
