// Stretches of time in which findings and rules held: a lane each, and a tint behind the charts where one is chosen.

import { color } from "./colors";
import type { Incident, Index } from "./contract";
import { nodeOf } from "./contract";
import type { Frame } from "./paint";
import type { State } from "./state";

/** The findings that have incidents, then the rules, in the order in which the page lists them. */
export function rulesWith(index: Index): string[] {
  const names = (of: boolean): string[] =>
    index.incidents.filter(({ finding }) => (finding ?? false) === of).map(({ rule }) => rule);
  return [...new Set([...names(true), ...names(false)])];
}

/** Left end and width of bands, in whole pixels; those that touch are one. */
export function stripes(frame: Frame, bands: readonly { from: number; to: number }[]): [number, number][] {
  const out: [number, number][] = [];
  for (const { from, to } of bands) {
    if (to < frame.from || from > frame.to) continue;
    const left = Math.floor(Math.max(frame.left, frame.x(from)));
    const right = Math.ceil(Math.max(left + frame.ratio, Math.min(frame.left + frame.width, frame.x(to))));
    const before = out[out.length - 1];
    if (before && left <= before[0] + before[1]) before[1] = Math.max(before[1], right - before[0]);
    else out.push([left, right - left]);
  }
  return out;
}

/** Findings by what they mean, as `./dev docs` takes them from src/result/finding_kinds.h; rules, which they explain, are gray. */
const bandColors: Readonly<Record<string, string>> = {
  "input bound": "data",
  "cpu bound": "launch",
  "io bound": "disk",
  underutilized: "launch",
  "step stalls": "between",
  "slow start": "startup",
  "slow finish": "startup",
  "between steps": "between",
  "communication bound": "communication",
  "copy bound": "copy",
  "host sync": "launch",
  "compile bound": "launch",
  "save bound": "disk",
  "gc bound": "between",
  "python bound": "between",
};

export class Incidents {
  readonly rules: string[];
  private readonly nodes = new Map<Incident, string>();
  private readonly found = new Map<string, Incident[]>();
  private readonly merged = new Map<string, { from: number; to: number }[]>();

  constructor(
    private readonly index: Index,
    private readonly state: State,
  ) {
    this.rules = rulesWith(index);
    for (const incident of index.incidents) this.nodes.set(incident, nodeOf(index, incident.node));
  }

  colorOf(rule: string): string {
    return color(bandColors[rule] ?? "rest");
  }

  /** The node an incident is at; "" where it is the job's. */
  nodeOf(incident: Incident): string {
    return this.nodes.get(incident) ?? "";
  }

  /** Of the node that is looked at, or of the job as a whole. */
  private concerns(incident: Incident): boolean {
    const node = this.nodeOf(incident);
    return this.state.node === "" || node === "" || node === this.state.node;
  }

  /** A rule's incidents at the node that is looked at, by time. */
  of(rule: string): readonly Incident[] {
    const key = `${this.state.node}\n${rule}`;
    let found = this.found.get(key);
    if (!found) {
      found = this.index.incidents
        .filter((incident) => incident.rule === rule && this.concerns(incident))
        .sort((a, b) => a.from - b.from);
      this.found.set(key, found);
    }
    return found;
  }

  /** A rule's stretches as a union: where several devices are concerned at once, one band is drawn. */
  bands(rule: string): { from: number; to: number }[] {
    const key = `${this.state.node}\n${rule}`;
    let bands = this.merged.get(key);
    if (!bands) {
      bands = [];
      for (const { from, to } of this.of(rule)) {
        const before = bands[bands.length - 1];
        if (before && from <= before.to) before.to = Math.max(before.to, to);
        else bands.push({ from, to });
      }
      this.merged.set(key, bands);
    }
    return bands;
  }

  /** What held at a moment. */
  at(time: number): string[] {
    return this.rules.flatMap((rule) => {
      const held = this.of(rule).filter(({ from, to }) => from <= time && time <= to);
      const where = [...new Set(held.map(({ device, node }) => device || node).filter((name) => name !== ""))];
      if (held.length === 0) return [];
      return [
        `${rule}${where.length === 0 ? "" : where.length > 3 ? ` (${where.length} places)` : ` (${where.join(", ")})`}`,
      ];
    });
  }

  /** Tints the stretches of what is marked. */
  paint(frame: Frame): void {
    const { marked } = this.state;
    if (!this.rules.includes(marked)) return;
    const { context, top, height } = frame;
    context.fillStyle = this.colorOf(marked);
    context.globalAlpha = 0.12;
    for (const [left, width] of stripes(frame, this.bands(marked))) context.fillRect(left, top, width, height);
    context.globalAlpha = 1;
  }
}
