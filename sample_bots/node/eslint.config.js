import js from "@eslint/js";

const GLOBALS = ["Buffer", "URL", "console", "performance", "process", "setImmediate"];

export default [
  { ignores: ["dist/", "tongits/table.js"] },
  js.configs.recommended,
  {
    languageOptions: { globals: Object.fromEntries(GLOBALS.map((name) => [name, "readonly"])) },
    rules: {
      eqeqeq: "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
