// From the text of a block to its numbers, as docs/page.md has it.

import type { Packed } from "./contract";

/** A block's bytes. Throws where the text is no base64 of a whole zlib stream. */
export async function inflate(base64: string): Promise<Uint8Array> {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; ++at) bytes[at] = text.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function readUnsigned(bytes: Uint8Array, [offset, count, width, delta]: Packed): Uint32Array {
  if (![1, 2, 4].includes(width) || !(offset >= 0 && count >= 0) || offset + count * width > bytes.length)
    throw new RangeError("an array lies outside its block");
  const out = new Uint32Array(count);
  for (let plane = 0; plane < width; ++plane) {
    const from = offset + plane * count;
    for (let at = 0; at < count; ++at) out[at]! |= bytes[from + at]! << (8 * plane);
  }
  if (delta === 1) {
    const mask = width === 4 ? 0xffffffff : 2 ** (8 * width) - 1;
    for (let at = 1; at < count; ++at) out[at] = (out[at]! + out[at - 1]!) & mask;
  }
  return out;
}

/** Fills an array of the caller's precision; NaN where there is no sample. */
function unpackInto<T extends Float32Array | Float64Array>(out: T, bytes: Uint8Array, packed: Packed): T {
  const [, count, width, , scale] = packed;
  const stored = readUnsigned(bytes, packed);
  const none = 2 ** (8 * width) - 1;
  for (let at = 0; at < count; ++at) {
    const value = stored[at]!;
    out[at] = value === none ? NaN : value * scale;
  }
  if (scale === 0) for (let at = 0; at < count; ++at) if (out[at] === 0) out[at] = 2 ** (stored[at]! / 1600) - 1;
  return out;
}

export const unpack = (bytes: Uint8Array, packed: Packed): Float64Array =>
  unpackInto(new Float64Array(packed[1]), bytes, packed);

/** In half the memory, for what is drawn only. */
export const unpackSmall = (bytes: Uint8Array, packed: Packed): Float32Array =>
  unpackInto(new Float32Array(packed[1]), bytes, packed);
