import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { hasBrowser, launchBrowser } from "../testing/browser.fixture.ts";
import { connect, serveExample, stopExamples } from "../testing/example.fixture.ts";

const USERS = ["ada", "grace", "edsger", "barbara"];

describe.runIf(hasBrowser)("a React page in Chromium", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let site: string;
  let api: string;
  let admin: ReturnType<typeof connect>;
  const problems: string[] = [];

  beforeAll(async () => {
    const [example, started] = await Promise.all([serveExample("react-web"), launchBrowser()]);
    [site, browser] = [example.url, started];
    api = ((await (await fetch(`${site}/config.json`)).json()) as { baseUrl: string }).baseUrl;
    admin = connect(api);
  });
  afterAll(async () => {
    await browser?.close();
    stopExamples();
  });

  beforeEach(async () => {
    problems.length = 0;
    context = await browser.newContext();
    page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(site);
    await page.locator("#buy").waitFor();
  });
  afterEach(() => context.close());

  /** What the server itself says the user is to see. */
  async function expectedFor(user: string): Promise<string> {
    const keys = await admin.request("POST /api-keys", { body: { name: "check", scopes: ["read"] } });
    const response = await fetch(`${api}/api/v1/feature-flags/checkout-button/evaluate`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": keys.key! },
      body: JSON.stringify({ user_id: user }),
    });
    return ((await response.json()) as { value: string }).value;
  }

  const experiment = () =>
    admin.request("GET /results/{experiment_id}", { params: { experiment_id: "checkout-button" } });

  test("shows each user their own answer, at once and without a request", async () => {
    const seen: string[] = [];
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    for (const user of USERS) {
      await page.selectOption("#user", user);
      const expected = await expectedFor(user);
      await vi.waitFor(async () => expect(await page.locator("#buy").textContent()).toBe(expected));
      seen.push(expected);
    }
    expect(new Set(seen).size).toBe(2);
    expect(requests.filter((path) => path.endsWith("/openfeature/flags") || path.includes("evaluate"))).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("shows a toggled flag without a reload", async () => {
    expect(await page.locator("#sale").count()).toBe(0);
    await admin.request("PATCH /feature-flags/{id}", { params: { id: "sale-banner" }, body: { status: "ACTIVE" } });
    await page.locator("#sale").waitFor();
    await admin.request("PATCH /feature-flags/{id}", { params: { id: "sale-banner" }, body: { status: "INACTIVE" } });
    await page.locator("#sale").waitFor({ state: "detached" });
    expect(problems).toEqual([]);
  });

  test("counts whoever saw the button once, and what they bought just before the page was closed", async () => {
    const before = await experiment();
    const people = ["edsger", "barbara"];
    for (const user of people) {
      await page.selectOption("#user", user);
      const expected = await expectedFor(user);
      await vi.waitFor(async () => expect(await page.locator("#buy").textContent()).toBe(expected));
    }
    await page.locator("#buy").click();
    await page.locator("#buy").click();
    await page.close({ runBeforeUnload: true });
    const users = (results: typeof before) => results.sample_size.control + results.sample_size.treatment;
    // ada is on the page when it opens; the others of earlier tests are counted already.
    // An administrator has 100 requests a minute.
    await vi.waitFor(
      async () => {
        const after = await experiment();
        expect(users(after)).toBeGreaterThanOrEqual(users(before));
        const bought = after.metrics[0]!;
        expect(bought.n.control * bought.control_value + bought.n.treatment * bought.treatment_value).toBeCloseTo(1, 9);
      },
      { interval: 500 },
    );
    const after = await experiment();
    expect(users(after)).toBeLessThanOrEqual(USERS.length);
    expect(after.analysis_warnings).toEqual([]);
    expect(after.crossover).toBe(0);
  });

  test("starts with what it knew when the server is not there, and keeps no key", async () => {
    const expected = await expectedFor("ada");
    await context.route(`${api}/**`, (route) => route.abort());
    await page.reload();
    await vi.waitFor(async () => expect(await page.locator("#buy").textContent()).toBe(expected));
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    expect(kept).toContain("checkout-button");
    expect(kept).not.toContain("asy_");
  });
});
