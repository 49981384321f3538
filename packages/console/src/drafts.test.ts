import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { describeConsole } from "./describe-console.fixture.ts";

interface Case {
  path: string;
  /** The links to follow, then the button that opens the dialog. */
  links?: string[];
  button: string;
  label: string;
  typed: string;
}

const CASES: [string, Case][] = [
  ["a new account", { path: "people", button: "Create account", label: "Full name", typed: "Ada Adler" }],
  ["an account", { path: "people", links: ["dora"], button: "Edit account", label: "Full name", typed: "Dora Diaz" }],
  ["a role", { path: "people", links: ["dora"], button: "Change role", label: "Role", typed: "ANALYST" }],
  ["a new group", { path: "traffic", button: "Create group", label: "Name of the group", typed: "Search" }],
  ["a group", { path: "traffic", button: "Edit group", label: "Description", typed: "One change at a time" }],
  ["a slot", { path: "traffic", button: "Add experiment", label: "Share of all users, in %", typed: "12" }],
  ["a holdout", { path: "traffic", button: "Start holdout", label: "Name of the holdout", typed: "All of 2026" }],
  [
    "the safety of all flags",
    {
      path: "rollouts",
      button: "Safety of all flags",
      label: "Window of the live values, in minutes",
      typed: "17",
    },
  ],
  [
    "the safety of a flag",
    {
      path: "flags/checkout?tab=safety",
      button: "Edit safety",
      label: "Window of the live values, in minutes",
      typed: "17",
    },
  ],
  ["a run", { path: "health", button: "Start: events-export", label: "Start date", typed: "2026-01-01" }],
];

describeConsole("what is typed in a dialog", ({ onPage }) => {
  async function prepare(server: TestConsole) {
    await server.addUser("dora", "DEVELOPER");
    await server.admin.request("POST /feature-flags/", { body: { key: "checkout", name: "Checkout" } });
    await server.admin.request("POST /mutual-exclusion-groups", { body: { name: "Pages" } });
  }
  const reload = async (page: Page) => {
    await page.reload();
    await signIn(page);
  };

  test.each(CASES)("about %s stays over a reload until the dialog closes", async (_, one) => {
    await onPage({ path: one.path, prepare }, async (page) => {
      for (const name of one.links ?? []) await page.getByRole("link", { name }).click();
      const button = page.getByRole("button", { name: one.button, exact: true }).first();
      const dialog = page.getByRole("dialog");
      const field = dialog.getByLabel(one.label);
      await button.click();
      if (await field.evaluate((control) => control instanceof HTMLSelectElement)) await field.selectOption(one.typed);
      else await field.fill(one.typed);
      await reload(page);
      await field.waitFor();
      expect(await field.inputValue()).toBe(one.typed);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await reload(page);
      await button.waitFor();
      expect(await dialog.count()).toBe(0);
      await button.click();
      expect(await field.inputValue()).not.toBe(one.typed);
    });
  });

  test("is not kept if it is a password", async () => {
    await onPage({ path: "people", prepare }, async (page) => {
      await page.getByRole("button", { name: "Create account" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Username").fill("ada");
      await dialog.getByLabel("Password").fill("correct horse battery staple");
      const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
      expect(kept).toContain("ada");
      expect(kept).not.toContain("battery");
    });
  });
});
