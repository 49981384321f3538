import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { preview } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPage, openPage } from "../packages/console/src/checks.fixture.ts";
import { ADMIN, launchBrowser, startServer } from "../packages/console/src/console.fixture.ts";
import { consoleAssets } from "../packages/console/src/index.ts";

let assay: Awaited<ReturnType<typeof startServer>>;
let site: Awaited<ReturnType<typeof preview>>;
let browser: Awaited<ReturnType<typeof launchBrowser>>;
let url: string;

beforeAll(async () => {
  assay = await startServer(consoleAssets);
  process.env.ASSAY_URL = assay.url;
  const root = fileURLToPath(new URL(".", import.meta.url));
  site = await preview({ root, configFile: `${root}preview.config.ts`, preview: { port: await freePort() } });
  url = site.resolvedUrls!.local[0]!;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await assay?.close();
});

async function freePort(): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("the start page leads to the first steps", async () => {
  const { page, verify, close } = await openPage(browser, url);
  await page.goto(url);
  await page.getByRole("link", { name: "Get started" }).click();
  await page.getByRole("heading", { level: 1, name: "Getting started" }).waitFor();
  verify();
  await close();
});

test("the search finds a page by its words, without another server", async () => {
  const { page, verify, close } = await openPage(browser, url);
  await page.goto(url);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("sample ratio mismatch");
  await page.getByRole("option").first().click();
  await page.getByRole("heading", { level: 1, name: "Sample ratio mismatch" }).waitFor();
  verify();
  await close();
});

test("a link to a source file shows it", async () => {
  const { page, verify, close } = await openPage(browser, url);
  await page.goto(`${url}overview`);
  await page.getByRole("link", { name: "Express", exact: true }).click();
  await page.getByText("app.use(assay.node)").waitFor();
  verify();
  await close();
});

test("Try the API sends a request with a token to the server", async () => {
  const { page, verify, close } = await openPage(browser, url);
  const response = await fetch(`${assay.url}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(ADMIN),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  await page.goto(`${url}try-it`);
  await page.getByRole("button", { name: "Authorize" }).first().click();
  await page.locator("#auth-bearer-value").fill(access_token);
  await page.getByRole("button", { name: "Apply credentials" }).first().click();
  await page.getByRole("button", { name: "Close" }).last().click();
  await page.getByPlaceholder("Filter by tag or path").fill("auth");
  await page.locator("#operations-tag-auth").click();
  await page
    .getByRole("button", { name: /\/auth\/me/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Execute" }).click();
  await page.locator(".live-responses-table").getByText('"username": "admin"').waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  verify();
  await close();
});

/** The theme has a button to fold a group of the sidebar inside of its heading, which does the same. */
const EXEMPT = ["nested-interactive"];
const PAGES = [
  "",
  "overview",
  "docs/evaluation",
  "docs/api-conventions",
  "docs/statistics/cuped",
  "reference/@assay/edge",
];

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  test.each([1280, 390])(
    "pages of %i pixels do not scroll sideways, and people with disabilities can use them",
    async (width) => {
      const { page, verify, close } = await openPage(browser, url, { colorScheme, viewport: { width, height: 900 } });
      for (const path of PAGES) {
        await page.goto(url + path);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        await checkPage(page, EXEMPT);
      }
      verify();
      await close();
    },
  );
});
