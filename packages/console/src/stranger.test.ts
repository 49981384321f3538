import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ADMIN } from "./console.fixture.ts";
import { createClock, sendCookieCats } from "./cookie-cats.fixture.ts";
import { describeConsole } from "./describe-console.fixture.ts";

/** Uses only what is on the page: names, labels and texts. It knows no address but that of the server. */
describeConsole("someone who has never seen the console", ({ start, onUrl }) => {
  test("runs a real experiment from an empty store to a decision", { timeout: 240_000 }, async () => {
    const clock = createClock(Date.parse("2026-03-02T10:00:00Z"));
    const server = await start({ now: clock.now });
    const decide = async (page: Page) => {
      const pages = page.getByRole("navigation", { name: "Pages" });
      const dialog = page.getByRole("dialog");

      await page.goto(server.url);
      await page.getByLabel("Username or e-mail").fill(ADMIN.username);
      await page.getByLabel("Password").fill(ADMIN.password);
      await page.getByRole("button", { name: "Sign in" }).click();

      // How many players does it need?
      await pages.getByRole("link", { name: "Experiments" }).click();
      await page.getByText("There are no experiments yet.").waitFor();
      await page.getByRole("link", { name: "New experiment" }).click();
      await page.getByLabel("Share today, in %").fill("19");
      await page.getByLabel("Smallest lift worth finding, in %").fill("7");
      await page.getByLabel("Users per day, if known").fill("4300");
      await page.getByText(/^\d\d,\d{3} users, \d days$/).waitFor();

      // What changes, and what is measured?
      await page.getByLabel("Name", { exact: true }).fill("First gate at level 40");
      await page.getByLabel("Key", { exact: true }).fill("gate-level-40");
      await page.getByLabel("Hypothesis").fill("A later first gate keeps more players for a week.");
      const control = page.getByRole("group", { name: "Control" });
      const treatment = page.getByRole("group", { name: "Treatment 1" });
      await control.getByLabel("Arm").fill("gate_30");
      await treatment.getByLabel("Arm").fill("gate_40");
      const metric = (number: number) => page.getByRole("group", { name: `Metric ${number}` });
      await metric(1).getByLabel("Name of the metric").fill("Back after a week");
      await metric(1).getByLabel("Event").fill("retention_7");
      await page.getByRole("button", { name: "Add metric" }).click();
      await metric(2).getByLabel("Name of the metric").fill("Rounds played");
      await metric(2).getByLabel("Event").fill("rounds");
      await metric(2).getByLabel("Measured as").selectOption("average value per user");
      await metric(2).getByLabel("Role").selectOption("guardrail");
      await page.getByRole("button", { name: "Create draft" }).click();

      // Start, and connect the game.
      await page.getByText("This experiment has not started.").waitFor();
      await page.getByRole("button", { name: "Start" }).click();
      await dialog.getByRole("button", { name: "Start" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Create an API key" }).click();
      await page.getByRole("button", { name: "Create key" }).click();
      await dialog.getByLabel("Name").fill("Game server");
      await dialog.getByLabel("May").selectOption("also send events");
      await dialog.getByRole("button", { name: "Create key" }).click();
      const apiKey = await dialog.getByText(/^asy_/).textContent();
      await dialog.getByRole("button", { name: "Done" }).click();
      await dialog.waitFor({ state: "detached" });
      await sendCookieCats({ url: server.url, apiKey: apiKey! }, clock, { days: 7, every: 3 });

      // Decide.
      await pages.getByRole("link", { name: "Experiments" }).click();
      await page.getByRole("link", { name: "First gate at level 40" }).click();
      const decision = page.getByRole("region", { name: "Decision" });
      await decision.getByText("Keep gate_30", { exact: true }).waitFor();
      await decision.getByText("30,063").waitFor();
      await page.getByRole("button", { name: "Complete" }).click();
      await dialog.getByText("Keep gate_30", { exact: true }).waitFor();
      expect(await dialog.getByLabel("Winner").inputValue()).toBe("gate_30");
      await dialog.getByRole("button", { name: "Complete" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByText("Winner: gate_30").waitFor();

      const params = { experiment_id: "gate-level-40" };
      const experiment = await server.admin.request("GET /experiments/{experiment_id}", { params });
      expect(experiment).toMatchObject({ status: "COMPLETED", winner: "gate_30" });
    };
    // A week passes, so the access token ends, and the page continues the session.
    await onUrl(server.url, decide, { refusals: [401] });
    await server.close();
  });
});
