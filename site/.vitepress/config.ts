import { readFileSync } from "node:fs";
import { join } from "node:path";
import { slug } from "github-slugger";
import type { Plugin } from "vite";
import { defineConfig } from "vitepress";
import { proxy } from "../proxy.ts";
import { repositoryMarkdown } from "./markdown.ts";
import { ROOT, readmesIn, rewrite } from "./pages.ts";
import { sidebar } from "./sidebar.ts";

const packages = readmesIn("packages").filter((file) => {
  return !JSON.parse(readFileSync(join(ROOT, file, "../package.json"), "utf8")).private;
});

/** Pages outside of this folder find no `node_modules`. */
const vueOfSite: Plugin = {
  name: "vue-of-site",
  enforce: "pre",
  resolveId(id) {
    const importer = join(ROOT, "site/index.md");
    return /^vue(\/|$)/.test(id) ? this.resolve(id, importer, { skipSelf: true }) : null;
  },
};

/** The site of the documentation, made from the Markdown files of the repository where they are. */
export default defineConfig({
  title: "Assay",
  description: "Feature flags and experiments as a TypeScript library suite with an embeddable server",
  lang: "en",
  srcDir: "..",
  // Without the API reports of packages, which the reference of their exports contains.
  srcExclude: [".*/**", "packages/*/*/**", "packages/*/api.md", "examples/*/*/**"],
  rewrites: rewrite,
  cleanUrls: true,
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // Braces in a text are braces, not attributes.
    attrs: { disable: true },
    anchor: { slugify: (text) => slug(text) },
    languageAlias: { mjs: "js", jsonc: "json" },
    config: repositoryMarkdown,
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Start", link: "/docs/getting-started" },
      { text: "Flags", link: "/docs/evaluation" },
      { text: "Experiments", link: "/docs/experiments" },
      { text: "Operations", link: "/docs/operations" },
      { text: "API", link: "/try-it" },
    ],
    sidebar: sidebar(packages, readmesIn("examples")),
  },
  vite: {
    publicDir: false,
    plugins: [vueOfSite],
    server: { proxy, fs: { allow: [ROOT] } },
    build: { chunkSizeWarningLimit: 4096 },
  },
});
