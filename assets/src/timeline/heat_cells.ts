// The numbers of a heat map: one row per device, one column per pixel.

import type { Series } from "./series";

export interface HeatRow {
  label: string;
  group: string; // "GPUs", "cores": named once where rows are too thin for their labels
  series: Series;
}

/** Where each column of a series begins, for columns of equal length from `from` to `to`; one more at the end. */
function columnStarts(series: Series, from: number, to: number, columns: number): Int32Array {
  const out = new Int32Array(columns + 1);
  for (let column = 0; column <= columns; ++column)
    out[column] = series.indexAt(from + ((to - from) * column) / columns);
  return out;
}

/** Row by row, the mean of each column's samples; where a column has none, the sample nearest to it, or NaN in a gap. */
export function heatCells(rows: readonly HeatRow[], from: number, to: number, columns: number): Float32Array {
  const out = new Float32Array(rows.length * columns);
  const known = new Map<Float64Array, Int32Array>(); // devices that are sampled together share their times
  rows.forEach(({ series }, row) => {
    let starts = known.get(series.times);
    if (!starts) known.set(series.times, (starts = columnStarts(series, from, to, columns)));
    const { values } = series;
    for (let column = 0; column < columns; ++column) {
      let sum = 0;
      let count = 0;
      for (let at = starts[column]!; at < starts[column + 1]!; ++at) {
        const value = values[at]!;
        if (value !== value) continue;
        sum += value;
        ++count;
      }
      const empty = starts[column] === starts[column + 1];
      const near = empty ? series.nearest(from + ((to - from) * (column + 0.5)) / columns) : -1;
      out[row * columns + column] = count > 0 ? sum / count : near < 0 ? NaN : values[near]!;
    }
  });
  return out;
}
