// A table as GitHub's Markdown has it.

import { headWords, type TableData } from "./cells";

/** What sites make a mention, a reference, a picture or a link of without any mark: "@a", "#1", ":a:", "http://a", "www.a". */
const reference = /@|[#!%](?=\w)|(?<!:):(?=\/\/|[a-z_+-][\w+-]*:(?!:))|\bwww(?=\.)|\bGH(?=-\d)/giu;

/** The text so that Markdown shows it as it is. A space without width keeps references from being seen. */
export function markdownText(text: string): string {
  return text
    .replace(/[\\`*_~$<>&|[\]]/gu, "\\$&")
    .replace(reference, "$&&#8203;")
    .replace(/\s+/gu, " ");
}

export function toMarkdown({ heads, rows }: TableData): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return (
    line(heads.map(({ name, unit }) => markdownText(headWords(name, unit)))) +
    line(heads.map((head) => (head.isNumber ? "---:" : "---"))) +
    rows.map((row) => line(row.map(markdownText))).join("")
  );
}
