import { relative } from "node:path";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";
import { addressOf, OWN_PAGES, ROOT } from "./pages.ts";

const HTML = ["html_block", "html_inline"];

/** Reads Markdown as the repository has it, whose files do not know of the site. */
export function repositoryMarkdown(markdown: MarkdownRenderer): void {
  markdown.core.ruler.after("normalize", "html", (state) => {
    const isOwn = OWN_PAGES.includes(fileOf(state.env));
    // Other files contain no HTML but comments; `<name>` in a text is a text.
    if (isOwn) markdown.enable(HTML);
    else {
      markdown.disable(HTML);
      state.src = state.src.replace(/^<!--.*?-->$/gms, "");
    }
  });
  markdown.core.ruler.push("indented-code", ({ tokens }) => {
    // The theme scrolls code with a fence only.
    for (const token of tokens.filter(({ type }) => type === "code_block"))
      Object.assign(token, { type: "fence", info: "txt" });
  });
  markdown.core.ruler.push("links", ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.type === "link_open" ? (token.attrGet("href") ?? "") : "#";
      if (!/^(?:[a-z]+:|#|\/)/.test(link)) token.attrSet("href", addressOf(link, fileOf(env)));
      // A text is a template of Vue, where two braces begin an expression.
      if (token.type === "text") token.content = token.content.replaceAll("{{", "{\u200b{");
    }
  });
}

/** Returns the file of a page, as a path in the repository. */
function fileOf({ path, realPath }: MarkdownEnv): string {
  return relative(ROOT, realPath ?? path);
}
