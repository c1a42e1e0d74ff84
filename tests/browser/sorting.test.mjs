// Tables sort by a click on a column's head, numbers as numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite, madeUpReport, nothing, sampleReport, withPage } from "./helper.mjs";
import { figure } from "./tables.mjs";

const collator = new Intl.Collator("en", { numeric: true });

/**
 * What a table shows, and what it shows after each of some clicks on heads, by their columns. All in one go: between two calls
 * the browser would lay out the whole page again.
 * @param {import("playwright-core").Locator} table
 */
const states = (table, clicks) =>
  table.evaluate((table, clicks) => {
    const state = () => ({
      heads: Array.from(table.tHead.rows[0].cells, (head) => head.textContent.trim()),
      numbers: Array.from(table.tHead.rows[0].cells, (head) => head.classList.contains("number")),
      sorted: Array.from(table.tHead.rows[0].cells, (head) => head.getAttribute("aria-sort")),
      rows: Array.from(table.tBodies[0].rows, (row) => Array.from(row.cells, (cell) => cell.textContent.trim())),
    });
    const seen = [state()];
    for (const column of clicks) {
      table.tHead.rows[0].cells[column].querySelector("button").click();
      seen.push(state());
    }
    return seen;
  }, clicks);

const state = async (table) => (await states(table, []))[0];

/** Whether cells are in order, figures by their size, other text as a reader counts; what is not known is last. */
function assertSorted(cells, direction, what) {
  const isKnown = (cell) => cell !== "–" && cell !== "";
  const known = cells.filter(isKnown);
  assert.deepEqual(cells.slice(0, known.length), known, `${what}: unknown last`);
  if (direction === "descending") known.reverse();
  const figures = known.map(figure);
  const numeric = figures.every((value) => !Number.isNaN(value));
  for (let at = 1; at < known.length; ++at) {
    const order = numeric ? figures[at] - figures[at - 1] : collator.compare(known[at], known[at - 1]);
    assert.ok(order >= 0, `${what}, ${direction}: ${known[at - 1]} before ${known[at]}`);
  }
}

const sameRows = (a, b) => assert.deepEqual(a.map(String).sort(), b.map(String).sort(), "no row lost or changed");

/** Clicks each head of a table three times, but for columns of drawings. */
async function checkTable(table, what) {
  const { heads, numbers, rows } = await state(table);
  const columns = heads.map((_, column) => column).filter((column) => rows.some((row) => row[column] !== ""));
  const [, ...seen] = await states(
    table,
    columns.flatMap((column) => [column, column, column]),
  );
  for (const [place, column] of columns.entries()) {
    const name = `${what}, ${heads[column]}`;
    const [first, second, restored] = seen.slice(3 * place);
    const directions = ["ascending", "descending"];
    if (numbers[column]) directions.reverse(); // of numbers the largest are looked for
    for (const [direction, after] of [
      [directions[0], first],
      [directions[1], second],
    ]) {
      assert.deepEqual(
        after.sorted,
        heads.map((_, at) => (at === column ? direction : null)),
        name,
      );
      sameRows(after.rows, rows);
      assertSorted(
        after.rows.map((row) => row[column]),
        direction,
        name,
      );
    }
    assert.deepEqual(
      restored.sorted,
      heads.map(() => null),
      `${name}: the third click`,
    );
    assert.deepEqual(restored.rows, rows, `${name}: as it was`);
  }
}

const usage = (page) => page.locator("#system-usage table.sortable");
const sampling = (page) => page.locator("#data-quality table.sortable", { hasText: "Sampling by node" });

browserSuite("sorting", () => {
  test("system usage of twelve nodes, every column", async () => {
    await withPage(madeUpReport("many-nodes"), {}, async (page, seen) => {
      const { rows } = await state(usage(page));
      assert.equal(rows.length, 36);
      await checkTable(usage(page), "system usage");
      assert.deepEqual(seen, nothing);
    });
  });

  test("every sortable table of a sample job", async () => {
    await withPage(sampleReport("ddp-gloo-straggler"), {}, async (page) => {
      const tables = await page.locator("table.sortable").all();
      assert.ok(tables.length > 10, `${tables.length} tables`);
      for (const table of tables) await checkTable(table, await table.locator("caption").innerText());
    });
  });

  test("sampling of twelve nodes: durations from milliseconds to an hour", async () => {
    await withPage(madeUpReport("many-nodes"), {}, async (page) => {
      await checkTable(sampling(page), "sampling");
    });
  });

  test("unknown figures come last both ways", async () => {
    await withPage(madeUpReport("damaged"), {}, async (page) => {
      const rules = page.locator("#rules table.sortable").first();
      const { heads, rows } = await state(rules);
      const column = heads.indexOf("Violations");
      const unknown = rows.filter((row) => row[column] === "–").length;
      assert.ok(unknown > 0 && unknown < rows.length, `${unknown} of ${rows.length}`);
      await checkTable(rules, "rules");
    });
  });

  test("by keyboard and mouse: Tab to a head, Enter, Space, a click", async () => {
    await withPage(madeUpReport("many-nodes"), {}, async (page) => {
      const { heads } = await state(usage(page));
      const column = heads.indexOf("p50");
      const atHead = () =>
        page.evaluate((column) => {
          const head = document.activeElement.closest("#system-usage thead th");
          return head?.cellIndex === column && document.activeElement.matches("button:focus-visible");
        }, column);
      await page.locator("#system-usage h3 a").first().focus();
      for (let press = 0; press < 60 && !(await atHead()); ++press) await page.keyboard.press("Tab");
      assert.ok(await atHead(), "Tab reaches the head of p50");
      const button = usage(page).locator("thead th").nth(column).getByRole("button");
      for (const [act, direction] of [
        [() => page.keyboard.press("Enter"), "descending"],
        [() => page.keyboard.press("Space"), "ascending"],
        [() => button.click(), null],
        [() => button.click(), "descending"],
      ]) {
        await act();
        const { sorted, rows } = await state(usage(page));
        assert.equal(sorted[column], direction);
        if (direction)
          assertSorted(
            rows.map((row) => row[column]),
            direction,
            "p50",
          );
        assert.ok(await button.evaluate((button) => button === document.activeElement), "focus stays");
      }
    });
  });

  test("no buttons where no script can sort", async () => {
    await withPage(madeUpReport("many-nodes"), { javaScriptEnabled: false }, async (page) => {
      assert.equal(await page.locator("thead button").count(), 0);
    });
  });
});
