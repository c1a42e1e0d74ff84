// A metric over time: the nodes' lines, or those of one node and of its devices.

import { ChartPanel } from "./chart_panel";
import { color, seriesColor, seriesColors } from "./colors";
import { DevicePicker } from "./device_picker";
import { paintLines } from "./paint";
import type { Frame, Line } from "./paint";
import { mostLines } from "./samples";
import { niceCeiling, wholeWords } from "./ticks";
import type { View } from "./view";

const height = 84;

const line = (name: string, series: Line["series"], at: number): Line => ({
  name,
  series,
  color: () => seriesColor(at),
  dashed: at % (2 * seriesColors) >= seriesColors,
});

export class MetricPanel extends ChartPanel {
  readonly unit: string;
  private readonly picker: DevicePicker;
  private wanted = 0;

  constructor(
    live: HTMLElement,
    private readonly metric: string,
    view: View,
  ) {
    super(live, view, height);
    this.unit = view.samples.nodesWith(metric)[0]?.packed.unit ?? "%";
    this.picker = new DevicePicker(metric, view, wholeWords(this.unit));
    live.append(this.picker.element);
  }

  /** The lines that the state asks for. */
  private async choose(): Promise<{ lines: Line[]; note: string }> {
    const { samples, state } = this.view;
    if (state.node === "") {
      const nodes = samples.nodesWith(this.metric);
      if (nodes.length > mostLines) {
        const series = await samples.overNodes(this.metric);
        const note = `Mean of ${nodes.length} nodes, band min to max. Choose a node to see it alone.`;
        return { lines: [line("mean of nodes", series, 0)], note };
      }
      const all = await Promise.all(nodes.map(({ packed }) => samples.whole(packed)));
      return { lines: all.map((series, at) => line(nodes[at]?.node ?? "", series, at)), note: "" };
    }
    const packed = samples.metric(state.node, this.metric);
    if (packed?.unit !== this.unit) return { lines: [], note: `${state.node} has no samples of this metric.` };
    const names = packed.devices?.names ?? [];
    const wanted = state.devicesOf(this.metric);
    const chosen = names.filter((name) => wanted.has(name));
    const lines: Line[] = [];
    if (chosen.length > 0) {
      const devices = await samples.devices(packed);
      for (const name of chosen) lines.push(line(name, devices[names.indexOf(name)]!, names.indexOf(name)));
    }
    if (wanted.has("") || names.length === 0) {
      const whole = line(
        names.length > 1 ? `${state.node} (${wholeWords(this.unit)})` : state.node,
        await samples.whole(packed),
        0,
      );
      lines.push(chosen.length > 0 ? { ...whole, color: () => color("ink") } : whole);
    }
    return { lines, note: lines.length === 0 ? "No line selected." : "" };
  }

  async load(): Promise<void> {
    const turn = ++this.wanted;
    this.picker.show();
    const { lines, note } = await this.choose();
    if (turn !== this.wanted) return; // the state has moved on meanwhile
    const every = this.everyOf(lines);
    this.show(lines, [note, every > 1 ? `Each point stands for ${every} samples: line mean, band min to max.` : ""]);
  }

  extent(from: number, to: number): [number, number] {
    if (this.metric === "GPU") return [0, 100];
    let most = 0;
    for (const { series } of this.lines) {
      series.band.query(Math.max(0, series.indexAt(from) - 1), series.indexAt(to) + 1);
      if (series.band.high > most) most = series.band.high;
    }
    if (this.unit === "%") return [0, Math.min(100, niceCeiling(Math.max(1, most * 1.1)))];
    return [0, niceCeiling(this.unit === "B/s" ? Math.max(most, 1000) : most)];
  }

  over(frame: Frame): void {
    paintLines(frame, this.lines);
  }
}
