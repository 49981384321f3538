import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasBrowser, launchBrowser } from "../testing/browser.fixture.ts";
import { connect, serveExample, stopExamples } from "../testing/example.fixture.ts";

const USERS = ["ada", "donald", "radia"];

describe.runIf(hasBrowser)("a page rendered on the server, in Chromium", () => {
  let browser: Browser;
  let site: string;
  /** Everyone who has had a page open; whoever has only been rendered for is not among them. */
  const visitors = new Set<string>();

  beforeAll(async () => {
    const [example, started] = await Promise.all([serveExample("next-like"), launchBrowser()]);
    [site, browser] = [example.url, started];
  });
  afterAll(async () => {
    await browser?.close();
    stopExamples();
  });

  /** Opens a page and writes down every text the headline ever had, and what went wrong. */
  async function open(user: string) {
    visitors.add(user);
    // `browser.newPage()` would close the page's context with it, and end the request that the page sends on leaving.
    const context = await browser.newContext();
    const page: Page = await context.newPage();
    const problems: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.addInitScript(() => {
      const seen = new Set<string>();
      Object.assign(globalThis, { seen });
      const look = () => {
        const text = document.querySelector("#headline")?.textContent;
        if (text) seen.add(text);
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await page.goto(`${site}/users/${user}`);
    // Taken over once React has put its own properties on the element.
    await page.waitForFunction(() =>
      Object.keys(document.querySelector("#signup") ?? {}).some((name) => name.startsWith("__reactProps")),
    );
    return { page, problems, requests };
  }

  test("says on the server what it goes on saying in the browser, for every user", async () => {
    const headlines = new Set<string>();
    for (const user of USERS) {
      const source = await (await fetch(`${site}/users/${user}`)).text();
      const { page, problems } = await open(user);
      const shown = (await page.locator("#headline").textContent())!;
      expect(source).toContain(`<h1 id="headline">${shown.replace("<", "&lt;")}</h1>`);
      expect(await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen])).toEqual([shown]);
      expect(problems).toEqual([]);
      headlines.add(shown);
      // Otherwise nothing is sent on leaving, and the exposure may be lost.
      await page.close({ runBeforeUnload: true });
    }
    expect(headlines.size).toBe(2);
  });

  test("a value cannot end the script it travels in", async () => {
    const source = await (await fetch(`${site}/users/ada`)).text();
    const handover = /<script type="application\/json" id="handover">(.*?)<\/script>/s.exec(source)![1]!;
    expect(handover).not.toContain("<");
    expect(JSON.parse(handover)).toMatchObject({ user: "ada" });
  });

  test("the browser records the exposure and the outcome, the server none", async () => {
    const admin = connect(site);
    const results = () => admin.request("GET /results/{experiment_id}", { params: { experiment_id: "headline" } });
    const users = async () => {
      const { sample_size } = await results();
      return sample_size.control + sample_size.treatment;
    };
    await fetch(`${site}/users/only-rendered`);
    const { page } = await open("one-visitor");
    await page.locator("#signup").click();
    await page.close({ runBeforeUnload: true });
    // An administrator has 100 requests a minute, and an exposure that is sent on leaving may take seconds.
    const interval = 500;
    await vi.waitFor(async () => expect(await users()).toBe(visitors.size), { interval });
    await vi.waitFor(
      async () => {
        const row = (await results()).metrics[0]!;
        expect(row.n.control * row.control_value + row.n.treatment * row.treatment_value).toBeCloseTo(1, 9);
      },
      { interval },
    );
  });
});
