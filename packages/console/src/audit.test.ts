import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkPage } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { asViewer, describeConsole } from "./describe-console.fixture.ts";

describeConsole("the audit trail in the console", ({ onPage }) => {
  test.each([390, 1280])("says who changed what, and filters by kind, %i pixels wide", async (width) => {
    const prepare = async ({ admin }: TestConsole) => {
      await admin.request("POST /feature-flags/", { body: { key: "checkout", name: "Checkout" } });
      const body = { rollout_percentage: 10, reason: "Start small" };
      await admin.request("PUT /feature-flags/{id}", { params: { id: "checkout" }, body });
      await admin.request("POST /api-keys", { body: { name: "Billing" } });
    };
    for (const colorScheme of ["light", "dark"] as const) {
      const visit = { path: "audit", prepare, viewport: { width, height: 844 }, colorScheme };
      await onPage(visit, async (page) => {
        await page.getByRole("row", { name: /Billing/ }).waitFor();
        await checkPage(page);
        await page.getByLabel("Kind").selectOption("Flags");
        await page.getByRole("row", { name: /Billing/ }).waitFor({ state: "detached" });
        await page.getByRole("row", { name: /Feature flag: update.*Administrator.*Start small/ }).waitFor();
        expect(await page.getByRole("row", { name: /Feature flag/ }).count()).toBe(2);
      });
    }
  });

  test("shows new entries without a reload, in two tabs, and none while it is paused", async () => {
    await onPage({ path: "audit" }, async (page, { admin, url }) => {
      const create = (key: string) => admin.request("POST /feature-flags/", { body: { key, name: key } });
      const rowOf = (tab: Page, key: string) => tab.getByRole("row", { name: `create ${key}` });
      const other = await page.context().newPage();
      await other.goto(`${url}/console/audit?kind=api_key`);
      await signIn(other);
      for (const tab of [page, other]) await tab.getByRole("status").getByText("Live", { exact: true }).waitFor();
      await create("first");
      await rowOf(page, "first").waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByText("Paused", { exact: true }).waitFor();
      await create("second");
      await admin.request("POST /api-keys", { body: { name: "Billing" } });
      await rowOf(other, "Billing").waitFor();
      // This tab shows API keys only, and the first one shows nothing new.
      expect(await rowOf(other, "second").count()).toBe(0);
      expect(await rowOf(page, "second").count()).toBe(0);
      await page.getByRole("button", { name: "Resume" }).click();
      await rowOf(page, "second").waitFor();
      expect(await rowOf(page, "second").count()).toBe(1);
      await rowOf(page, "Billing").waitFor();
      await checkPage(page);
    });
  });

  test("connects again from where the stream ended", async () => {
    await onPage({ path: "flags" }, async (page, { admin }) => {
      const asked: (string | undefined)[] = [];
      await page.route("**/audit-logs/stream", (route) => {
        asked.push(route.request().headers()["last-event-id"]);
        if (asked.length > 1) return route.continue();
        return route.fulfill({ contentType: "text/event-stream", body: "id: 1\n\n" });
      });
      await page.getByRole("link", { name: "Audit" }).click();
      await expect.poll(() => asked).toEqual([undefined, "1"]);
      await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
      await admin.request("POST /feature-flags/", { body: { key: "late", name: "Late" } });
      await page.getByRole("row", { name: "create late" }).waitFor();
    });
  });

  test("tells a viewer which role it needs", async () => {
    await onPage({ path: "audit", as: asViewer }, async (page) => {
      await page.getByText("The audit trail needs the role Analyst.").waitFor();
    });
  });
});
