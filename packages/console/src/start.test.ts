import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkLooks, checkPage, firstLoad } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { confirm, describeConsole } from "./describe-console.fixture.ts";

describeConsole("first steps in the console", ({ start, browser, onUrl, onPage, testLooks }) => {
  const createKey = ({ admin }: TestConsole) =>
    admin.request("POST /api-keys", { body: { name: "Billing", scopes: ["read", "write"] } });
  /** Uses a key as a program does. */
  const use = async ({ url }: TestConsole, key: string) =>
    (await fetch(`${url}/api/v1/openfeature/flags`, { headers: { "x-api-key": key } })).status;
  const secretOf = async (page: Page) => (await page.locator(".secret code").textContent()) ?? "";

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

  test("a key is shown once, and revoked after a question", async () => {
    await onPage({ path: "keys" }, async (page, server) => {
      await page.getByText("There are no API keys yet.").waitFor();
      await checkPage(page);
      await page.getByRole("button", { name: "Create key" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Billing");
      await dialog.getByLabel("May").selectOption("also send events");
      await dialog.getByRole("button", { name: "Create key" }).click();
      const secret = await secretOf(page);
      const evaluate = () => use(server, secret);
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
    });
  });

  test("a key rotates without an outage, over a break, and the trail has both steps", async () => {
    let old = { key: "" };
    const prepare = async (server: TestConsole) => {
      const { key = "" } = await createKey(server);
      old = { key };
    };
    await onPage({ path: "keys", prepare }, async (page, server) => {
      await page.getByRole("link", { name: "Rotate Billing" }).click();
      await page.getByText("the same name and rights: read and evaluate, also send events").waitFor();
      await page.getByRole("button", { name: "Create the successor" }).click();
      const secret = await secretOf(page);
      await page.getByText("The successor was not used yet.").waitFor();
      expect(await page.locator("pre").textContent()).toContain(secret);
      expect([await use(server, old.key), await use(server, secret)]).toEqual([200, 200]);
      await page.getByText("The successor is in use.").waitFor();
      await page.getByText(/The old key was used .* Look for code that still has it/).waitFor();
      // Someone goes on later, without the secret.
      await page.goto(`${server.url}/console/keys`);
      await signIn(page);
      await page.getByRole("row", { name: "Replaces an older key" }).waitFor();
      await page.getByRole("link", { name: "Continue rotation of Billing" }).click();
      await page.getByText("It was shown once.").waitFor();
      expect(await page.getByText(secret).count()).toBe(0);
      await page.getByRole("button", { name: "Revoke the old key" }).click();
      await page.getByRole("dialog").getByText("Something used the old key").waitFor();
      await confirm(page, "Revoke key");
      await page.getByText("The rotation is complete.").waitFor();
      expect([await use(server, old.key), await use(server, secret)]).toEqual([401, 200]);
      await page.goto(`${server.url}/console/audit?kind=api_key`);
      await signIn(page);
      await page.getByText("API key: rotate").first().waitFor();
      await page.getByText("API key: revoke").first().waitFor();
    });
  });

  test("load less than 180 kB before the sign-in", async () => {
    const { url, close } = await start();
    expect(await firstLoad(browser(), `${url}/console/`)).toBeLessThan(180_000);
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
    await checkLooks(page);
    const menu = page.getByRole("button", { name: "Menu" });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("row", { name: "A key with a long name" }).waitFor();
    await checkLooks(page);
  });
});
