// The samples of the page, unpacked when they are first asked for, one block at a time.

import type { Index, Packed, PackedMetric, PackedSteps } from "./contract";
import { inflate, unpack, unpackSmall } from "./decode";
import { Series, joined } from "./series";

/** More nodes than this are shown as their mean, least and greatest. */
export const mostLines = 8;

export class Samples {
  private readonly blocks = new Map<number, Promise<Uint8Array>>();
  private readonly known = new Map<unknown, Promise<Series> | Promise<Series[]>>();

  /** `text` gives the base64 of a block. */
  constructor(
    readonly index: Index,
    private readonly text: (block: number) => string,
  ) {}

  private block(number: number): Promise<Uint8Array> {
    const bytes = this.blocks.get(number) ?? inflate(this.text(number));
    this.blocks.set(number, bytes);
    return bytes;
  }

  private once<T extends Series | Series[]>(key: unknown, make: () => Promise<T>): Promise<T> {
    const found = (this.known.get(key) as Promise<T> | undefined) ?? make();
    this.known.set(key, found as Promise<Series>);
    return found;
  }

  /** In full precision: figures are computed of it. */
  private async exact(
    { block, every, mean, min, max }: Omit<PackedMetric, "times" | "metric" | "unit">,
    times: Packed,
  ): Promise<Series> {
    const bytes = await this.block(block);
    return new Series(
      unpack(bytes, times),
      unpack(bytes, mean),
      every,
      min && unpack(bytes, min),
      max && unpack(bytes, max),
    );
  }

  metric(node: string, metric: string): PackedMetric | undefined {
    return this.index.nodes.find(({ name }) => name === node)?.metrics.find((one) => one.metric === metric);
  }

  /** The metric of every node that has it in the unit of the first: some recorders count operations, some bytes. */
  nodesWith(metric: string): { node: string; packed: PackedMetric }[] {
    const all = this.index.nodes.flatMap(({ name, metrics }) => {
      const packed = metrics.find((one) => one.metric === metric);
      return packed ? [{ node: name, packed }] : [];
    });
    return all.filter(({ packed }) => packed.unit === all[0]?.packed.unit);
  }

  /** A node's own figure: mean or sum over its devices. */
  whole(packed: PackedMetric): Promise<Series> {
    return this.once(packed, () => this.exact(packed, packed.times));
  }

  /** Mean, least and greatest over all nodes. */
  overNodes(metric: string): Promise<Series> {
    return this.once(`over nodes ${metric}`, async () =>
      joined(await Promise.all(this.nodesWith(metric).map(({ packed }) => this.whole(packed)))),
    );
  }

  /** Every device of a node's metric, in the order of its names. */
  devices(packed: PackedMetric): Promise<Series[]> {
    const { devices } = packed;
    if (!devices) return Promise.resolve([]);
    return this.once(devices, async () => {
      const bytes = await this.block(devices.block);
      const times = unpack(bytes, devices.times);
      return devices.mean.map((mean, at) => {
        const low = devices.min?.[at];
        const high = devices.max?.[at];
        return new Series(
          times,
          unpackSmall(bytes, mean),
          devices.every,
          low && unpackSmall(bytes, low),
          high && unpackSmall(bytes, high),
        );
      });
    });
  }

  /** Durations in seconds at the starts of steps. */
  steps(packed: PackedSteps): Promise<Series> {
    return this.once(packed, () => this.exact(packed, packed.starts));
  }
}
