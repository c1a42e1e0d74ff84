// A table as CSV (RFC 4180): plain numbers, with units in the heads; what is not known is empty.

import { headWords, isNumber, isUnknown, type TableData } from "./cells";

/** A spreadsheet takes text that begins like this for a formula. */
const formula = /^[=+\-@\t\r]/u;

/** What turns, hides or colors text where it is shown. The page has none: C++ writes them as is done here (util/text.h). */
const deceptive = /(?![\t\n\r])[\p{Cc}\p{Cf}]/gu;

const visible = (mark: string): string => `\\u{${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`;

export function csvField(text: string): string {
  if (isNumber(text)) return text;
  const shown = text.replace(deceptive, visible);
  const safe = formula.test(shown) ? `'${shown}` : shown;
  return /[",\r\n]/u.test(safe) ? `"${safe.replace(/"/gu, '""')}"` : safe;
}

export function toCsv({ heads, rows }: TableData): string {
  const lines = [
    heads.map(({ name, unit }) => headWords(name, unit)),
    ...rows.map((row) => row.map((text) => (isUnknown(text) ? "" : text))),
  ];
  return lines.map((line) => `${line.map(csvField).join(",")}\r\n`).join("");
}
