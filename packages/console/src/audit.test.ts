import { expect, test } from "vitest";
import { checkPage } from "./checks.fixture.ts";
import type { TestConsole } from "./console.fixture.ts";
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

  test("tells a viewer which role it needs", async () => {
    await onPage({ path: "audit", as: asViewer }, async (page) => {
      await page.getByText("The audit trail needs the role Analyst.").waitFor();
    });
  });
});
