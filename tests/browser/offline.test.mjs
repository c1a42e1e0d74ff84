// The page asks for nothing but itself and says nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { allReports, browserSuite, eachPage, nothing, sampleReport, settle, unfold, withPage } from "./helper.mjs";

/** Uses everything that can be used on a page: a request may come late. */
async function useAll(page) {
  await unfold(page);
  await page.evaluate(() => {
    document.querySelectorAll("button, nav a").forEach((element) => element.click());
    scrollTo(0, document.body.scrollHeight);
  });
  await settle(page);
}

/** Without the CSV files that the page's buttons make of its tables: they come from the page itself. */
const butForSaved = (seen) => ({ ...seen, pages: seen.pages.filter((address) => !address.startsWith("blob:")) });

/** Every address on a page. Hints such as preconnect show in no event, so addresses are read as well. */
const addresses = (page) =>
  page.evaluate(() => {
    const names = [
      "href",
      "src",
      "srcset",
      "action",
      "formaction",
      "data",
      "poster",
      "ping",
      "background",
      "xlink:href",
    ];
    const found = [];
    for (const element of document.querySelectorAll("*"))
      for (const name of names) if (element.hasAttribute(name)) found.push(element.getAttribute(name));
    return found;
  });

browserSuite("offline", () => {
  test("no request, no console message, no error, and no address that points out of the page", async () => {
    await eachPage(allReports(), {}, async (page, seen, { name }) => {
      const found = await addresses(page);
      assert.ok(found.includes("#job"), "addresses are read");
      assert.deepEqual(
        found.filter((address) => !address.startsWith("#") && address !== "data:,"),
        [],
        name,
      );
      const styles = await page.locator("style").allTextContents();
      assert.doesNotMatch(styles.join(""), /@import|url\(/u, name);
      await useAll(page);
      assert.deepEqual(butForSaved(seen), nothing, name);
    });
  });

  test("nothing is even tried: the same without the page's policy in the way", async () => {
    await withPage(sampleReport("ddp-gloo-straggler"), { bypassCSP: true }, async (page, seen) => {
      await useAll(page);
      assert.deepEqual(butForSaved(seen), nothing);
    });
  });
});
