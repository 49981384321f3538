import { createClient, type ProposalCreate } from "@assay/client";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkLooks } from "./checks.fixture.ts";
import { ADMIN, type TestConsole } from "./console.fixture.ts";
import { type AsUser, asViewer, confirm, describeConsole, type Run } from "./describe-console.fixture.ts";

const DORA = { username: "dora", password: ADMIN.password };
const asDora: AsUser = async () => DORA;
const RENAME = {
  route: "PUT /feature-flags/{id}",
  params: { id: "checkout" },
  body: { name: "Cart", reason: "New name" },
} as const;

describeConsole("proposals in the console", ({ onPage, testLooks }) => {
  const propose = ({ url }: TestConsole, body: ProposalCreate) =>
    createClient({ baseUrl: url, ...DORA }).request("POST /proposals", { body });

  /** The flag `checkout` of dora, a DEVELOPER. */
  async function prepare(server: TestConsole) {
    await server.addUser(DORA.username, "DEVELOPER");
    const body = { key: "checkout", name: "Checkout", status: "ACTIVE", rollout_percentage: 10 };
    const { id } = await propose(server, { route: "POST /feature-flags/", body });
    await server.admin.request("POST /proposals/{id}/approve", { params: { id }, body: {} });
  }
  /** Also with an open proposal of dora. */
  async function prepareOpen(server: TestConsole) {
    await prepare(server);
    await propose(server, RENAME);
  }
  const options = { protected: true };
  const inProposals = (run: Run, as?: AsUser) => onPage({ path: "proposals", options, prepare: prepareOpen, as }, run);
  const flag = ({ admin }: TestConsole) => admin.request("GET /feature-flags/{id}", { params: { id: "checkout" } });
  const open = async (page: Page) => {
    await page.getByRole("link", { name: /Feature flag: update.*checkout/ }).click();
    await page.getByRole("heading", { name: /Feature flag: update/ }).waitFor();
  };

  test("are what saving makes in a protected environment, and their author can only withdraw them", async () => {
    await onPage({ path: "flags/checkout", options, prepare, as: asDora }, async (page, server) => {
      await page.getByText("This environment is protected").waitFor();
      await page.getByLabel("Share of users, in %").fill("50");
      await page.getByRole("button", { name: "Change rollout" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Reason").fill("No errors");
      await dialog.getByRole("button", { name: "Propose" }).click();
      await dialog.getByText("Proposed. Another person approves it.").waitFor();
      expect(await dialog.getByRole("button", { name: "Propose" }).isDisabled()).toBe(true);
      expect(await flag(server)).toMatchObject({ rollout_percentage: 10 });
      await dialog.getByRole("link", { name: "See the proposal" }).click();
      const row = page.getByRole("row", { name: "Rollout percentage" });
      await row.waitFor();
      expect(await row.textContent()).toMatch(/10\s*50$/);
      await page.getByText("No errors").waitFor();
      expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
      await page.getByRole("button", { name: "Withdraw" }).click();
      await confirm(page, "Withdraw");
      await page.getByText("Withdrawn").first().waitFor();
    });
  });

  test("apply when another person approves them, and are counted until then", async () => {
    await inProposals(async (page, server) => {
      const link = page.getByRole("navigation").getByRole("link", { name: "Proposals" });
      await page.getByText("1 open").waitFor();
      expect(await link.textContent()).toContain("1 open");
      await open(page);
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("Agreed");
      await confirm(page, "Approve");
      await page.getByText("Agreed").waitFor();
      expect(await flag(server)).toMatchObject({ name: "Cart" });
      await page.getByRole("link", { name: "Open the flag" }).click();
      await page.getByRole("heading", { name: "Cart" }).waitFor();
      expect(await page.getByText("1 open").count()).toBe(0);
    });
  });

  test("are rejected with a reason, which the page shows", async () => {
    await inProposals(async (page, server) => {
      await open(page);
      await page.getByRole("button", { name: "Reject" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Reject" }).click();
      expect(await dialog.getByLabel("Reason").evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(
        true,
      );
      await dialog.getByLabel("Reason").fill("Too early");
      await confirm(page, "Reject");
      await page.getByText("Too early").waitFor();
      expect(await flag(server)).toMatchObject({ name: "Checkout" });
      await page.getByRole("navigation").getByRole("link", { name: "Proposals" }).click();
      await page.getByText("No proposal waits for approval.").waitFor();
      await page.getByLabel("State").selectOption("Rejected");
      await page.getByRole("row", { name: /Feature flag: update.*Rejected.*dora/ }).waitFor();
    });
  });

  test("that are out of date say so, and cannot be approved", async () => {
    await inProposals(async (page, server) => {
      const kill = { ...RENAME, body: { status: "INACTIVE", reason: "Errors" } } as const;
      await server.admin.request("PUT /feature-flags/{id}", { params: kill.params, body: kill.body });
      await open(page);
      await page.getByText("The resource has changed since this proposal").waitFor();
      expect(await page.getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);
    });
  });

  test("are not needed to kill a flag, and lead from its page to those that are open", async () => {
    await onPage({ path: "flags/checkout", options, prepare: prepareOpen, as: asDora }, async (page, server) => {
      await page.getByRole("link", { name: "Open proposal of dora" }).waitFor();
      await page.getByRole("button", { name: "Kill", exact: true }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("Errors");
      await page.getByRole("dialog").locator("button[type=submit]").click();
      await expect.poll(async () => (await flag(server)).status).toBe("INACTIVE");
    });
  });

  test("need the role Analyst, and are not there in an environment without protection", async () => {
    await inProposals((page) => page.getByText("Proposals need the role Analyst.").waitFor(), asViewer);
    await onPage({ path: "flags" }, async (page) => {
      await page.getByRole("link", { name: "Audit" }).waitFor();
      expect(await page.getByRole("link", { name: "Proposals" }).count()).toBe(0);
    });
  });

  testLooks("fit a phone and a desk", { path: "proposals", options, prepare: prepareOpen }, async (page) => {
    await page.getByRole("link", { name: /Feature flag: update/ }).waitFor();
    await checkLooks(page);
    await open(page);
    await page.getByRole("row", { name: "Name" }).waitFor();
    await checkLooks(page);
    await page.getByRole("link", { name: "Open the flag" }).click();
    await page.getByText("This environment is protected").waitFor();
    await checkLooks(page);
  });
});
