// What the page embeds for the timeline, as docs/page.md has it. Times are milliseconds after `start`.

/** Offset, count, width, delta, scale. */
export type Packed = [number, number, number, number, number];

export interface PackedDevices {
  every: number;
  block: number;
  names: string[];
  times: Packed;
  mean: Packed[];
  min?: Packed[];
  max?: Packed[];
}

export interface PackedMetric {
  metric: string;
  unit: string;
  every: number;
  block: number;
  times: Packed;
  mean: Packed;
  min?: Packed;
  max?: Packed;
  devices?: PackedDevices;
}

export interface PackedNode {
  name: string;
  metrics: PackedMetric[];
}

export interface PackedSteps {
  process: string;
  mode: string;
  every: number;
  block: number;
  starts: Packed;
  mean: Packed;
  min?: Packed;
  max?: Packed;
}

/** A stretch of time in which a rule held, or a finding (`rule` is its kind). */
export interface Incident {
  finding?: boolean;
  rule: string;
  node: string;
  device: string;
  what: string;
  from: number;
  to: number;
}

export interface Index {
  start: number;
  end: number;
  duration: number;
  nodes: PackedNode[];
  steps: PackedSteps[];
  phases: [string, number, number][];
  incidents: Incident[];
  thinned: string[];
}

/** The node that a process ("algo-1-27") or a node itself belongs to; "" where none does. */
export function nodeOf(index: Index, name: string): string {
  let found = "";
  for (const node of index.nodes)
    if ((name === node.name || name.startsWith(`${node.name}-`)) && node.name.length > found.length) found = node.name;
  return found;
}
