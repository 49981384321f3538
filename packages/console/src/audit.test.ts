import type { ConsoleAssets } from "@assay/server";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPage, openPage } from "./checks.fixture.ts";
import { buildConsole, CHROMIUM, launchBrowser, signIn, startServer } from "./console.fixture.ts";

describe.runIf(CHROMIUM)("the audit trail in the console", () => {
  let assets: ConsoleAssets;
  let browser: Browser;
  beforeAll(async () => {
    assets = await buildConsole();
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test.each([390, 1280])("says who changed what, and filters by kind, %i pixels wide", async (width) => {
    const server = await startServer(assets);
    await server.admin.request("POST /feature-flags/", { body: { key: "checkout", name: "Checkout" } });
    const body = { rollout_percentage: 10, reason: "Start small" };
    await server.admin.request("PUT /feature-flags/{id}", { params: { id: "checkout" }, body });
    await server.admin.request("POST /api-keys", { body: { name: "Billing" } });
    for (const colorScheme of ["light", "dark"] as const) {
      const options = { viewport: { width, height: 844 }, colorScheme };
      const { page, verify, close } = await openPage(browser, server.url, options);
      await page.goto(`${server.url}/console/audit`);
      await signIn(page);
      await page.getByRole("row", { name: /Billing/ }).waitFor();
      await checkPage(page);
      await page.getByLabel("Kind").selectOption("Flags");
      await page.getByRole("row", { name: /Billing/ }).waitFor({ state: "detached" });
      await page.getByRole("row", { name: /Feature flag: update.*Administrator.*Start small/ }).waitFor();
      expect(await page.getByRole("row", { name: /Feature flag/ }).count()).toBe(2);
      verify();
      await close();
    }
    await server.close();
  });

  test("tells a viewer which role it needs", async () => {
    const server = await startServer(assets);
    const viewer = await server.addUser("vera", "VIEWER");
    const { page, verify, close } = await openPage(browser, server.url);
    await page.goto(`${server.url}/console/audit`);
    await signIn(page, viewer);
    await page.getByText("The audit trail needs the role Analyst.").waitFor();
    verify();
    await close();
    await server.close();
  });
});
