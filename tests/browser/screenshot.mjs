// Pictures of the report, for looking at.
//
//   node screenshot.mjs OUTDIR          report-light.png and report-dark.png of sample_jobs/dataloader-starved
//   node screenshot.mjs OUTDIR --all    also every job: whole page, narrow, printed, without scripts

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { allReports, launchOptions, removeTemporary, sampleReport } from "./helper.mjs";

const { values, positionals } = parseArgs({ options: { all: { type: "boolean" } }, allowPositionals: true });
if (positionals.length !== 1) {
  console.error("usage: node screenshot.mjs OUTDIR [--all]");
  process.exit(2);
}
const [out] = positionals;
const wide = { viewport: { width: 1440, height: 1000 }, deviceScaleFactor: 1.25 };
const narrow = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 };

/** The kinds of picture that `--all` makes of each job. */
const kinds = {
  light: { ...wide, colorScheme: "light" },
  dark: { ...wide, colorScheme: "dark" },
  "narrow-light": { ...narrow, colorScheme: "light" },
  "narrow-dark": { ...narrow, colorScheme: "dark" },
  print: { ...wide, viewport: { width: 794, height: 1123 }, media: "print" }, // A4 at 96 dpi
  "scripts-off": { ...wide, javaScriptEnabled: false },
};

const browser = await chromium.launch(launchOptions);

/** Waits for the timeline, its heat map too, which waits for the reader. */
async function unpack(page) {
  if ((await page.locator("#timeline-index").count()) === 0) return;
  await page.locator("#timeline [data-live]").first().waitFor();
  await page.locator("#timeline [data-panel=heat]").scrollIntoViewIfNeeded();
  await page.waitForTimeout(500);
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(200);
}

async function picture(report, { media, ...options }, file, fullPage) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  if (media) await page.emulateMedia({ media });
  await page.goto(report.url);
  if (options.javaScriptEnabled !== false && media === undefined) await unpack(page);
  await page.screenshot({ path: join(out, file), fullPage });
  await context.close();
}

try {
  mkdirSync(out, { recursive: true });
  const shown = sampleReport("dataloader-starved");
  for (const theme of ["light", "dark"]) await picture(shown, kinds[theme], `report-${theme}.png`, false);
  if (values.all)
    for (const report of allReports())
      for (const [kind, options] of Object.entries(kinds))
        await picture(report, options, `${report.name}-${kind}.png`, true);
} finally {
  await browser.close();
  removeTemporary();
}
