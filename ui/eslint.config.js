import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import { readdirSync } from "node:fs";
import tseslint from "typescript-eslint";

const features = readdirSync(new URL("./src/features", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** A feature knows the kit and itself; only the shell knows all of them. */
const apart = features.map((name) => ({
  files: [`src/features/${name}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          ...features
            .filter((other) => other !== name)
            .map((other) => ({
              group: [`@/features/${other}`, `@/features/${other}/**`],
              message: "features do not import each other",
            })),
          { group: ["@/app/**"], message: "a feature does not know the shell" },
          { group: ["./**", "../**"], message: "from the top, so that it is seen where it leads" },
        ],
      },
    ],
  },
}));

export default defineConfig(
  { ignores: ["src/api/schema.d.ts", "eslint.config.js"] },
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
      },
    },
  },
  reactHooks.configs.flat["recommended-latest"],
  jsxA11y.flatConfigs.strict,
  {
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "jsx-a11y/no-autofocus": "off", // dialogs and the palette put the focus where the work is
    },
  },
  {
    files: ["src/kit/**"],
    rules: { "no-restricted-imports": ["error", { patterns: ["@/features/**", "@/app/**"] }] },
  },
  ...apart,
);
