// Whether pages are valid HTML, by html-validate.

import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { withoutRepeats } from "./markup.mjs";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ["html-validate:recommended", "html-validate:document"],
    rules: {
      "doctype-style": "off", // either case is valid; ours is the specification's own
      "long-title": "off", // advice for search engines; the title is the job's name, however long
      // The frames in which tables scroll are regions inside a section, not sections of the report.
      "prefer-native-element": ["error", { exclude: ["region"] }],
    },
  }),
);

/** What is wrong with a page. Lines and columns are of the text that was given. @returns {Promise<string[]>} */
export async function mistakes(html) {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`),
  );
}

const valid = new Set();

/**
 * The same, faster: what repeats is looked at once, and so is what is marked up as on a page before (markup.mjs); and
 * stricter: elements within drawings have to be closed too.
 */
export async function mistakesOf(html) {
  const { kept, likes, end } = withoutRepeats(html, valid);
  if (end !== undefined) return [`${end}:1 an element is not closed, or text not escaped`, ...(await mistakes(html))];
  const found = (await mistakes(kept)).length === 0 ? [] : await mistakes(html);
  if (found.length === 0) for (const like of likes) valid.add(like);
  return found;
}
