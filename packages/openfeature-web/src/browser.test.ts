import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssayServer, eventsOf, startExperiment } from "./assay-server.fixture.ts";
import { CHROMIUM, launchBrowser, openShop, type Shop, startPages } from "./page.fixture.ts";
import { EVENTS, hold } from "./provider.fixture.ts";

declare const shop: Shop;

/** The limit of browsers for the bodies of all pending keepalive requests of a page. */
const LIMIT = 65_536;

describe.skipIf(!CHROMIUM)("in Chromium", () => {
  let browser: Browser;
  let pages: Awaited<ReturnType<typeof startPages>>;
  let server: Awaited<ReturnType<typeof startExperiment>>;

  beforeAll(async () => {
    [browser, pages] = await Promise.all([launchBrowser(), startPages()]);
  });

  afterAll(async () => {
    await browser?.close();
    await pages?.[Symbol.asyncDispose]();
  });

  /** Opens a page of another origin than the server's, which sends events only when it is left. */
  const open = (options: object = {}) =>
    openShop(browser, pages, {
      apiKey: server.apiKey,
      baseUrl: server.url,
      tracking: { flushIntervalMs: 3_600_000, batchSize: 100_000 },
      ...options,
    });

  /** Records the first exposure, and resolves when the code that sends it is loaded. */
  async function load(page: Page) {
    await expose(page, 1);
    // As a text: Vitest replaces an import.
    await page.evaluate(`import("${pages.sender}").then(() => {})`);
  }

  /** Evaluates the flag of the experiment for as many users. */
  const expose = (page: Page, users: number) =>
    page.evaluate(async (count) => {
      const { OpenFeature } = shop;
      for (let user = 0; user < count; user++) {
        await OpenFeature.setContext({ targetingKey: `user-${user}` });
        OpenFeature.getClient().getStringValue("checkout", "");
      }
    }, users);

  const usersOf = (of: AssayServer) => new Set(eventsOf(of).map(({ user_id }) => user_id));
  const requests = () => server.received.filter(({ path, body }) => path === EVENTS && body);

  test("exposures of a page that is left arrive", async () => {
    await using started = await startExperiment(pages.url);
    server = started;
    const page = await open();
    await load(page);
    await expose(page, 200);
    await page.goto("about:blank");
    await expect.poll(() => usersOf(server).size).toBe(200);
    await page.close();
  });

  test("exposures of a page that is left before the code to send them is loaded arrive", async () => {
    await using started = await startExperiment(pages.url);
    server = started;
    const gate = hold();
    pages.gate = ({ path }) => (path === pages.sender ? gate.held : undefined);
    const page = await open();
    await expose(page, 20);
    await page.goto("about:blank");
    await expect.poll(() => usersOf(server).size).toBe(20);
    gate.release();
    pages.gate = undefined;
    await page.close();
  });

  test("a page that is left with more exposures than fit sends nearly 64 kB of them", async () => {
    await using started = await startExperiment(pages.url);
    server = started;
    const page = await open();
    await load(page);
    await expose(page, 500);
    await page.goto("about:blank");
    await expect.poll(() => requests().length).toBe(1);
    const [{ body } = { body: "" }] = requests();
    expect(body.length).toBeLessThanOrEqual(LIMIT);
    expect(body.length).toBeGreaterThan(LIMIT - body.length / eventsOf(server).length - 1);
    await page.close();
  });

  test("a hidden page sends all exposures, and never more than Chromium allows", async () => {
    await using started = await startExperiment(pages.url);
    server = started;
    const page = await open();
    const failures: string[] = [];
    page.on("requestfailed", (request) => failures.push(request.url()));
    await load(page);
    await expose(page, 700);
    const gate = hold();
    // Not the preflight request.
    server.gate = ({ path, body }) => (path === EVENTS && body ? gate.held : undefined);
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
      dispatchEvent(new Event("pagehide"));
    });
    await expect.poll(() => requests().length).toBe(1);
    gate.release();
    await expect.poll(() => usersOf(server).size).toBe(700);
    expect([failures, eventsOf(server).length]).toEqual([[], 700]);
    await page.close();
  });

  test("a page that is left while other code of the page uses the limit sends what still fits", async () => {
    await using started = await startExperiment(pages.url);
    server = started;
    const page = await open();
    await load(page);
    await expose(page, 500);
    const gate = hold();
    pages.gate = ({ path }) => (path === "/sink" ? gate.held : undefined);
    await page.evaluate(() => {
      const body = "x".repeat(40_000);
      fetch("/sink", { method: "POST", keepalive: true, body }).catch(() => {});
      dispatchEvent(new Event("pagehide"));
    });
    await expect.poll(() => requests().length).toBeGreaterThan(0);
    expect(requests()[0]!.body.length).toBeLessThanOrEqual(LIMIT - 40_000);
    await expect.poll(() => usersOf(server).size).toBe(500);
    gate.release();
    pages.gate = undefined;
    await page.close();
  });

  test("Chromium itself refuses a body of one more byte than the limit", async () => {
    await using started = await startExperiment(pages.url);
    server = started;
    const page = await open();
    const gate = hold();
    pages.gate = ({ path }) => (path === "/sink" ? gate.held : undefined);
    const outcomes = await page.evaluate(async (limit) => {
      const post = (bytes: number) => fetch("/sink", { method: "POST", keepalive: true, body: "x".repeat(bytes) });
      const first = post(limit - 10);
      const [fits, exceeds] = [post(10), post(1)].map((sent) =>
        Promise.race([sent.then(String, String), new Promise((resolve) => setTimeout(resolve, 500, "pending"))]),
      );
      void first.catch(() => {});
      return Promise.all([fits, exceeds]);
    }, LIMIT);
    gate.release();
    pages.gate = undefined;
    expect(outcomes).toEqual(["pending", expect.stringContaining("Failed to fetch")]);
    await page.close();
  });
});
