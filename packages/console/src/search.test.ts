import type { ConsoleAssets } from "@assay/server";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPage, openPage } from "./checks.fixture.ts";
import { buildConsole, CHROMIUM, launchBrowser, signIn, startServer, type TestConsole } from "./console.fixture.ts";

async function fill({ admin }: TestConsole) {
  for (const key of ["new-checkout", "checkout", "banner"]) {
    await admin.request("POST /feature-flags/", { body: { key, name: `Flag ${key}` } });
  }
  await admin.request("POST /experiments/", { body: { key: "colours", name: "Checkout colours" } });
}

const optionsOf = (page: Page) => page.getByRole("listbox", { name: "Results" }).getByRole("option");

describe.runIf(CHROMIUM)("the search of the console", () => {
  let assets: ConsoleAssets;
  let browser: Browser;
  beforeAll(async () => {
    assets = await buildConsole();
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("finds things by kind, and opens one by keyboard only", async () => {
    const server = await startServer(assets);
    await fill(server);
    const { page, verify, close } = await openPage(browser, server.url);
    await page.goto(`${server.url}/console/flags`);
    await signIn(page);
    await page.getByRole("link", { name: "banner" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("checkout");
    const groups = page.getByRole("listbox", { name: "Results" }).getByRole("group");
    await groups.first().waitFor();
    expect(await groups.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).toEqual([
      "Flags",
      "Experiments",
    ]);
    expect(await optionsOf(page).allTextContents()).toEqual([
      "Flag checkout checkout",
      "Flag new-checkout new-checkout",
      "Checkout colours colours",
    ]);
    const chosen = page.getByRole("listbox", { name: "Results" }).getByRole("option", { selected: true });
    expect(await chosen.textContent()).toContain("Flag checkout");
    await page.keyboard.press("ArrowUp");
    expect(await chosen.textContent()).toContain("Checkout colours");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await chosen.textContent()).toContain("Flag new-checkout");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Flag new-checkout" }).waitFor();
    // The box is empty again, and the slash is text in other fields.
    const box = page.getByRole("combobox", { name: "Search" });
    expect(await box.inputValue()).toBe("");
    await page.goto(`${server.url}/console/flags`);
    await page.getByLabel("Find by key or name").pressSequentially("a/b");
    expect(await page.getByLabel("Find by key or name").inputValue()).toBe("a/b");
    await box.fill("zzz");
    await page.getByText("Nothing has this name or key.").waitFor();
    await page.keyboard.press("Escape");
    expect(await box.inputValue()).toBe("");
    await box.fill("colours");
    await page.getByRole("option", { name: "Checkout colours" }).click();
    await page.getByRole("heading", { name: "Checkout colours" }).waitFor();
    verify();
    await close();
    await server.close();
  });

  test("finds only what the user may see", async () => {
    const server = await startServer(assets);
    await fill(server);
    const viewer = await server.addUser("vera", "VIEWER");
    const { page, verify, close } = await openPage(browser, server.url);
    await page.goto(`${server.url}/console/flags`);
    await signIn(page, viewer);
    await page.getByRole("combobox", { name: "Search" }).fill("checkout");
    await optionsOf(page).first().waitFor();
    expect(await optionsOf(page).count()).toBe(2);
    verify();
    await close();
    await server.close();
  });

  test("says that the server refuses", async () => {
    const server = await startServer(assets);
    const { page, verify, close } = await openPage(browser, server.url);
    await page.goto(`${server.url}/console/flags`);
    await signIn(page);
    await page.route("**/api/v1/search*", (route) =>
      route.fulfill({ status: 500, json: { detail: "No search today" } }),
    );
    await page.getByRole("combobox", { name: "Search" }).fill("checkout");
    await page.getByText("No search today").waitFor();
    verify(500);
    await close();
    await server.close();
  });

  test.each(["light", "dark"] as const)("fits a phone and a desk in %s colours", async (colorScheme) => {
    const server = await startServer(assets);
    await fill(server);
    for (const width of [390, 1280]) {
      const { page, verify, close } = await openPage(browser, server.url, {
        viewport: { width, height: 844 },
        colorScheme,
      });
      await page.goto(`${server.url}/console/flags`);
      await signIn(page);
      await page.getByRole("combobox", { name: "Search" }).fill("checkout");
      await optionsOf(page).first().waitFor();
      await checkPage(page);
      verify();
      await close();
    }
    await server.close();
  });
});
