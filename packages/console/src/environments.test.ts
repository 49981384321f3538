import { type Client, createClient } from "@assay/client";
import type { ConsoleAssets } from "@assay/server";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPage, openPage } from "./checks.fixture.ts";
import { ADMIN, buildConsole, CHROMIUM, launchBrowser, signIn, startServer } from "./console.fixture.ts";

const environments = ["production", "staging"];

describe.runIf(CHROMIUM)("the environment switch", () => {
  let assets: ConsoleAssets;
  let browser: Browser;
  beforeAll(async () => {
    assets = await buildConsole();
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  /** Starts a server with the flag `old` in production and `fresh` in staging. */
  async function start() {
    const server = await startServer(assets, { environments });
    const staging = createClient({ baseUrl: server.url, ...ADMIN, environment: "staging" });
    await server.admin.request("POST /feature-flags/", { body: { key: "old", name: "Old" } });
    await staging.request("POST /feature-flags/", { body: { key: "fresh", name: "Fresh" } });
    return { ...server, staging };
  }

  const switchOf = (page: Page) => page.getByLabel("Environment", { exact: true });
  const colourOf = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.querySelector(".topbar")!).borderTopColor);
  const flagNamed = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

  test("says where the page is, and shows the data of the environment that one chooses", async () => {
    const { url, admin, staging, close } = await start();
    const { page, verify, close: leave } = await openPage(browser, url);
    await page.goto(`${url}/console/`);
    await signIn(page);
    await flagNamed(page, "old Old").waitFor();
    expect(await switchOf(page).inputValue()).toBe("production");
    const production = await colourOf(page);
    await switchOf(page).selectOption("staging");
    await flagNamed(page, "fresh Fresh").waitFor();
    expect(await flagNamed(page, "old Old").count()).toBe(0);
    expect(await switchOf(page).inputValue()).toBe("staging");
    expect(await colourOf(page)).not.toBe(production);
    await page.getByRole("link", { name: "Create flag" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Banner");
    await page.getByRole("button", { name: "Create flag" }).click();
    await page.waitForURL(/\/flags\/banner\?environment=staging$/);
    const keysIn = async (client: Client) => (await client.request("GET /feature-flags/")).map(({ key }) => key).sort();
    expect([await keysIn(admin), await keysIn(staging)]).toEqual([["old"], ["banner", "fresh"]]);
    verify();
    await leave();
    await close();
  });

  test("keeps the choice over links, a reload and the way back, and in links for others", async () => {
    const { url, close } = await start();
    const { page, verify, close: leave } = await openPage(browser, url);
    await page.goto(`${url}/console/flags?environment=staging`);
    await signIn(page);
    await flagNamed(page, "fresh Fresh").click();
    await page.waitForURL(/\/flags\/fresh\?environment=staging/);
    await page.reload();
    await page.getByRole("heading", { name: "Fresh" }).waitFor();
    expect(await switchOf(page).inputValue()).toBe("staging");
    await page.getByRole("link", { name: "Segments" }).click();
    await page.waitForURL(/\/segments\?environment=staging$/);
    await switchOf(page).selectOption("production");
    await page.waitForURL(/\/flags\?environment=production$/);
    await flagNamed(page, "old Old").waitFor();
    await page.goBack();
    await page.waitForURL(/\/segments\?environment=staging$/);
    await switchOf(page).waitFor();
    expect(await switchOf(page).inputValue()).toBe("staging");
    verify();
    await leave();
    await close();
  });

  test("leads out of an environment that does not exist", async () => {
    const { url, close } = await start();
    const { page, verify, close: leave } = await openPage(browser, url);
    await page.goto(`${url}/console/flags?environment=stagin`);
    await signIn(page);
    await page.getByText('there is no environment "stagin"').first().waitFor();
    expect(await switchOf(page).locator("option:checked").textContent()).toBe("stagin does not exist");
    await switchOf(page).selectOption("staging");
    await flagNamed(page, "fresh Fresh").waitFor();
    verify(400);
    await leave();
    await close();
  });

  test("is absent while there is one environment", async () => {
    const { url, close } = await startServer(assets);
    const { page, verify, close: leave } = await openPage(browser, url);
    const listed = page.waitForResponse(/\/environments$/);
    await page.goto(`${url}/console/`);
    await signIn(page);
    await listed;
    await page.getByText("There are no flags yet.").waitFor();
    expect(await switchOf(page).count()).toBe(0);
    verify();
    await leave();
    await close();
  });

  test.each(["light", "dark"] as const)("is visible on a phone and a desk in %s colours", async (colorScheme) => {
    const { url, close } = await start();
    for (const width of [390, 1280]) {
      const options = { viewport: { width, height: 844 }, colorScheme };
      const { page, verify, close: leave } = await openPage(browser, url, options);
      await page.goto(`${url}/console/?environment=staging`);
      await signIn(page);
      await flagNamed(page, "fresh Fresh").waitFor();
      expect(await switchOf(page).isVisible()).toBe(true);
      await checkPage(page);
      verify();
      await leave();
    }
    await close();
  });
});
