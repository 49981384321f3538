import { expect, test } from "vitest";
import { checkLooks, checkPage } from "./checks.fixture.ts";
import { ADMIN, signIn, type TestConsole } from "./console.fixture.ts";
import { type AsUser, confirm, describeConsole, faultOf, type Run } from "./describe-console.fixture.ts";

describeConsole("people in the console", ({ onPage, testLooks }) => {
  /** Runs a test on the list of people, with a developer called `dora`. */
  const onPeople = (run: Run, refusals?: number[], as?: AsUser) =>
    onPage(
      { path: "people", prepare: (server) => server.addUser("dora", "DEVELOPER"), refusals, as },
      async (page, server) => {
        await page.getByRole("row").nth(1).waitFor();
        await run(page, server);
      },
    );
  const find = async ({ admin }: TestConsole, username: string) =>
    (await admin.request("GET /admin/users", {})).items.find((user) => user.username === username);

  test("get a role, and an account of this role signs in with the suggested password", async () => {
    await onPeople(async (page, server) => {
      await page.getByRole("button", { name: "Create account" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Username").fill("ada");
      await dialog.getByLabel("E-mail address").fill("ada@example.org");
      await dialog.getByLabel("Role").selectOption("Analyst");
      const password = await dialog.getByLabel("Password").inputValue();
      await confirm(page, "Create account");
      await page.getByRole("link", { name: "ada" }).click();
      await page.getByText("Analyst", { exact: true }).first().waitFor();
      await page.getByRole("button", { name: "Change role" }).click();
      await page.getByRole("dialog").getByLabel("Role").selectOption("Developer");
      await confirm(page, "Save");
      await page.getByText("Creates flags and experiments, and changes their own.").waitFor();
      expect(await find(server, "ada")).toMatchObject({ role: "DEVELOPER", is_superuser: false });
      await page.getByRole("button", { name: "Sign out" }).click();
      await signIn(page, { username: "ada", password });
    });
  });

  test("show beside the field what the server refuses", async () => {
    await onPeople(
      async (page, server) => {
        await page.getByRole("button", { name: "Create account" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Username").fill("a b");
        await dialog.getByLabel("E-mail address").fill("nobody");
        await dialog.getByLabel("Password").fill("password");
        await dialog.getByRole("button", { name: "Create account" }).click();
        expect(await faultOf(page, "Username")).toContain("Letters, digits and . _ @ + - only");
        expect(await faultOf(page, "E-mail address")).toContain("Invalid email");
        expect(await faultOf(page, "Password")).toContain("too common");
        await checkPage(page);
        // A taken name is no fault of one field's form, so the form says it.
        await dialog.getByLabel("Username").fill("dora");
        await dialog.getByLabel("E-mail address").fill("dora2@example.org");
        await dialog.getByLabel("Password").fill(ADMIN.password);
        await dialog.getByRole("button", { name: "Create account" }).click();
        await dialog.getByText("already").waitFor();
        expect((await server.admin.request("GET /admin/users", {})).total).toBe(2);
      },
      [422, 409],
    );
  });

  test("are deactivated, activated and deleted after a question", async () => {
    await onPeople(async (page, server) => {
      await page.getByRole("link", { name: "dora" }).click();
      await page.getByRole("button", { name: "Deactivate" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect((await find(server, "dora"))?.is_active).toBe(true);
      await page.getByRole("button", { name: "Deactivate" }).click();
      await confirm(page, "Deactivate");
      expect((await find(server, "dora"))?.is_active).toBe(false);
      await page.getByRole("button", { name: "Activate" }).click();
      await confirm(page, "Activate");
      expect((await find(server, "dora"))?.is_active).toBe(true);
      await page.getByRole("button", { name: "Delete account" }).click();
      await confirm(page, "Delete account");
      await page.getByRole("heading", { name: "People" }).waitFor();
      await page.getByRole("link", { name: "dora" }).waitFor({ state: "detached" });
      expect(await find(server, "dora")).toBeUndefined();
    });
  });

  test("keep the last administrator", async () => {
    await onPeople(
      async (page, server) => {
        await page.getByRole("link", { name: "admin" }).click();
        await page.getByRole("button", { name: "Deactivate" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
        await page.getByText("The last administrator cannot be demoted or deleted").waitFor();
        expect((await find(server, "admin"))?.is_active).toBe(true);
      },
      [409],
    );
  });

  test("an admin who is no superuser sees controls for superusers, which are disabled", async () => {
    const asAda = async (server: TestConsole) => {
      const ada = await server.addUser("ada", "DEVELOPER");
      const { id } = (await find(server, "ada"))!;
      await server.admin.request("PATCH /admin/users/{user_id}", { params: { user_id: id }, body: { role: "ADMIN" } });
      return ada;
    };
    await onPeople(
      async (page) => {
        await page.getByRole("link", { name: "admin" }).click();
        await page.getByText("Needs a superuser").first().waitFor();
        expect(await page.getByRole("button", { name: "Change role" }).isDisabled()).toBe(true);
        await page.goBack();
        await page.getByRole("link", { name: "dora" }).click();
        await page.getByRole("button", { name: "Change role" }).click();
        expect(await page.getByRole("dialog").getByLabel("Superuser").isDisabled()).toBe(true);
      },
      [],
      asAda,
    );
  });

  test("a developer sees their own account only, and edits its name", async () => {
    await onPeople(
      async (page, server) => {
        await page.getByText("You see your own account.").waitFor();
        expect(await page.getByRole("button", { name: "Create account" }).isDisabled()).toBe(true);
        await page.getByText("Needs the role Admin").waitFor();
        expect(await page.getByRole("row").count()).toBe(2);
        await page.getByRole("link", { name: "dora" }).click();
        await page.getByRole("row", { name: "feature flags" }).waitFor();
        expect(await page.getByRole("button", { name: "Change role" }).isDisabled()).toBe(true);
        await page.getByRole("button", { name: "Edit account" }).click();
        expect(await page.getByRole("dialog").getByLabel("E-mail address").isDisabled()).toBe(true);
        await page.getByRole("dialog").getByLabel("Full name").fill("Dora Diaz");
        await confirm(page, "Save");
        await page.getByRole("heading", { name: "Dora Diaz" }).waitFor();
        expect((await find(server, "dora"))?.full_name).toBe("Dora Diaz");
      },
      [],
      async () => ({ ...ADMIN, username: "dora" }),
    );
  });

  const withRoles = async (server: TestConsole) => {
    await server.addUser("dora", "DEVELOPER");
    const permissions = [{ resource: "feature-flags" as const, actions: ["UPDATE" as const] }];
    await server.admin.request("POST /roles", { body: { name: "releaser", permissions } });
  };
  testLooks("fit a phone and a desk", { path: "people", prepare: withRoles }, async (page) => {
    await page.getByText("releaser").click();
    await checkLooks(page);
    await page.getByRole("link", { name: "dora" }).click();
    await page.getByRole("row", { name: "feature flags" }).waitFor();
    await checkLooks(page);
    await page.getByRole("button", { name: "Change role" }).click();
    await page.getByRole("dialog").getByLabel("releaser").waitFor();
    await checkLooks(page);
  });
});
