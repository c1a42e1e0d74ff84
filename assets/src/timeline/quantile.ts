// Quantiles as C++ and numpy have them: linear between the two nearest values.

import type { Values } from "./series";

/** The samples that there are, sorted. */
export function sorted(values: Iterable<Values>): Values {
  const parts = Array.from(values);
  const out = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let count = 0;
  for (const part of parts) for (const value of part) if (!Number.isNaN(value)) out[count++] = value;
  return out.subarray(0, count).sort();
}

/** `share` from 0 to 1; NaN of nothing. */
export function quantile(ordered: Values, share: number): number {
  const place = share * (ordered.length - 1);
  const below = Math.floor(place);
  const low = ordered[below] ?? NaN;
  return low + ((ordered[below + 1] ?? low) - low) * (place - below);
}
