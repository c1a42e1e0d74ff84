// The page says what the result object says, with scripts and without.

import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite, chaptersOf, eachPage, madeUpReport, sampleReports, sectionsOf, withPage } from "./helper.mjs";
import { checkAnalyses } from "./analyses.mjs";
import { assertBytes, assertCount, assertDuration, assertTwoDecimals, headOf, rowsOf } from "./figures.mjs";
import { readTables } from "./tables.mjs";

const reports = () => [...sampleReports(), ...["damaged", "many-nodes", "no-metrics"].map(madeUpReport)];

function checkJob(tables, job) {
  const times = tables.find(({ caption }) => caption.startsWith("Job times"));
  assert.equal(times.rows.length, 11);
  times.rows.forEach(({ Value }, at) => {
    const key = times.keys[at];
    assert.ok(key in job, `${key} is a field of the result's job`);
    if (typeof job[key] === "string") assert.equal(Value, job[key], key);
    else assertTwoDecimals(Value, job[key], key);
  });
  const parameters = Object.entries(job.hyperparameters);
  const rows = rowsOf(tables, "Hyperparameters", parameters);
  assert.deepEqual(
    rows.map(({ Name, Value }) => [Name, Value]),
    parameters,
  );
}

function checkUsage(tables, usage) {
  rowsOf(tables, "Percentiles", usage).forEach((row, at) => {
    const expected = usage[at];
    assert.deepEqual([row.Node, row.Metric, row.Unit], [expected.node, expected.metric, expected.unit]);
    const check = expected.unit === "%" ? assertTwoDecimals : assertBytes;
    for (const key of ["min", "p50", "p95", "p99", "max"])
      check(row[headOf(key)], expected[key], `${expected.node} ${expected.metric} ${key}`);
  });
}

function checkQuality(tables, quality) {
  rowsOf(tables, "What was read", quality.sources).forEach((row, at) => {
    const expected = quality.sources[at];
    assert.equal(row.Source, expected.source);
    for (const column of ["Files", "Records", "Samples", "Events"])
      assertCount(row[column], expected[column.toLowerCase()], `${expected.source}, ${column}`);
    assertBytes(row.Size, expected.bytes, expected.source);
  });
  rowsOf(tables, "Sampling by node", quality.nodes).forEach((row, at) => {
    const expected = quality.nodes[at];
    assert.deepEqual(
      [row.Node, row["First sample"], row["Last sample"]],
      [expected.node, expected.span.start, expected.span.end],
    );
    assertCount(row.Samples, expected.samples, expected.node);
    assertCount(row.Gaps, expected.gap_count, expected.node);
    assertDuration(row["Typical interval"], expected.interval_in_seconds.p50, `${expected.node}, interval`);
    assertDuration(row.Longest, expected.interval_in_seconds.max, `${expected.node}, longest`);
    assertDuration(row["Time in gaps"], expected.gap_seconds, `${expected.node}, in gaps`);
    assertDuration(row["Starts late"], expected.unsampled_at_start_seconds, `${expected.node}, start`);
    assertDuration(row["Ends early"], expected.unsampled_at_end_seconds, `${expected.node}, end`);
  });
  const devices = quality.nodes.flatMap(({ node, less_sampled }) =>
    less_sampled.map((device) => ({ node, ...device })),
  );
  rowsOf(tables, "Devices sampled for only part", devices).forEach((row, at) => {
    const expected = devices[at];
    assert.deepEqual([row.Node, row.Device], [expected.node, expected.device]);
    assertCount(row.Samples, expected.samples, expected.device);
    assertDuration(row["Without samples"], expected.unsampled_seconds, `${expected.device}, without samples`);
  });
  for (const [caption, expected] of [
    ["Skipped records", quality.skipped],
    ["Damaged files", quality.damaged_files],
    ["Repaired records", quality.repaired],
  ])
    rowsOf(tables, caption, expected).forEach((row, at) => {
      assert.deepEqual([row.Reason, row["First seen"]], [expected[at].reason, expected[at].first_seen]);
      assertCount(row.Count, expected[at].count, expected[at].reason);
    });
  const ignored = rowsOf(tables, "Files not read", quality.ignored);
  assert.deepEqual(
    ignored.map(({ File, Why }) => [File, Why]),
    quality.ignored.map(({ path, reason }) => [path, reason]),
  );
}

/** Those of the parts of a page that are not there to be seen; asked for at once, since each question takes its time. */
const hidden = (page, parts) =>
  page
    .locator("html")
    .evaluate(
      (_, parts) =>
        parts.filter(
          (part) => !document.querySelector(part)?.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }),
        ),
      parts,
    );

async function checkPage(page, { name, html, result }) {
  assert.equal(await page.title(), `${result.job.name} – debrief`, name);
  assert.equal(await page.locator("h1").innerText(), result.job.name);
  const sections = sectionsOf({ html });
  const chapters = chaptersOf({ html });
  assert.ok(chapters.length >= 4 && chapters.length <= 11, `${chapters}`); // ten, and a gate's
  const parts = [
    ...sections.flatMap((id) => [`main section#${id}`, `#${id}-title`]),
    ...chapters.flatMap((id) => [`main > section#${id} h2`, `nav a[href="#${id}"]`]),
  ];
  assert.deepEqual(await hidden(page, parts), [], name);
  const tables = await readTables(page);
  assert.deepEqual(Object.keys(tables), sections);
  for (const id of await page.locator("#not-recorded li").evaluateAll((lines) => lines.map((line) => line.id)))
    tables[id] = [];
  checkJob(tables.job, result.job);
  checkUsage(tables["system-usage"], result.system_usage);
  checkAnalyses(tables, result);
  checkQuality(tables["data-quality"], result.data_quality);
  const parameters = Object.entries(result.provenance.parameters);
  const rows = rowsOf(tables.provenance, "Rule parameters changed", parameters);
  assert.deepEqual(
    rows.map(({ Parameter, Value }) => [Parameter, Value]),
    parameters,
  );
  const ignored = result.provenance.ignored_parameters;
  assert.deepEqual(
    rowsOf(tables.provenance, "Invalid rule parameters", ignored).map(({ Parameter, Value, Why }) => [
      Parameter,
      Value,
      Why,
    ]),
    ignored.map(({ name, value, reason }) => [name, value, reason]),
  );
  const provenance = await page.locator("#provenance").innerText();
  for (const text of [result.provenance.debrief_version, result.provenance.input])
    assert.ok(provenance.includes(text), `${name}: provenance names ${text}`);
  return tables;
}

browserSuite("content", () => {
  test("sections and figures are those of the result, with scripts", async () => {
    await eachPage(reports(), {}, (page, seen, report) => checkPage(page, report));
  });

  test("and the same with scripts off", async () => {
    await eachPage(reports(), { javaScriptEnabled: false }, async (page, seen, report) => {
      await checkPage(page, report);
      // Proof that no script ran, and that nothing is offered that needs one.
      assert.equal(await page.locator("button:visible").count(), 0, report.name);
      assert.deepEqual(seen.requests, []);
    });
  });

  test("made-up jobs fill every table there is", () => {
    const { provenance, data_quality: quality } = madeUpReport("damaged").result;
    assert.ok(Object.keys(provenance.parameters).length > 0, "parameters");
    for (const part of ["skipped", "repaired", "damaged_files", "ignored", "other_jobs", "clock_skew", "missing_nodes"])
      assert.ok(quality[part].length > 0, part);
    assert.equal(madeUpReport("no-metrics").result.system_usage.length, 0);
  });

  test("links of the head lead to their sections", async () => {
    const wide = { viewport: { width: 1440, height: 900 } }; // where the navigation lists an open chapter's sections
    await withPage(madeUpReport("many-nodes"), wide, async (page) => {
      for (const id of sectionsOf(madeUpReport("many-nodes"))) {
        await page.locator(`nav a[href="#${id}"]`).click();
        const section = page.locator(`#${id}`);
        assert.ok(await section.evaluate((element) => element.matches(":target")), id);
        const { y } = await section.boundingBox();
        assert.ok(y >= -1 && y < 900, `${id} is at ${y}`);
      }
    });
  });
});
