import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLooks } from "./checks.fixture.ts";
import type { TestConsole } from "./console.fixture.ts";
import { createClock, designCookieCats, playCookieCats } from "./cookie-cats.fixture.ts";
import { asViewer, describeConsole, type Run, type Visit } from "./describe-console.fixture.ts";

const DAYS = 6;

describeConsole("experiments in the console", ({ start, onPage, testLooks }) => {
  let played: TestConsole;
  beforeAll(async () => {
    const clock = createClock(Date.parse("2026-03-02T10:00:00Z"));
    played = await start({ now: clock.now });
    await designCookieCats(played, { planned_sample_size: 100_000 });
    await playCookieCats(played, clock, { days: DAYS, every: 20 });
    // A list shows the results that the server computed last.
    await played.admin.request("GET /results/{experiment_id}/overview", { params: { experiment_id: "gate-level-40" } });
  });
  afterAll(() => played?.close());

  const open = (path: string, run: Run, more: Partial<Visit> = {}) =>
    onPage({ path, server: () => played, ...more }, run);
  const RESULTS = "experiments/gate-level-40";

  test("are listed and found by state", async () => {
    await open("experiments", async (page) => {
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
    await open(RESULTS, async (page) => {
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
    await open(RESULTS, async (page) => {
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
    await open(RESULTS, days, { timezoneId: "America/Los_Angeles" });
  });

  test("show a viewer the steps, and the role that they need", async () => {
    await open(
      RESULTS,
      async (page) => {
        await page.getByText("Needs the role Developer").first().waitFor();
        expect(await page.getByRole("button", { name: "Pause" }).isDisabled()).toBe(true);
        await page.getByRole("region", { name: "Decision" }).waitFor();
      },
      { as: asViewer },
    );
  });

  testLooks("fit a phone and a desk", { path: "experiments", server: () => played }, async (page) => {
    await page.getByRole("link", { name: "First gate at level 40" }).waitFor();
    await checkLooks(page);
    await page.getByRole("link", { name: "First gate at level 40" }).click();
    await page.getByRole("slider", { name: "Day" }).waitFor();
    await checkLooks(page);
  });
});
