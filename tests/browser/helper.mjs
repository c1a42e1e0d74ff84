// What every test here needs: the binary under test, reports of jobs, and pages of them in Chromium.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, describe } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { madeUpJobs } from "./jobs.mjs";

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const binary = resolve(repository, process.env.DEBRIEF_BINARY ?? "build/release/debrief");

/** Addresses of chapters and of the sections in them, in the order of the page. @param {{ html: string }} report */
export function sectionsOf({ html }) {
  const nav = /<nav aria-label="Sections">.*?<\/nav>/su.exec(html)?.[0] ?? "";
  return Array.from(nav.matchAll(/href="#([^"]+)"/gu), ([, id]) => id);
}

/** Addresses of the page's numbered headings. */
export const chaptersOf = ({ html }) =>
  Array.from(html.matchAll(/<section id="([^"]+)" class="chapter"/gu), ([, id]) => id);

/** The system's browser, which scripts/setup brings; nothing is downloaded. */
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? browsers.find(existsSync) ?? browsers.at(-1),
  args: [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

/** What run.mjs made for all files: a browser's address, and a folder with every report in it. */
const shared = { browser: process.env.DEBRIEF_TEST_BROWSER, folder: process.env.DEBRIEF_TEST_FOLDER };

let folder = shared.folder;
/** Where reports are; deleted by who made it. */
export function temporary() {
  folder ??= mkdtempSync(join(tmpdir(), "debrief-browser-"));
  return folder;
}

export function removeTemporary() {
  if (folder && !shared.folder) rmSync(folder, { recursive: true, force: true });
}

/**
 * A page on disk and what it was made from.
 * @typedef {{ name: string, path: string, url: string, html: string, result: any }} Report
 */

/** Makes the report of a job, unless it is there. @param {() => string} job @returns {Report} */
function makeReport(job, name, options = []) {
  if (!existsSync(binary)) throw new Error(`no binary at ${binary}: build it, or name one in DEBRIEF_BINARY`);
  const path = join(temporary(), `${name}.html`);
  const json = join(temporary(), `${name}.json`);
  if (!existsSync(json)) execFileSync(binary, ["report", job(), "-o", path, "--json", json, "--quiet", ...options]);
  return {
    name,
    path,
    url: pathToFileURL(path).href,
    html: readFileSync(path, "utf8"),
    result: JSON.parse(readFileSync(json, "utf8")),
  };
}

/** A page with other text than debrief wrote, as a file of its own, apart from those that debrief wrote. */
export function writePage(name, html) {
  mkdirSync(join(temporary(), "rewritten"), { recursive: true });
  const path = join(temporary(), "rewritten", `${name}.html`);
  writeFileSync(path, html);
  return { name, path, html, url: pathToFileURL(path).href };
}

let samples;
/** Reports of all sample jobs. */
export function sampleReports() {
  const jobs = join(repository, "sample_jobs");
  samples ??= readdirSync(jobs, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => makeReport(() => join(jobs, name), name));
  return samples;
}

export const sampleReport = (name) => sampleReports().find((report) => report.name === name);

/** The report of a sample job's first trace alone. @returns {Report} */
export function traceReport(name) {
  const folder = join(repository, "sample_jobs", name, "traces");
  return makeReport(() => join(folder, readdirSync(folder).sort()[0]), `${name}-trace`);
}

const untraced = new Map();
/** The report of a sample job without its traces: of the whole run, by its timelines. @returns {Report} */
export function untracedReport(name) {
  if (!untraced.has(name)) {
    const copy = () => {
      const folder = join(temporary(), "jobs", `${name}-untraced`);
      cpSync(join(repository, "sample_jobs", name), folder, {
        recursive: true,
        filter: (path) => !path.endsWith("/traces"),
      });
      return folder;
    };
    untraced.set(name, makeReport(copy, `${name}-untraced`));
  }
  return untraced.get(name);
}

const madeUp = new Map();
/** The report of a job of jobs.mjs. @returns {Report} */
export function madeUpReport(name) {
  if (!madeUp.has(name)) {
    const { write, options } = madeUpJobs[name];
    madeUp.set(
      name,
      makeReport(() => write(join(temporary(), "jobs", name)), name, options),
    );
  }
  return madeUp.get(name);
}

/** Every report there is. */
export const allReports = () => [...sampleReports(), ...Object.keys(madeUpJobs).map(madeUpReport)];

let browser;
async function openBrowser() {
  browser ??= await (shared.browser ? chromium.connect(shared.browser) : chromium.launch(launchOptions));
  return browser;
}

/** A file's tests: gives back its browser and its temporary folder at the end. */
export function browserSuite(name, define) {
  describe(name, () => {
    after(async () => {
      await browser?.close();
      removeTemporary();
    });
    define();
  });
}

/**
 * What a page did that a report must not do. `requests` has every request but the page itself.
 * @typedef {{ requests: string[], messages: string[], dialogs: string[], pages: string[] }} Seen
 */

const emptySeen = () => ({ requests: [], messages: [], dialogs: [], pages: [] });

/** Writes down what a page does into `now().seen`, while `now().url` is open. */
function watch(context, page, now) {
  context.on("request", (request) => {
    if (request.url() !== now().url.split("#")[0]) now().seen.requests.push(request.url());
  });
  page.on("websocket", (socket) => now().seen.requests.push(socket.url()));
  page.on("console", (message) => now().seen.messages.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => now().seen.messages.push(`error: ${error.message}`));
  page.on("crash", () => now().seen.messages.push("the page crashed"));
  page.on("popup", (popup) => now().seen.pages.push(popup.url()));
  page.on("download", (download) => now().seen.pages.push(download.url()));
  page.on("dialog", (dialog) => {
    now().seen.dialogs.push(dialog.message());
    return dialog.dismiss();
  });
}

/** What `Seen` is for a page that behaves. */
export const nothing = emptySeen();

const openAll = (page, selector) =>
  page.evaluate((selector) => {
    for (const fold of document.querySelectorAll(selector)) fold.open = true;
  }, selector);

/** Opens what sections have folded away at first: most tests are about what is in them. */
const openSections = (page) => openAll(page, ".chapter > details, details.body");

/** Opens all that is folded. */
export const unfold = (page) => openAll(page, "details");

/**
 * Opens reports one after the other in a fresh context and hands the page over for each.
 * @param {{ name: string, url: string }[]} reports
 * @param {import("playwright-core").BrowserContextOptions & { folded?: boolean, before?: (page: import("playwright-core").Page) => Promise<void> }} options
 * @param {(page: import("playwright-core").Page, seen: Seen, report: any) => Promise<void>} use
 */
export async function eachPage(reports, { before, folded = false, ...options }, use) {
  const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    let now;
    watch(context, page, () => now);
    await before?.(page);
    for (const report of reports) {
      now = { url: report.url, seen: emptySeen() };
      await page.goto(report.url, { waitUntil: "load" });
      if (!folded) await openSections(page);
      await use(page, now.seen, report);
    }
  } finally {
    await context.close();
  }
}

/** The same for one report. */
export const withPage = (report, options, use) => eachPage([report], options, use);

/** Milliseconds after which what was waited for will not come: a busy machine takes its time. */
const patience = 60_000;

/** Tries until what is asserted holds. @param {() => Promise<void>} assertions */
export async function eventually(assertions) {
  const end = Date.now() + patience;
  for (;;)
    try {
      return await assertions();
    } catch (failure) {
      if (Date.now() > end) throw failure;
      await new Promise((done) => setTimeout(done, 50));
    }
}

/** Waits for two frames, in which what the page draws is drawn. What takes it longer is waited for by `eventually`. */
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
  await page.waitForTimeout(50);
}

/** The address's fragment as the page itself has it: the driver learns of it a moment later. */
export const hashOf = (page) => page.evaluate(() => location.hash);
