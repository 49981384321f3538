import { createClient } from "@assay/client";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkPage } from "./checks.fixture.ts";
import { ADMIN, signIn, type TestConsole } from "./console.fixture.ts";
import { type AsUser, asViewer, confirm, describeConsole } from "./describe-console.fixture.ts";

describeConsole("API keys in the console", ({ onPage, testLooks }) => {
  const createKey = ({ admin }: TestConsole) =>
    admin.request("POST /api-keys", { body: { name: "Billing", scopes: ["read", "write"] } });
  /** Uses a key as a program does. */
  const use = async ({ url }: TestConsole, key: string) =>
    (await fetch(`${url}/api/v1/openfeature/flags`, { headers: { "x-api-key": key } })).status;
  const secretOf = async (page: Page) => (await page.locator(".secret code").textContent()) ?? "";

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

  test("rotate without an outage, over a break, and the trail has both steps", async () => {
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

  test("whose successor nobody copied are rotated again", async () => {
    await onPage({ path: "keys", prepare: createKey }, async (page, server) => {
      await page.getByRole("link", { name: "Rotate Billing" }).click();
      await page.getByRole("button", { name: "Create the successor" }).click();
      await page.getByRole("button", { name: "Discard the successor" }).click();
      await confirm(page, "Discard");
      await page.getByRole("button", { name: "Create the successor" }).waitFor();
      const keys = await server.admin.request("GET /api-keys");
      expect(keys.map(({ is_active }) => is_active)).toEqual([false, true]);
    });
  });

  test("rotate by Developers only", async () => {
    const prepare = async (server: TestConsole) => {
      const dora = await server.addUser("dora", "DEVELOPER");
      const client = createClient({ baseUrl: server.url, ...dora });
      const { id } = await client.request("GET /users/me");
      await client.request("POST /api-keys", { body: { name: "Her key" } });
      await server.admin.request("PATCH /admin/users/{user_id}", { params: { user_id: id }, body: { role: "VIEWER" } });
    };
    const as: AsUser = async () => ({ ...ADMIN, username: "dora" });
    await onPage({ path: "keys", prepare, as }, async (page) => {
      expect(await page.getByRole("button", { name: "Rotate Her key" }).isDisabled()).toBe(true);
      await page.getByText("Needs the role Developer").first().waitFor();
      await checkPage(page);
    });
    await onPage({ path: "keys/unknown/rotate", as: asViewer }, async (page) => {
      await page.getByText("There is no API key with this id, or you may not see it.").waitFor();
    });
  });

  testLooks("fit a phone and a desk", { path: "keys", prepare: createKey }, async (page) => {
    await page
      .getByRole("link", { name: /otat.* Billing/ })
      .first()
      .click();
    const create = page.getByRole("button", { name: "Create the successor" });
    const revoke = page.getByRole("button", { name: "Revoke the old key" });
    await create.or(revoke).waitFor();
    await checkPage(page);
    if (await create.isVisible()) await create.click();
    await revoke.waitFor();
    await checkPage(page);
    await page.getByRole("link", { name: "All API keys" }).click();
    await page.getByRole("link", { name: "Continue rotation of Billing" }).first().waitFor();
    await checkPage(page);
  });
});
