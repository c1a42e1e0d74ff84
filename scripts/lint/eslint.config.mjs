// What ESLint looks for in the page's script, its tests and the browser tests: mistakes, found with the types where
// there are any. How code is laid out is up to Prettier.

import js from "@eslint/js";
import globals from "globals";
import ts from "typescript-eslint";

const root = new URL("../..", import.meta.url).pathname;

export default ts.config(
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: "error",
      "no-console": ["error", { allow: ["error"] }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["**/*.ts"],
    extends: [ts.configs.strictTypeChecked, ts.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: "assets/tsconfig.json", tsconfigRootDir: root } },
    rules: {
      "@typescript-eslint/dot-notation": "off", // dataset["from"] says that the name is the markup's
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreVoidReturningFunctions: true, ignoreArrowShorthand: true },
      ],
      // noUncheckedIndexedAccess asks for it in every loop over indices.
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", name: ["test", "describe", "it"], package: "node:test" }] },
      ],
      "@typescript-eslint/no-unsafe-enum-assignment": "off", // uPlot's enums exist in its types alone
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: globals.nodeBuiltin },
  },
  {
    // Functions in these run in the page.
    files: ["tests/browser/*.mjs", "bench/*.mjs"],
    languageOptions: { globals: globals.browser },
    rules: { "no-console": "off", "no-control-regex": "off" },
  },
);
