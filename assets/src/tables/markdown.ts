// A table as GitHub's Markdown has it.

import { headWords, type TableData } from "./cells";

/** The text so that Markdown shows it as it is. */
export function markdownText(text: string): string {
  return text.replace(/[\\`*_~$<>&|[\]]/gu, "\\$&").replace(/\s+/gu, " ");
}

export function toMarkdown({ heads, rows }: TableData): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return (
    line(heads.map(({ name, unit }) => markdownText(headWords(name, unit)))) +
    line(heads.map((head) => (head.isNumber ? "---:" : "---"))) +
    rows.map((row) => line(row.map(markdownText))).join("")
  );
}
