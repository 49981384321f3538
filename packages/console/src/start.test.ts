import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkPage } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { describeConsole } from "./describe-console.fixture.ts";

describeConsole("first steps in the console", ({ start, onUrl, testLooks }) => {
  test("lead from an empty store to a flag that the reader's own code evaluates", async () => {
    const { url, close } = await start();
    const firstSteps = async (page: Page) => {
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
    };
    await onUrl(url, firstSteps);
    await close();
  });

  const prepare = async ({ admin }: TestConsole) => {
    await admin.request("POST /feature-flags/", { body: { key: "a", name: "A", status: "ACTIVE" } });
    await admin.request("POST /api-keys", { body: { name: "A key with a long name for a server of payments" } });
  };
  testLooks("fit a phone and a desk", { path: "start", prepare }, async (page) => {
    await page.getByLabel("Flag", { exact: true }).selectOption("a");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("Waiting for the first evaluation…").waitFor();
    await checkPage(page);
    const menu = page.getByRole("button", { name: "Menu" });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("row", { name: "A key with a long name" }).waitFor();
    await checkPage(page);
  });
});
