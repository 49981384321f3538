import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { checkPage } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { describeConsole } from "./describe-console.fixture.ts";

/** What an element looks like beside its text. */
const lookOf = (element: Locator) =>
  element.evaluate((one) => {
    const { backgroundColor, backgroundImage, borderTop, borderBottom, textDecorationLine } = getComputedStyle(one);
    return { backgroundColor, backgroundImage, borderTop, borderBottom, textDecorationLine };
  });

describeConsole("the console in forced colours", ({ onPage }) => {
  async function prepare({ admin }: TestConsole) {
    await admin.request("POST /experiments/", { body: { key: "short-form", name: "Short form" } });
    const { id } = await admin.request("POST /mutual-exclusion-groups", { body: { name: "Checkout" } });
    await admin.request("POST /mutual-exclusion-groups/{group_id}/experiments", {
      params: { group_id: id },
      body: { experiment_id: "short-form", slot_percentage: 40 },
    });
    await admin.request("POST /feature-flags/", {
      body: { key: "checkout", name: "Checkout", status: "ACTIVE", rollout_percentage: 10 },
    });
    const schedule = await admin.request("POST /rollout-schedules", {
      body: {
        name: "Slowly",
        feature_flag_id: "checkout",
        stages: [
          { target_percentage: 25, trigger: "TIME", trigger_config: { after_minutes: 0 } },
          { target_percentage: 60, trigger: "MANUAL" },
        ],
      },
    });
    await admin.request("POST /rollout-schedules/{id}/activate", { params: { id: schedule.id } });
  }

  test.each(["light", "dark"] as const)("keeps what colours say, on a %s screen", async (colorScheme) => {
    const visit = { path: "traffic", prepare, colorScheme, forcedColors: "active" as const };
    await onPage(visit, async (page, { url }) => {
      const slot = (name: string) => page.locator(".slot").filter({ hasText: name });
      await slot("short-form").waitFor();
      expect(await page.evaluate(() => matchMedia("(forced-colors: active)").matches)).toBe(true);
      expect(await lookOf(slot("short-form"))).not.toEqual(await lookOf(slot("Free")));
      await checkPage(page);

      await page.goto(`${url}/console/flags/checkout?tab=schedule`);
      await signIn(page);
      const track = page.locator(".track").first();
      await track.waitFor();
      const { backgroundColor: empty } = await lookOf(track);
      expect((await lookOf(track.locator("div"))).backgroundColor).not.toBe(empty);
      const tabs = page.locator(".tabs a");
      const current = await lookOf(tabs.and(page.locator("[aria-current]")));
      expect(current.borderBottom).not.toBe(
        (await lookOf(tabs.and(page.locator(":not([aria-current])")).first())).borderBottom,
      );
      await checkPage(page);

      await page.goto(`${url}/console/flags/checkout`);
      await signIn(page);
      await page.getByLabel("Share of users, in %").fill("60");
      await page.getByRole("button", { name: "Change rollout" }).click();
      const dialog = page.getByRole("dialog");
      expect((await lookOf(dialog.locator("del").first())).textDecorationLine).toBe("line-through");
      expect((await lookOf(dialog.locator("ins").first())).textDecorationLine).toBe("underline");
    });
  });
});
