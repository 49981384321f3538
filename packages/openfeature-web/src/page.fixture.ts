import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { listen } from "../../sdk/src/fake-server.fixture.ts";

export const CHROMIUM = process.env.ASSAY_TEST_CHROMIUM;

/** What functions that run in a test page find there. */
export type Shop = Pick<typeof import("./index.ts"), "AssayWebProvider"> &
  Pick<typeof import("@openfeature/web-sdk"), "OpenFeature">;

declare const shop: Shop;

/** Starts a server of pages, which have the provider as a bundler makes it, with its later files. */
export async function startPages() {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { AssayWebProvider } from "./index.ts";
        import { OpenFeature } from "@openfeature/web-sdk";
        globalThis.shop = { AssayWebProvider, OpenFeature };`,
      resolveDir: import.meta.dirname,
      sourcefile: "shop.ts",
    },
    bundle: true,
    write: false,
    splitting: true,
    format: "esm",
    platform: "browser",
    conditions: ["@assay/source"],
    entryNames: "shop",
    outdir: import.meta.dirname,
  });
  const files = new Map(outputFiles.map(({ path, text }) => [path.slice(import.meta.dirname.length), text]));
  const server = await listen((request) => {
    const script = files.get(new URL(request.url).pathname);
    if (script !== undefined) return new Response(script, { headers: { "content-type": "text/javascript" } });
    const html = '<!doctype html><title>Shop</title><script type="module" src="/shop.js"></script>';
    return new Response(html, { headers: { "content-type": "text/html" } });
  });
  const sender = [...files.keys()].find((path) => path.startsWith("/sender"))!;
  return Object.assign(server, { sender });
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Opens a page that has a provider with these options. */
export async function openShop(browser: Browser, pages: { url: string }, options: object): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${pages.url}/shop`);
  await page.evaluate(async (given) => {
    const { AssayWebProvider, OpenFeature } = shop;
    await OpenFeature.setProviderAndWait(new AssayWebProvider(given as never), { targetingKey: "ada" });
  }, options);
  return page;
}
