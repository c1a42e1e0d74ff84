// What tests of the timeline do with a page.

import { settle } from "./helper.mjs";

/** Waits until the charts are there and figures are computed. */
export async function live(page) {
  await page.waitForFunction(() => (document.querySelector("#timeline .in-view")?.textContent ?? "") !== "");
  await settle(page);
}

/** Opens the panels that few look at. */
export async function unfoldPanels(page) {
  await page.locator("#timeline .more-panels").evaluateAll((all) => all.forEach((details) => (details.open = true)));
  await settle(page);
}

export const rangeText = (page) => page.locator("#timeline-controls .range").innerText();

/** From and to, in seconds of the day. */
export async function range(page) {
  const [from, to] = (await rangeText(page)).match(/\d\d:\d\d:\d\d(?:\.\d+)?/gu);
  const seconds = (clock) => clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return [seconds(from), seconds(to)];
}

/** What the charts look like: of one panel, or of all. */
export const pictures = (page, panel) =>
  page
    .locator(`#timeline ${panel ? `[data-panel="${panel}"] ` : ""}.uplot canvas`)
    .evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));

/** Drags over a panel's chart, from one share of its width to another. */
export async function drag(page, panel, from, to) {
  const over = page.locator(`[data-panel="${panel}"] .u-over`);
  await over.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await over.boundingBox();
  await page.mouse.move(x + from * width, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + ((from + to) / 2) * width, y + height / 2, { steps: 4 });
  await page.mouse.move(x + to * width, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(5, 5);
  await settle(page);
}

/** The rows of the first table there, by the heads of their columns. */
export const tableOf = (page, selector) =>
  page
    .locator(selector)
    .first()
    .evaluate((table) => {
      const text = (cell) => cell.textContent.trim();
      const heads = Array.from(table.tHead.rows[0].cells, text);
      return Array.from(table.tBodies[0].rows, (row) =>
        Object.fromEntries(Array.from(row.cells, (cell, at) => [heads[at], text(cell)])),
      );
    });
