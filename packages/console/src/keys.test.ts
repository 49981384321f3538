import { createClient } from "@assay/client";
import { expect, test } from "vitest";
import { checkLooks, checkPage } from "./checks.fixture.ts";
import { ADMIN, type TestConsole } from "./console.fixture.ts";
import { type AsUser, asViewer, confirm, describeConsole } from "./describe-console.fixture.ts";

describeConsole("API keys in the console", ({ onPage, testLooks }) => {
  const createKey = ({ admin }: TestConsole) =>
    admin.request("POST /api-keys", { body: { name: "Billing", scopes: ["read", "write"] } });
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
    await checkLooks(page);
    if (await create.isVisible()) await create.click();
    await revoke.waitFor();
    await checkLooks(page);
    await page.getByRole("link", { name: "All API keys" }).click();
    await page.getByRole("link", { name: "Continue rotation of Billing" }).first().waitFor();
    await checkLooks(page);
  });
});
