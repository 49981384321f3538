import type { ConsoleAssets } from "@assay/server";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPage, openPage } from "./checks.fixture.ts";
import {
  ADMIN,
  buildConsole,
  CHROMIUM,
  launchBrowser,
  signIn,
  startServer,
  type TestConsole,
} from "./console.fixture.ts";
import { createClock, designCookieCats, playCookieCats } from "./cookie-cats.fixture.ts";

const DAYS = 6;

describe.runIf(CHROMIUM)("experiments in the console", () => {
  let assets: ConsoleAssets;
  let browser: Browser;
  let played: TestConsole;
  beforeAll(async () => {
    assets = await buildConsole();
    browser = await launchBrowser();
    const clock = createClock(Date.parse("2026-03-02T10:00:00Z"));
    played = await startServer(assets, { now: clock.now });
    await designCookieCats(played, { planned_sample_size: 100_000 });
    await playCookieCats(played, clock, { days: DAYS, every: 20 });
    // A list shows the results that the server computed last.
    await played.admin.request("GET /results/{experiment_id}/overview", { params: { experiment_id: "gate-level-40" } });
  });
  afterAll(async () => {
    await played?.close();
    await browser?.close();
  });

  async function open(url: string, run: (page: Page) => Promise<void>, options = {}, user = ADMIN) {
    const { page, verify, close } = await openPage(browser, url, options);
    await page.goto(url);
    await signIn(page, user);
    await run(page);
    verify();
    await close();
  }
  const resultsPage = () => `${played.url}/console/experiments/gate-level-40`;

  test("are listed and found by state", async () => {
    await open(`${played.url}/console/experiments`, async (page) => {
      await page.getByRole("link", { name: "First gate at level 40" }).waitFor();
      await page.getByRole("row", { name: /First gate .* 4,510 retention_7 −\d+\.\d % −/ }).waitFor();
      await page.getByLabel("State").selectOption("Completed");
      await page.getByText("No experiment matches this search.").waitFor();
      await page.getByRole("link", { name: "Show all experiments" }).click();
      await page.getByRole("link", { name: "First gate at level 40" }).click();
      await page.getByRole("heading", { name: "First gate at level 40" }).waitFor();
    });
  });

  test("show the decision, and the numbers of the test that decides", async () => {
    const params = { experiment_id: "gate-level-40" };
    const overview = await played.admin.request("GET /results/{experiment_id}/overview", { params });
    const row = overview.metrics.find(({ name }) => name === "retention_7")!;
    const [low, high] = row.interval!;
    const toText = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value * 100).toFixed(2)} pp`;
    await open(resultsPage(), async (page) => {
      const decision = page.getByRole("region", { name: "Decision" });
      await decision.getByText("Keep running: no decision yet").waitFor();
      await decision.getByText(overview.decision.sentence).first().waitFor();
      // The plot takes the space between the numbers.
      const plot = await page.locator("td.plot").first().boundingBox();
      expect(plot!.width).toBeGreaterThan(200);
      await decision.getByText("of 100,000 planned").waitFor();
      const effects = page.getByRole("region", { name: "Effects of gate_40 against gate_30" });
      const effect = effects.getByRole("row", { name: "retention_7 primary" });
      const text = await effect.textContent();
      expect(text).toContain(toText(row.difference!));
      expect(text).toContain(`${toText(low)} to ${toText(high)}`);
      // The course ends where the table does.
      const last = await page.getByRole("slider", { name: "Day" }).getAttribute("aria-valuetext");
      expect(last).toContain(`${toText(low)} to ${toText(high)}`);
      // The whisker ends where the interval does, measured from the zero line.
      const at = (selector: string, name: string) =>
        effect.locator(selector).evaluate((line, attribute) => Number(line.getAttribute(attribute)), name);
      const zero = await at("line.zero", "x1");
      const left = (await at('[data-part="interval"]', "x1")) - zero;
      const right = (await at('[data-part="interval"]', "x2")) - zero;
      expect(left / right).toBeCloseTo(low / high, 6);
      expect(Math.sign(right)).toBe(Math.sign(high));
    });
  });

  test("show the days, which the arrow keys move through", async () => {
    await open(resultsPage(), async (page) => {
      const days = page.getByRole("slider", { name: "Day" });
      await days.focus();
      expect(await days.getAttribute("aria-valuenow")).toBe(String(DAYS));
      expect(await days.getAttribute("aria-valuetext")).toMatch(/^7 Mar: .* pp to .* pp, 4,510 users$/);
      await page.keyboard.press("ArrowLeft");
      expect(await days.getAttribute("aria-valuetext")).toMatch(/^6 Mar: /);
      await page.keyboard.press("Home");
      expect(await days.getAttribute("aria-valuetext")).toMatch(/^2 Mar: /);
      await page.getByText("Show as table").click();
      expect(await page.getByRole("row", { name: /^\d Mar/ }).count()).toBe(DAYS);
    });
  });

  test("show the days of the server, wherever the reader is", async () => {
    const days = async (page: Page) => {
      const text = await page.getByRole("slider", { name: "Day" }).getAttribute("aria-valuetext");
      expect(text).toMatch(/^7 Mar: /);
    };
    await open(resultsPage(), days, { timezoneId: "America/Los_Angeles" });
  });

  test("show a viewer the steps, and the role that they need", async () => {
    const viewer = await played.addUser("vera", "VIEWER");
    await open(
      resultsPage(),
      async (page) => {
        await page.getByText("Needs the role Developer").first().waitFor();
        expect(await page.getByRole("button", { name: "Pause" }).isDisabled()).toBe(true);
        await page.getByRole("region", { name: "Decision" }).waitFor();
      },
      {},
      viewer,
    );
  });

  test.each(["light", "dark"] as const)(
    "fit a phone and a desk in %s colours, and axe finds nothing",
    async (theme) => {
      for (const width of [390, 1280]) {
        const options = { viewport: { width, height: 844 }, colorScheme: theme };
        await open(
          `${played.url}/console/experiments`,
          async (page) => {
            await page.getByRole("link", { name: "First gate at level 40" }).waitFor();
            await checkPage(page);
            await page.getByRole("link", { name: "First gate at level 40" }).click();
            await page.getByRole("slider", { name: "Day" }).waitFor();
            await checkPage(page);
          },
          options,
        );
      }
    },
  );
});
