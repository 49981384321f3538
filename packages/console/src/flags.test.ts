import { expect, test } from "vitest";
import { checkLooks } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { type AsUser, asViewer, describeConsole, endSession, type Run } from "./describe-console.fixture.ts";

const checkout = {
  key: "checkout",
  name: "New checkout",
  status: "ACTIVE",
  rollout_percentage: 25,
  tags: ["payments"],
  targeting_rules: { countries: ["DE", "FR"] },
  rules: [
    {
      id: "staff",
      when: { attribute: "plan", operator: "EQUALS", value: "staff" },
      serve: { rollout_percentage: 100 },
    },
  ],
} as const;

describeConsole("flags in the console", ({ onPage, testLooks }) => {
  const prepare = ({ admin }: TestConsole) => admin.request("POST /feature-flags/", { body: checkout as never });
  /** Runs a test on a server with one flag, signed in. */
  const onFlag = (run: Run, refusals?: number[], as?: AsUser) =>
    onPage({ path: "flags/checkout", prepare, refusals, as }, async (page, server) => {
      await page.getByRole("heading", { name: "New checkout" }).waitFor();
      await run(page, server);
    });
  const read = ({ admin }: TestConsole) => admin.request("GET /feature-flags/{id}", { params: { id: "checkout" } });
  const history = ({ admin }: TestConsole) =>
    admin.request("GET /feature-flags/{id}/history", { params: { id: "checkout" } });

  test("are found by name, state and staleness", async () => {
    await onFlag(async (page, { admin }) => {
      await admin.request("POST /feature-flags/", {
        body: { key: "search-box", name: "Search box", status: "INACTIVE" },
      });
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Flags" }).click();
      const rows = page.getByRole("row");
      await page.getByRole("link", { name: "search-box" }).waitFor();
      expect(await rows.count()).toBe(3);
      await page.getByLabel("Find by key or name").fill("new check");
      await page.getByRole("link", { name: "search-box" }).waitFor({ state: "detached" });
      expect(page.url()).toContain("search=new");
      await page.reload();
      await signIn(page);
      expect(await page.getByLabel("Find by key or name").inputValue()).toBe("new check");
      await page.getByLabel("Find by key or name").fill("");
      await page.getByLabel("State").selectOption("Off");
      await page.getByRole("link", { name: "checkout" }).waitFor({ state: "detached" });
      await page.getByRole("link", { name: "search-box" }).waitFor();
      await page.getByLabel("Only stale").check();
      await page.getByText("No flag matches this search.").waitFor();
      await page.getByRole("link", { name: "Show all flags" }).click();
      await page.getByRole("link", { name: "checkout" }).waitFor();
    }, []);
  });

  test("say in a sentence who gets what", async () => {
    await onFlag(async (page) => {
      await page
        .getByText("On. 25 % of users with country DE or FR get on; everyone else gets off. A rule decides instead")
        .waitFor();
      await page.getByText("If plan is staff, then serve 100 % of them").waitFor();
    });
  });

  test("are killed with a reason, and turned on again", async () => {
    await onFlag(async (page, server) => {
      await page.getByRole("button", { name: "Kill" }).click();
      await page.getByRole("button", { name: "Turn off now" }).click();
      // The browser asks for the reason first.
      expect((await read(server)).status).toBe("ACTIVE");
      await page.getByLabel("Reason").fill("Payments fail");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByText("Off. Everyone gets off.").waitFor();
      expect((await read(server)).status).toBe("INACTIVE");
      expect((await history(server)).items[0]).toMatchObject({ reason: "Payments fail" });
      await page.getByRole("button", { name: "Turn on" }).click();
      await page.getByRole("button", { name: "Turn on now" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Kill" }).waitFor();
      expect((await read(server)).status).toBe("ACTIVE");
    });
  });

  test("change their rollout after a look at the difference", async () => {
    await onFlag(async (page, server) => {
      await page.getByLabel("Share of users, in %").fill("60");
      await page.getByRole("button", { name: "Change rollout" }).click();
      const row = page.getByRole("dialog").getByRole("row", { name: "Rollout" });
      expect(await row.textContent()).toMatch(/Rollout\s*25 %\s*60 %/);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByText("On. 60 % of users").waitFor();
      expect((await read(server)).rollout_percentage).toBe(60);
    });
  });

  test("show the change of someone else beside one's own", async () => {
    await onFlag(
      async (page, server) => {
        await page.getByLabel("Share of users, in %").fill("60");
        await page.getByRole("button", { name: "Change rollout" }).click();
        await page.getByRole("dialog").getByText("60 %", { exact: true }).waitFor();
        const params = { id: "checkout" };
        await server.admin.request("PUT /feature-flags/{id}", {
          params,
          body: { rollout_percentage: 5, name: "Checkout 2" },
        });
        await page.getByRole("button", { name: "Save" }).click();
        const dialog = page.getByRole("dialog", { name: "Someone else changed this meanwhile" });
        await dialog.waitFor();
        expect(await dialog.getByRole("row", { name: "Name" }).textContent()).toMatch(/New checkout\s*Checkout 2/);
        expect(await dialog.getByRole("row", { name: "Rollout" }).allTextContents()).toEqual([
          expect.stringMatching(/25 %\s*5 %/),
          expect.stringMatching(/5 %\s*60 %/),
        ]);
        expect((await read(server)).rollout_percentage).toBe(5);
        await dialog.getByRole("button", { name: "Save mine over theirs" }).click();
        await page.getByRole("heading", { name: "Checkout 2" }).waitFor();
        expect(await read(server)).toMatchObject({ rollout_percentage: 60, name: "Checkout 2" });
      },
      [412],
    );
  });

  test("get a rule from the editor, which keeps what was typed over a reload", async () => {
    await onFlag(async (page, server) => {
      await page.getByRole("button", { name: "Edit rules" }).click();
      await page.getByRole("button", { name: "Add rule" }).click();
      const rule = page.getByRole("group", { name: "Name of rule 2" });
      await rule.getByLabel("Name of rule 2").fill("nordics");
      await rule.getByLabel("Attribute").fill("country");
      await rule.getByLabel("Operator").selectOption("is one of");
      await rule.getByLabel("Value").fill("SE, NO");
      await page.reload();
      await signIn(page);
      await page.getByText("Your unsaved rules are still here.").waitFor();
      await page.getByRole("group", { name: "Name of rule 2" }).getByLabel("Share, in %").fill("50");
      await page.getByRole("button", { name: "Move rule 2 up" }).click();
      await page.getByRole("button", { name: "Review change" }).click();
      await page.getByRole("dialog").getByText("nordics: if country is one of SE, NO, serve 50 % of them").waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByText("2 rules decide instead").waitFor();
      expect((await read(server)).rules).toEqual([
        {
          id: "nordics",
          when: { attribute: "country", operator: "IN", value: ["SE", "NO"] },
          serve: { rollout_percentage: 50 },
        },
        ...checkout.rules,
      ]);
    }, []);
  });

  test("explain what one user gets, and what the user's attributes were", async () => {
    await onFlag(async (page, server) => {
      await page.getByRole("link", { name: "Who sees what" }).click();
      await page.getByLabel("User id").fill("ada");
      await page.getByLabel("Attributes").fill("plan = staff\ncountry = DE");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByText("ada gets on.").waitFor();
      await page.getByText("A rule or targeting decided.").waitFor();
      await page.getByLabel("Attributes").fill("plan = free\ncountry = DE");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByText('(this user has "free")').waitFor();
      await page.getByLabel("Attributes").fill("nonsense");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByText('"nonsense" is not an attribute.').waitFor();
      expect((await read(server)).last_evaluated_at).toBeNull();
    });
  });

  test("return to an earlier version from the history", async () => {
    await onFlag(async (page, server) => {
      const params = { id: "checkout" };
      await server.admin.request("PUT /feature-flags/{id}", { params, body: { rollout_percentage: 50 } });
      await server.admin.request("PUT /feature-flags/{id}", {
        params,
        body: { rollout_percentage: 90, rules: [], reason: "Go" },
      });
      await page.reload();
      await signIn(page);
      await page.getByRole("link", { name: "History" }).click();
      await page.getByText("“Go”").waitFor();
      await page.getByRole("button", { name: "Restore this version" }).last().click();
      const dialog = page.getByRole("dialog");
      expect(await dialog.getByRole("row", { name: "Rollout" }).textContent()).toMatch(/90 %\s*25 %/);
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByText("On. 25 % of users").waitFor();
      expect(await read(server)).toMatchObject({ rollout_percentage: 25, rules: checkout.rules });
    }, []);
  });

  test("are created by name, and lead to their page", async () => {
    await onFlag(async (page, { admin }) => {
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Flags" }).click();
      await page.getByRole("link", { name: "Create flag" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Banner text");
      expect(await page.getByLabel("Key", { exact: true }).inputValue()).toBe("banner-text");
      await page.getByLabel("Type").selectOption("Text");
      await page.getByLabel("Value when the flag is off").fill("Hello");
      await page.getByLabel("Value when the flag is on").fill("Welcome");
      await page.getByRole("button", { name: "Create flag" }).click();
      await page.getByText("Off. Everyone gets “Hello”.").waitFor();
      const flag = await admin.request("GET /feature-flags/{id}", { params: { id: "banner-text" } });
      expect(flag).toMatchObject({ status: "INACTIVE", default_value: "Hello", variants: [{ value: "Welcome" }] });
    });
  });

  test("show a viewer every control, and the role that it needs", async () => {
    await onFlag(
      async (page) => {
        expect(await page.getByRole("button", { name: "Kill" }).isDisabled()).toBe(true);
        expect(await page.getByText("Needs the role Developer").count()).toBeGreaterThan(1);
        await page.getByRole("link", { name: "History" }).click();
        await page.getByText("The history needs the role Analyst.").waitFor();
      },
      [],
      asViewer,
    );
  });

  test("a session that ends keeps the page and what was typed there", async () => {
    await onFlag(
      async (page, server) => {
        // Another device signs this account out everywhere, so the token is refused.
        await page.getByLabel("Share of users, in %").fill("70");
        await endSession(page, "PUT", "/feature-flags/checkout");
        await page.getByRole("button", { name: "Change rollout" }).click();
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
        await page.unrouteAll();
        await signIn(page);
        // The dialog shows the sentence before it is saved, and closes then.
        await page.getByRole("dialog", { name: "Sign in again" }).waitFor({ state: "detached" });
        await page.getByRole("dialog", { name: "Review your change" }).waitFor({ state: "detached" });
        await page.getByText("On. 70 % of users").waitFor();
        expect((await read(server)).rollout_percentage).toBe(70);
      },
      [401],
    );
  });

  const changed = async (server: TestConsole) => {
    await prepare(server);
    const body = { rollout_percentage: 30 };
    await server.admin.request("PUT /feature-flags/{id}", { params: { id: "checkout" }, body });
  };
  testLooks("fit a phone and a desk", { path: "flags/checkout", prepare: changed }, async (page, { url }) => {
    for (const tab of ["Rules", "Variants", "Who sees what", "History"]) {
      await page.getByRole("link", { name: tab }).click();
      await page.getByRole("region", { name: tab }).waitFor();
      await checkLooks(page);
    }
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByRole("button", { name: "Edit rules" }).click();
    await checkLooks(page);
    await page.getByRole("button", { name: "Kill" }).click();
    await page.getByRole("dialog").waitFor();
    await checkLooks(page);
    await page.goto(`${url}/console/flags/new`);
    await signIn(page);
    await page.getByLabel("Name", { exact: true }).fill("Banner");
    await checkLooks(page);
  });
});
