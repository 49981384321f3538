import { expect, test } from "vitest";
import { checkLooks } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { type AsUser, asViewer, confirm, describeConsole, type Run, refused } from "./describe-console.fixture.ts";

const insiders = {
  name: "insiders",
  description: "People who test early",
  conditions: { attribute: "plan", operator: "EQUALS", value: "staff" },
  user_ids: ["ada", "bob"],
} as const;

describeConsole("segments in the console", ({ onPage, testLooks }) => {
  /** A segment that a flag uses. */
  async function prepare({ admin }: TestConsole) {
    await admin.request("POST /segments", { body: insiders as never });
    const when = { operator: "IN_SEGMENT", value: "insiders" };
    const rules = [{ id: "early", when, serve: { rollout_percentage: 100 } }];
    await admin.request("POST /feature-flags/", { body: { key: "beta", name: "Beta", rules } as never });
  }
  const onSegments = (run: Run, refusals?: number[], as?: AsUser) =>
    onPage({ path: "segments", prepare, refusals, as }, async (page, server) => {
      await page.getByRole("link", { name: "insiders" }).waitFor();
      await run(page, server);
    });
  const read = ({ admin }: TestConsole, id = "insiders") => admin.request("GET /segments/{id}", { params: { id } });

  test("are created with conditions and users, kept over a reload until they are saved", async () => {
    await onSegments(async (page, server) => {
      await page.getByRole("button", { name: "Create segment" }).click();
      await page.getByLabel("Name of the segment").fill("nordics");
      await page.getByRole("button", { name: "Add condition" }).click();
      await page.getByLabel("Attribute").fill("country");
      await page.getByLabel("Operator").selectOption("is one of");
      await page.getByLabel("Value").fill("SE, NO");
      await page.reload();
      await signIn(page);
      await page.getByLabel("Listed users").fill("eva\nlars\neva");
      await page.locator("form").getByRole("button", { name: "Create segment" }).click();
      await page.getByText("Members: users whose country is one of SE, NO, and 2 listed users.").waitFor();
      expect(await read(server, "nordics")).toMatchObject({
        conditions: { attribute: "country", operator: "IN", value: ["SE", "NO"] },
        user_ids: ["eva", "lars"],
      });
    });
  });

  test("say where they are used, who is a member and why", async () => {
    await onSegments(async (page) => {
      await page.getByRole("row", { name: /insiders.*Used in 1 place/ }).waitFor();
      await page.getByRole("link", { name: "insiders" }).click();
      await page.getByText("Members: users whose plan is staff, and 2 listed users.").waitFor();
      await page.getByLabel("User id").fill("eva");
      await page.getByLabel("Attributes").fill("plan = staff");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByText("eva is a member.").waitFor();
      await page.getByText('plan EQUALS "staff"').waitFor();
      await page.getByLabel("Attributes").fill("plan = free");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByText("eva is no member.").waitFor();
      await page.getByRole("link", { name: "beta" }).click();
      await page.getByRole("heading", { name: "Beta" }).waitFor();
    });
  });

  test("change after a look at the difference, and show the change of someone else", async () => {
    await onSegments(
      async (page, server) => {
        await page.getByRole("link", { name: "insiders" }).click();
        await page.getByRole("button", { name: "Edit segment" }).click();
        await page.getByLabel("Listed users").fill("ada");
        await page.getByLabel("Value").fill("beta");
        await page.getByRole("button", { name: "Review change" }).click();
        const dialog = page.getByRole("dialog");
        expect(await dialog.getByRole("row", { name: "Listed users" }).textContent()).toMatch(/ada, bob\s*ada$/);
        const row = dialog.getByRole("row", { name: "Conditions" });
        expect(await row.textContent()).toMatch(/plan is staff\s*plan is beta/);
        await server.admin.request("PUT /segments/{id}", {
          params: { id: "insiders" },
          body: { description: "Testers" },
        });
        await dialog.getByRole("button", { name: "Save" }).click();
        await page.getByRole("dialog", { name: "Someone else changed this meanwhile" }).waitFor();
        expect((await read(server)).user_ids).toEqual(["ada", "bob"]);
        await confirm(page, "Save mine over theirs");
        await page.getByText("Members: users whose plan is beta, and 1 listed user.").waitFor();
        expect((await read(server)).user_ids).toEqual(["ada"]);
      },
      [412],
    );
  });

  test("show beside the field what the server refuses, and keep what was typed", async () => {
    await onSegments(
      async (page, server) => {
        await page.getByRole("link", { name: "insiders" }).click();
        await page.getByRole("button", { name: "Edit segment" }).click();
        await page.getByLabel("Name of the segment").fill(" ");
        await page.getByLabel("Operator").selectOption("matches the pattern");
        await page.getByLabel("Value").fill("(");
        await page.getByRole("button", { name: "Review change" }).click();
        await confirm(page, "Save");
        const name = page.getByLabel("Name of the segment");
        await refused(name);
        const about = (await name.getAttribute("aria-describedby"))!;
        expect(await page.locator(`[id="${about}"]`).textContent()).toContain("Must not be empty");
        await name.fill("insiders");
        await page.getByRole("button", { name: "Review change" }).click();
        await confirm(page, "Save");
        await page.getByRole("group", { name: "Conditions" }).getByRole("alert").waitFor();
        expect(await page.getByLabel("Value").inputValue()).toBe("(");
        expect((await read(server)).conditions).toEqual(insiders.conditions);
      },
      [422],
    );
  });

  test("are deleted after a question, unless something uses them", async () => {
    await onSegments(
      async (page, server) => {
        await page.getByRole("link", { name: "insiders" }).click();
        await page.getByRole("button", { name: "Delete segment" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("button", { name: "Delete segment" }).click();
        await dialog.getByText('is used by feature flag "beta"').waitFor();
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.waitFor({ state: "detached" });
        await server.admin.request("DELETE /feature-flags/{id}", { params: { id: "beta" } });
        await page.getByRole("button", { name: "Archive" }).click();
        await confirm(page, "Archive");
        expect((await read(server)).status).toBe("ARCHIVED");
        await page.getByRole("button", { name: "Delete segment" }).click();
        await confirm(page, "Delete segment");
        await page.getByText("There are no segments yet.").waitFor();
      },
      [409],
    );
  });

  test("show a viewer every control, and the role that it needs", async () => {
    await onSegments(
      async (page) => {
        expect(await page.getByRole("button", { name: "Create segment" }).isDisabled()).toBe(true);
        await page.getByRole("link", { name: "insiders" }).click();
        await page.getByText("Needs the role Developer").first().waitFor();
        for (const name of ["Edit segment", "Archive", "Delete segment"]) {
          expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
        }
      },
      [],
      asViewer,
    );
  });

  testLooks("fit a phone and a desk", { path: "segments", prepare }, async (page) => {
    await page.getByRole("link", { name: "insiders" }).waitFor();
    await checkLooks(page);
    await page.getByRole("link", { name: "insiders" }).click();
    await page.getByRole("button", { name: "Edit segment" }).click();
    await checkLooks(page);
  });
});
