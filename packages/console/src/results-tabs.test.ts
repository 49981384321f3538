import { createClient } from "@assay/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLooks, checkPage } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { createClock } from "./cookie-cats.fixture.ts";
import { asViewer, describeConsole, type Run, type Visit } from "./describe-console.fixture.ts";

const HOUR = 3_600_000;
const START = Date.parse("2026-03-02T10:00:00Z");
const USERS = 1200;
const params = { experiment_id: "page" };

/** Purchases before and after the exposure of users with two plans, in two experiments at the same time. */
function toEvents(index: number): object[] {
  const user_id = `user-${index}`;
  const at = (hours: number) => new Date(START + hours * HOUR).toISOString();
  const arm = index % 2;
  const spent = 10 + (index % 7);
  const search = index % 8 < 4 ? "a" : "b";
  const buys = Math.floor(index / 2) % 10 < (arm === 0 ? 3 : search === "a" ? 5 : 6);
  const exposure = { event_type: "exposure", user_id, timestamp: at(1) };
  return [
    { event_type: "purchase", user_id, value: spent, timestamp: at(-24) },
    {
      ...exposure,
      experiment_id: "page",
      variant_id: arm === 0 ? "old" : "new",
      event_metadata: { plan: index % 3 === 0 ? "pro" : "free" },
    },
    { ...exposure, experiment_id: "search", variant_id: search },
    { event_type: "purchase", user_id, value: 2 * spent + arm, timestamp: at(2) },
    ...(buys ? [{ event_type: "signup", user_id, timestamp: at(2) }] : []),
  ];
}

describeConsole("the tabs of results", ({ start, onPage, testLooks }) => {
  let server: TestConsole;
  beforeAll(async () => {
    const clock = createClock(START);
    server = await start({ now: clock.now });
    const { admin, url } = server;
    await admin.request("POST /holdout", { body: { name: "Spring", percentage: 10 } });
    const metrics = [
      { name: "Signed up", id: "signup", event_type: "signup", role: "PRIMARY" },
      { name: "Spent", id: "spent", event_type: "purchase", kind: "MEAN" },
    ];
    const body = { key: "page", name: "New page", status: "ACTIVE", metrics };
    const arms = (...keys: string[]) => ({ variants: keys.map((key) => ({ key })) });
    await admin.request("POST /experiments/", { body: { ...body, ...arms("old", "new") } as never });
    const other = { key: "search", name: "Search", status: "ACTIVE", metrics, ...arms("a", "b") };
    await admin.request("POST /experiments/", { body: other as never });
    await admin.request("POST /experiments/", {
      body: { ...body, key: "ended", name: "Ended", ...arms("a", "b") } as never,
    });
    await admin.request("POST /experiments/{experiment_id}/complete", { params: { experiment_id: "ended" } });
    const { key } = await admin.request("POST /api-keys", { body: { name: "shop", scopes: ["read", "write"] } });
    clock.set(START + 3 * HOUR);
    const shop = createClient({ baseUrl: url, apiKey: key });
    const events = Array.from({ length: USERS }, (_, index) => toEvents(index)).flat();
    for (let from = 0; from < events.length; from += 1000) {
      await shop.request("POST /tracking/events", { body: { events: events.slice(from, from + 1000) } as never });
    }
  });
  afterAll(() => server?.close());

  const open = (run: Run, { path = "page", ...more }: Partial<Visit> = {}) =>
    onPage({ path: `experiments/${path}`, server: () => server, ...more }, async (page) => {
      await page.getByRole("link", { name: "By segment" }).waitFor();
      await run(page, server);
    });
  const pp = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value * 100).toFixed(2)} pp`;
  const points = ([low, high]: readonly number[]) => `${pp(low!)} to ${pp(high!)}`;

  test("show the effects by segment, and keep the attribute over a reload", async () => {
    const query = { dimension: "plan", metric_id: "signup" };
    const answer = await server.admin.request("GET /results/{experiment_id}/breakdown", { params, query });
    await open(
      async (page) => {
        await page.getByRole("link", { name: "By segment" }).click();
        await page.getByLabel("Attribute").fill("plan");
        await page.getByRole("button", { name: "Show segments" }).click();
        for (const { segment, difference, confidence_interval } of answer.segments) {
          const row = page.getByRole("row", { name: segment });
          await row.waitFor();
          expect(await row.textContent()).toContain(pp(difference!) + points(confidence_interval!));
        }
        await page.getByText("97.5 % intervals, so that 2 segments together raise few false alarms.").waitFor();
        await page.getByText("Nothing shows that the effect differs between segments").waitFor();
        await page.reload();
        await signIn(page);
        await page.getByRole("row", { name: "free" }).waitFor();
        expect(await page.getByLabel("Attribute").inputValue()).toBe("plan");
        await page.getByLabel("Attribute").fill("shoe size");
        await page.keyboard.press("Enter");
        await page.getByRole("row", { name: "(unknown)" }).waitFor();
        await page.getByLabel("Attribute").fill("x".repeat(300));
        await page.keyboard.press("Enter");
        await expect.poll(() => page.getByLabel("Attribute").getAttribute("aria-invalid")).toBe("true");
      },
      { refusals: [422] },
    );
  });

  test("show CUPED before and after", async () => {
    const answer = await server.admin.request("GET /results/{experiment_id}/cuped", { params, query: {} });
    const spent = answer.metrics.find(({ metric_id }) => metric_id === "spent")!;
    await open(async (page) => {
      await page.getByRole("link", { name: "Less noise (CUPED)" }).click();
      await page.getByText(/less variance\. 1,\d{3} users have earlier events\./).waitFor();
      const digits = (value: number) =>
        `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(Math.abs(value) >= 1 ? 2 : 4)}`;
      const before = await page.getByRole("row", { name: "Before" }).last().textContent();
      expect(before).toContain(digits(spent.difference!));
      const after = await page.getByRole("row", { name: "After" }).last().textContent();
      expect(after).toContain(digits(spent.adjusted_difference!));
      expect(after).toContain(spent.confidence_interval!.map(digits).join(" to "));
      await page.getByText("No user has events before taking part").waitFor();
      await checkPage(page);
    });
  });

  test("show interactions to developers, of running experiments", async () => {
    const scan = await server.admin.request("GET /interactions/scan", { query: {} });
    const [pair] = scan.pairs;
    await open(async (page) => {
      await page.getByRole("link", { name: "Interactions" }).click();
      const row = page.getByRole("row", { name: "search" });
      const text = await row.textContent();
      expect(text).toContain(pp(pair!.interaction_effect!) + points(pair!.confidence_interval!));
      expect(text).toContain("No sign of an interaction");
      await checkPage(page);
    });
    await open((page) => page.getByText("Only running experiments are compared.").waitFor(), {
      path: "ended?tab=interactions",
    });
    await open((page) => page.getByText("Interactions need the role Developer.").waitFor(), {
      path: "page?tab=interactions",
      as: asViewer,
    });
  });

  test("show the holdout", async () => {
    const active = await server.admin.request("GET /holdout");
    const report = await server.admin.request("GET /holdout/{id}", { params: { id: active!.id }, query: {} });
    const { held_out, not_held_out } = report.effect!.sample_size;
    expect(held_out).toBeGreaterThan(50);
    await open(async (page) => {
      await page.getByRole("link", { name: "Holdout" }).click();
      await page.getByText("Spring keeps 10 % of the users out since").waitFor();
      await page.getByText(`${held_out} users held out, ${not_held_out.toLocaleString("en-GB")} others.`).waitFor();
      const [first] = report.effect!.metrics;
      const row = page.getByRole("row", { name: first!.name }).first();
      expect(await row.textContent()).toContain(points(first!.confidence_interval!));
    });
  });

  testLooks("fit a phone and a desk", { path: "experiments/page", server: () => server }, async (page) => {
    for (const tab of ["By segment", "Less noise (CUPED)", "Interactions", "Holdout"]) {
      await page.getByRole("link", { name: tab }).click();
      if (tab === "By segment") {
        await page.getByLabel("Attribute").fill("plan");
        await page.keyboard.press("Enter");
      }
      await page.locator("main table").first().waitFor();
      await checkLooks(page);
    }
  });
});
