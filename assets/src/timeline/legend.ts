// What the lines of a panel are, and what they stand at under the cursor.

import { make } from "./dom";
import type { Line } from "./paint";
import { valueWords } from "./ticks";

/** So many lines are named one by one; of more, the nearest to the cursor. */
const mostNamed = 8;

export class Legend {
  readonly element = make("ul", "lines");
  private lines: Line[] = [];
  private unit = "";
  private values: HTMLElement[] = [];

  show(lines: Line[], unit: string): void {
    this.lines = lines;
    this.unit = unit;
    const few = lines.length <= mostNamed;
    this.values = (few ? lines : [null]).map(() => make("span", "value"));
    this.element.replaceChildren(
      ...this.values.map((value, at) => {
        const line = lines[at];
        if (!few || !line) return make("li", "", `${lines.length} lines. `, value);
        const swatch = make("span", line.dashed ? "swatch dashed" : "swatch");
        swatch.style.color = line.color();
        return make("li", "", swatch, line.name, " ", value);
      }),
    );
    this.point(null, 0);
  }

  point(time: number | null, value: number): void {
    if (this.lines.length > mostNamed) return this.pointNearest(time, value);
    this.lines.forEach(({ series }, at) => {
      const place = this.values[at];
      if (place)
        place.textContent = time === null ? "" : valueWords(series.values[series.nearest(time)] ?? NaN, this.unit);
    });
  }

  private pointNearest(time: number | null, value: number): void {
    const place = this.values[0];
    if (!place) return;
    let nearest: { name: string; value: number } | null = null;
    for (const { name, series } of time === null ? [] : this.lines) {
      const here = series.values[series.nearest(time ?? 0)] ?? NaN;
      if (here === here && (!nearest || Math.abs(here - value) < Math.abs(nearest.value - value)))
        nearest = { name, value: here };
    }
    place.textContent = nearest
      ? `Nearest to the pointer: ${nearest.name} ${valueWords(nearest.value, this.unit)}`
      : "";
  }
}
