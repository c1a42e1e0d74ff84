// Figures as C++ writes them (src/util/time.cpp, src/util/text.cpp, src/render/parts/format.cpp), so that what the script
// computes for a window reads like what was there before.

/** What stands where a figure is not known. */
export const unknown = "–";

/** As C++'s "{:.Nf}": a tie goes to the even digit, where toFixed() goes up. */
export function fixed(value: number, digits: number): string {
  if (value < 0) return `-${fixed(-value, digits)}`;
  const isTie = (value * 2 ** (digits + 1)) % 2 === 1; // only such values lie exactly between two decimals
  const power = 10 ** digits;
  const below = Math.floor(value * power);
  return isTie && below % 2 === 0 ? (below / power).toFixed(digits) : value.toFixed(digits);
}

/** As C++'s "{:.3g}". */
function threeDigits(value: number): string {
  const exponent = Number(value.toExponential(2).split("e")[1]);
  if (exponent >= -4) {
    const text = fixed(value, Math.max(0, 2 - exponent));
    return text.includes(".") ? text.replace(/\.?0+$/u, "") : text;
  }
  const [digits = "", power = ""] = value.toExponential(2).split("e-");
  return `${digits.replace(/\.?0+$/u, "")}e-${power.padStart(2, "0")}`;
}

/** 93784.2 -> "1 d 2 h", 125.3 -> "2 min 5 s", 5.27 -> "5.27 s", 0.0021 -> "2.1 ms". */
export function humanDuration(seconds: number): string {
  if (seconds < 0) return `-${humanDuration(-seconds)}`;
  if (seconds === 0) return "0 s";
  if (seconds < 0.0009995) return `${threeDigits(seconds * 1e6)} µs`;
  if (seconds < 0.9995) return `${threeDigits(seconds * 1e3)} ms`;
  if (seconds < 59.95) return `${threeDigits(seconds)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** 1536 -> "1.54 kB". */
export function humanBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.length; ++unit) bytes /= 1000;
  return `${fixed(bytes, unit === 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2)} ${units[unit]}`;
}

/** 48470 -> "48,470". */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/gu, ",");
}

/** One decimal, as C++'s exact_percent_text: 77.8 -> "77.8%", 0.02 -> "<0.1%", 99.96 -> ">99.9%", 0 -> "0%". */
export function exactPercent(value: number): string {
  if (value === 0) return "0%";
  if (value >= 99.95 && value < 100) return ">99.9%";
  return value > 0 && value < 0.05 ? "<0.1%" : `${fixed(value, 1)}%`;
}

/** A value of the usage table: "90.00" for percent, "1.25 MB" for bytes per second. */
export function inUnit(value: number, unit: string): string {
  return unit === "B/s" ? humanBytes(value) : fixed(value, 2);
}

/** Six decimals at most, without zeros at the end and never with an exponent: "0.0821". */
export function plainNumber(value: number): string {
  const text = fixed(value, 6).replace(/\.?0+$/u, "");
  return text === "-0" ? "0" : text;
}

/** Milliseconds since the epoch as "11:09:14" UTC, with as many decimals as wanted. */
export function clock(time: number, decimals = 0): string {
  const text = new Date(time).toISOString();
  return text.slice(11, decimals > 0 ? 20 + decimals : 19);
}

/** The same for a moment so long after the start, with its date where that is not the start's. */
export function clockAfter(start: number, after: number, decimals = 0): string {
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const text = clock(start + after, decimals);
  return day(start) === day(start + after) ? text : `${day(start + after).slice(5)} ${text}`;
}
