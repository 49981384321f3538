import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Opens a page that remembers what must not happen: errors on its console (which include violations of the content
 * security policy), exceptions, and requests to other origins. `verify` throws if one did. A test that provokes a
 * refusal names its status.
 */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && origin !== new URL(url).origin) problems.push(`Request to ${request.url()}`);
  });
  return {
    page,
    verify(...refusals: number[]) {
      const isExpected = (text: string) => refusals.some((status) => text.includes(`status of ${status}`));
      expect(problems.filter((text) => !isExpected(text))).toEqual([]);
    },
    close: () => context.close(),
  };
}

/** Fails if the page is wider than its window, or breaks a rule of axe. @param exempt rules that are not checked */
export async function checkPage(page: Page, exempt: readonly string[] = []): Promise<void> {
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth] as const);
  expect(width[0], `The page ${page.url()} scrolls sideways`).toBeLessThanOrEqual(width[1]);
  // Colours on their way from one to another have no contrast to check.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  // A page keeps axe until it is left; to load it takes longer than to run it.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (names) => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe;
    const rules = Object.fromEntries(names.map((name) => [name, { enabled: false }]));
    const { violations: found } = await run.run({ rules });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  }, exempt);
  expect(violations, `On ${page.url()}`).toEqual([]);
}

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 844 };

/** How {@link checkLooks} leaves a page. */
export const PHONE_LOOK = { viewport: PHONE, colorScheme: "light" } as const;

/** {@link checkPage} on a desk and on a phone, in dark and in light colours. */
export async function checkLooks(page: Page): Promise<void> {
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size);
    for (const colorScheme of ["dark", PHONE_LOOK.colorScheme] as const) {
      await page.emulateMedia({ colorScheme });
      // Charts are drawn again for another width after a frame.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await checkPage(page);
    }
  }
}

/** Returns the size of what a page loaded before anyone signed in, gzipped, in bytes. */
export async function firstLoad(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    if (response.ok()) bodies.push(response.body());
  });
  await page.goto(url);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  await context.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}
