import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ConsoleAssets } from "@assay/server";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPage, openPage } from "./checks.fixture.ts";
import { buildConsole, CHROMIUM, launchBrowser, signIn, startServer } from "./console.fixture.ts";

describe.runIf(CHROMIUM)("first steps in the console", () => {
  let assets: ConsoleAssets;
  let browser: Browser;
  beforeAll(async () => {
    assets = await buildConsole();
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test("lead from an empty store to a flag that the reader's own code evaluates", async () => {
    const { url, close } = await startServer(assets);
    const { page, verify, close: leave } = await openPage(browser, url);
    await page.goto(`${url}/`);
    await signIn(page);
    await page.getByRole("main").getByRole("link", { name: "First steps" }).click();
    await page.getByLabel("Name of the flag").fill("New checkout");
    await page.getByRole("button", { name: "Create flag" }).click();
    await page.getByText("You use the flag new-checkout.").waitFor();
    await page.getByLabel("Language").selectOption("curl");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("Waiting for the first evaluation…").waitFor();
    const command = await page.locator("pre").textContent();
    // What a reader does: paste the command into a shell.
    const { stdout } = await promisify(execFile)("sh", ["-c", command ?? ""]);
    expect(JSON.parse(stdout)).toMatchObject({ key: "new-checkout", value: true });
    await page.getByText("your code evaluated this flag").waitFor();
    await checkPage(page);
    await page.getByLabel("Language").selectOption("React");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("AssayWebProvider").waitFor();
    // A reload loses the secrets, and keeps the choices.
    await page.reload();
    await signIn(page);
    expect(await page.getByLabel("Language").inputValue()).toBe("react");
    expect(await page.getByLabel("Flag", { exact: true }).inputValue()).toBe("new-checkout");
    expect(await page.locator("pre").count()).toBe(0);
    verify();
    await leave();
    await close();
  });

  test("a key is shown once, and revoked after a question", async () => {
    const server = await startServer(assets);
    const { page, verify, close } = await openPage(browser, server.url);
    await page.goto(`${server.url}/console/keys`);
    await signIn(page);
    await page.getByText("There are no API keys yet.").waitFor();
    await checkPage(page);
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Billing");
    await dialog.getByLabel("May").selectOption("also send events");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const secret = (await dialog.locator(".secret code").textContent()) ?? "";
    const evaluate = () =>
      fetch(`${server.url}/api/v1/openfeature/flags`, { headers: { "x-api-key": secret } }).then(
        ({ status }) => status,
      );
    expect(await evaluate()).toBe(200);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: "Billing" }).waitFor();
    await checkPage(page);
    expect(await page.getByText(secret).count()).toBe(0);
    await page.getByRole("button", { name: "Revoke Billing" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await evaluate()).toBe(200);
    await page.getByRole("button", { name: "Revoke Billing" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await evaluate()).toBe(401);
    verify();
    await close();
    await server.close();
  });

  test.each(["light", "dark"] as const)("fit a phone in %s colours", async (colorScheme) => {
    const server = await startServer(assets);
    await server.admin.request("POST /feature-flags/", { body: { key: "a", name: "A", status: "ACTIVE" } });
    await server.admin.request("POST /api-keys", { body: { name: "A key with a long name for a server of payments" } });
    const { page, verify, close } = await openPage(browser, server.url, {
      viewport: { width: 390, height: 844 },
      colorScheme,
    });
    await page.goto(`${server.url}/console/start`);
    await signIn(page);
    await page.getByLabel("Flag", { exact: true }).selectOption("a");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("Waiting for the first evaluation…").waitFor();
    await checkPage(page);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("row", { name: "A key with a long name" }).waitFor();
    await checkPage(page);
    verify();
    await close();
    await server.close();
  });
});
