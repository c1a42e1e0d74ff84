// Pixels set one by one and shown at once: thousands of marks on a canvas cost a browser without a graphics card far
// more than writing their pixels.

/** "rgb(11, 92, 173)" or "#0b5cad" as a number in ImageData's order of bytes. */
export function pixelColor(text: string): number {
  const hex = text.startsWith("#");
  const [red = 0, green = 0, blue = 0] = (text.match(hex ? /[\da-f]{2}/giu : /[\d.]+/gu) ?? []).map((part) =>
    hex ? parseInt(part, 16) : Number(part),
  );
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

export class Bitmap {
  private readonly bytes: Uint8ClampedArray<ArrayBuffer>;
  private readonly pixels: Uint32Array;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.bytes = new Uint8ClampedArray(4 * width * height);
    this.pixels = new Uint32Array(this.bytes.buffer);
  }

  get(x: number, y: number): number {
    return this.pixels[y * this.width + x] ?? 0;
  }

  /** The pixels of a rectangle, cut at the edges; all numbers whole. */
  fill(left: number, top: number, width: number, height: number, color: number): void {
    const right = Math.min(this.width, left + width);
    const bottom = Math.min(this.height, top + height);
    const from = Math.max(0, left);
    for (let y = Math.max(0, top); y < bottom; ++y) {
      const row = y * this.width;
      for (let x = from; x < right; ++x) this.pixels[row + x] = color;
    }
  }

  show(context: CanvasRenderingContext2D, left: number, top: number): void {
    const canvas = document.createElement("canvas");
    canvas.width = this.width;
    canvas.height = this.height;
    canvas.getContext("2d")?.putImageData(new ImageData(this.bytes, this.width, this.height), 0, 0);
    context.drawImage(canvas, left, top);
  }
}
