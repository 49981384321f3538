import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** `ASSAY_CONSOLE_REACT=1` builds with React, to compare; the page uses only React's API. */
const runtime: Record<string, string> =
  process.env.ASSAY_CONSOLE_REACT === "1"
    ? {}
    : {
        "react-dom/client": "preact/compat/client",
        "react-dom": "preact/compat",
        "react/jsx-runtime": "preact/jsx-runtime",
        react: "preact/compat",
      };

export default defineConfig({
  root: path("app"),
  // The server makes the paths in the page relative to its address.
  base: "./",
  logLevel: "warn",
  resolve: { alias: runtime, conditions: ["@assay/source", "module", "browser", "production", "default"] },
  build: {
    outDir: path("dist/app"),
    emptyOutDir: true,
    target: "es2022",
    // These know light-dark().
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      onwarn(warning, warn) {
        // "use client" of libraries for React means nothing in a page.
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
});
