import { createClient } from "@assay/client";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkLooks } from "./checks.fixture.ts";
import { ADMIN, signIn, type TestConsole } from "./console.fixture.ts";
import { type AsUser, asViewer, confirm, describeConsole } from "./describe-console.fixture.ts";

const environments = ["production", "staging"];
const asDora: AsUser = (server) => server.addUser("dora", "DEVELOPER");

describeConsole("a promotion in the console", ({ onPage, testLooks }) => {
  const flag = ({ admin }: TestConsole, id: string) => admin.request("GET /feature-flags/{id}", { params: { id } });
  const row = (page: Page, name: string) => page.getByRole("listitem", { name, exact: true });
  const open = async (page: Page) => {
    const menu = page.getByRole("button", { name: "Menu" });
    if (await menu.isVisible()) await menu.click();
    await page.getByRole("link", { name: "Promotion" }).click();
    await row(page, "Flag checkout").waitFor();
  };

  /** Fills staging with a segment and a flag that needs it. */
  async function prepareStaging({ url }: TestConsole) {
    const staging = createClient({ baseUrl: url, ...ADMIN, environment: "staging" });
    const { id } = await staging.request("POST /segments", { body: { name: "testers", user_ids: ["ada"] } });
    const body = { key: "checkout", name: "Checkout", targeting_rules: { user_segments: [id] } };
    await staging.request("POST /feature-flags/", { body });
    return staging;
  }
  /** Also with a flag that differs in both environments, one of production alone, and an experiment that runs there. */
  async function prepare(server: TestConsole) {
    const staging = await prepareStaging(server);
    const variants = [{ key: "red" }, { key: "green" }];
    for (const [client, name, status] of [
      [staging, "New banner", "DRAFT"],
      [server.admin, "Banner", "ACTIVE"],
    ] as const) {
      await client.request("POST /feature-flags/", { body: { key: "banner", name, status: "ACTIVE" } });
      await client.request("POST /experiments/", { body: { key: "button", name, status, variants } });
    }
    await server.admin.request("POST /feature-flags/", { body: { key: "only-here", name: "Only here" } });
  }
  const visit = { path: "flags?environment=staging", options: { environments } };

  test("shows field by field what would differ, and takes what one chooses with what that needs", async () => {
    await onPage({ ...visit, prepare }, async (page, server) => {
      await open(page);
      await page.getByText("2 new, 2 changed, 0 the same.").waitFor();
      await page.getByText("Only in production, and left as it is: only-here.").waitFor();
      const banner = row(page, "Flag banner").getByRole("row", { name: "Name" });
      expect(await banner.textContent()).toMatch(/Banner\s*New banner$/);
      await row(page, "Experiment button").getByText("It is running there, and only a draft changes.").waitFor();
      expect(await page.getByRole("checkbox", { name: "Experiment button" }).isDisabled()).toBe(true);
      expect(await page.getByRole("button", { name: "Promote 0" }).isDisabled()).toBe(true);
      await page.getByRole("checkbox", { name: "Flag checkout" }).check();
      expect(await page.getByRole("checkbox", { name: "Segment testers" }).isChecked()).toBe(true);
      // A reload keeps the choice.
      await page.reload();
      await signIn(page);
      await page.getByRole("button", { name: "Promote 2" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("Ready");
      await confirm(page, "Promote 2");
      await page.getByText("Promoted 2.").waitFor();
      expect(await flag(server, "checkout")).toMatchObject({ targeting_rules: { user_segments: ["testers"] } });
      expect(await flag(server, "banner")).toMatchObject({ name: "Banner" });
      await page.getByRole("button", { name: "Compare again" }).click();
      await page.getByText("0 new, 2 changed, 2 the same.").waitFor();
    });
  });

  test("replaces no change that someone makes meanwhile, and does the rest", async () => {
    await onPage({ ...visit, prepare, refusals: [412] }, async (page, server) => {
      await open(page);
      await page.getByLabel("Choose everything").check();
      const params = { id: "banner" };
      await server.admin.request("PUT /feature-flags/{id}", { params, body: { description: "Mine" } });
      await page.getByRole("button", { name: "Promote 3" }).click();
      await confirm(page, "Promote 3");
      await page.getByText("Promoted 2; 1 could not be promoted.").waitFor();
      await row(page, "Flag banner").getByText("someone changed or deleted it meanwhile").waitFor();
      expect(await flag(server, "banner")).toMatchObject({ name: "Banner", description: "Mine" });
      expect(await flag(server, "checkout")).toMatchObject({ name: "Checkout", status: "INACTIVE" });
    });
  });

  test("into a protected environment proposes each change, and leads to the proposals", async () => {
    const options = { environments, protected: ["production"] };
    await onPage({ ...visit, options, prepare: prepareStaging, as: asDora }, async (page, server) => {
      await open(page);
      await page.getByText("production is protected: each change becomes a proposal").waitFor();
      await page.getByLabel("Choose everything").check();
      await page.getByRole("button", { name: "Propose 2" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("Ready");
      await confirm(page, "Propose 2");
      await page.getByText("Proposed 1; 1 could not be proposed.").waitFor();
      await row(page, "Flag checkout").getByText("it needs segment testers, which is only proposed").waitFor();
      await row(page, "Segment testers").getByRole("link", { name: "See the proposal" }).click();
      await page.waitForURL(/\/proposals\/[^/]+\?environment=production$/);
      await page.getByRole("heading", { name: "Segment: create testers" }).waitFor();
      await page.getByText("Ready").waitFor();
      const { items } = await server.admin.request("GET /proposals");
      expect(items).toMatchObject([{ resource_name: "testers", status: "OPEN", reason: "Ready" }]);
    });
  });

  test("needs the role Developer, and several environments", async () => {
    await onPage({ ...visit, prepare: prepareStaging, as: asViewer }, async (page) => {
      await open(page);
      expect(await page.getByRole("button", { name: "Promote 0" }).isDisabled()).toBe(true);
      await page.getByText("Needs the role Developer").waitFor();
    });
    await onPage({ path: "promotion" }, async (page) => {
      await page.getByText("This server has one environment").waitFor();
      expect(await page.getByRole("link", { name: "Promotion" }).count()).toBe(0);
    });
  });

  testLooks("fits a phone and a desk", { ...visit, prepare }, async (page) => {
    await open(page);
    await checkLooks(page);
    await page.getByText("checkout: ").click();
    await page.getByLabel("Choose everything").check();
    await page.getByRole("button", { name: "Promote 3" }).click();
    await page.getByRole("dialog").waitFor();
    await checkLooks(page);
  });
});
