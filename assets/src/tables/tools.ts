// What can be done with a table, under it: see all of it, save it as CSV, copy it as Markdown, link to it.

import { announce, make, makeButton } from "../dom";
import { openDialog } from "../shell/dialog";
import { rawText, readTable, shownText } from "./cells";
import { toCsv } from "./csv";
import { toMarkdown } from "./markdown";
import type { Rows } from "./rows";
import { unitsAreRaw } from "./units";

/** As the page's heading has it. */
const jobName = (): string => document.querySelector("h1")?.textContent ?? "";

/** Letters, digits and some marks stay, as in src/util/text.cpp. */
const fileNameOf = (name: string): string =>
  name
    .replace(/[^\w.-]+/gu, "-")
    .replace(/^[-.]+/u, "")
    .slice(0, 60) || "report";

function save(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** Where the page may not write to the clipboard, it shows the text selected, to be copied by hand. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", { rows: "12", readonly: "", "aria-label": "The table as Markdown" });
    area.value = text;
    openDialog("Copy this text", area);
    area.select();
    return false;
  }
}

function markdownOf(rows: Rows): string {
  const data = readTable(rows.table, rows.matching(), shownText);
  return toMarkdown(unitsAreRaw() ? data : { ...data, heads: data.heads.map((head) => ({ ...head, unit: "" })) });
}

function foldButton(rows: Rows, more: string): HTMLButtonElement {
  const button = makeButton("", () => (rows.open = !rows.open), { class: "more" });
  const show = (): void => {
    button.textContent = rows.open ? "Show fewer" : `Show ${more}`;
    button.setAttribute("aria-expanded", String(rows.open));
    button.hidden = rows.isFiltered; // every match is seen
  };
  rows.table.addEventListener("rows", show);
  show();
  return button;
}

export function addTools(rows: Rows, more: string): void {
  const { table, caption } = rows;
  const tools = make("div", { class: "table-tools" });
  if (rows.canFold) tools.append(foldButton(rows, more));
  const slug = table.id.replace(/^table-/u, "");
  const csv = makeButton(
    "CSV",
    () => save(`${fileNameOf(jobName())}-${slug || "table"}.csv`, toCsv(readTable(table, rows.matching(), rawText))),
    {
      "aria-label": `CSV: save ${caption}`,
    },
  );
  const markdown = makeButton(
    "Markdown",
    () => {
      void copy(markdownOf(rows)).then((copied) => {
        if (!copied) return;
        announce("Copied");
        markdown.textContent = "Copied";
        setTimeout(() => (markdown.textContent = "Markdown"), 1500);
      });
    },
    { "aria-label": `Markdown: copy ${caption}` },
  );
  const quiet = make("span", { class: "quiet" }, csv, markdown);
  if (table.id) quiet.append(make("a", { href: `#${table.id}`, "aria-label": `Link to ${caption}` }, "Link"));
  tools.append(quiet);
  table.closest(".scroll")?.after(tools);
}
