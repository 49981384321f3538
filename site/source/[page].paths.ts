import { sourcePages } from "../.vitepress/pages.ts";

/** The pages of source files, which Markdown files link to. */
export default {
  paths: () => sourcePages().map(({ page, content }) => ({ params: { page }, content })),
};
