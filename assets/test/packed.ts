// Writes samples as docs/page.md has them, for tests: an index and its blocks.

import { deflateSync } from "node:zlib";
import type { Packed } from "../src/timeline/contract";

export class Packer {
  private bytes: number[] = [];

  /** Values as stored (not scaled); null is no sample. */
  add(stored: (number | null)[], width: 1 | 2 | 4, delta: 0 | 1, scale: number): Packed {
    const modulo = 2 ** (8 * width);
    const whole = stored.map((value) => value ?? modulo - 1);
    const written = whole.map((value, at) => (delta && at > 0 ? (value - whole[at - 1]! + modulo) % modulo : value));
    const offset = this.bytes.length;
    for (let plane = 0; plane < width; ++plane)
      for (const value of written) this.bytes.push(Math.floor(value / 2 ** (8 * plane)) % 256);
    return [offset, stored.length, width, delta, scale];
  }

  base64(): string {
    return deflateSync(Uint8Array.from(this.bytes)).toString("base64");
  }
}
