import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkLooks } from "./checks.fixture.ts";
import type { TestConsole } from "./console.fixture.ts";
import { asViewer, describeConsole } from "./describe-console.fixture.ts";

async function fill({ admin }: TestConsole) {
  for (const key of ["new-checkout", "checkout", "banner"]) {
    await admin.request("POST /feature-flags/", { body: { key, name: `Flag ${key}` } });
  }
  await admin.request("POST /experiments/", { body: { key: "colours", name: "Checkout colours" } });
}

const optionsOf = (page: Page) => page.getByRole("listbox", { name: "Results" }).getByRole("option");

describeConsole("the search of the console", ({ onPage, testLooks }) => {
  test("finds things by kind, and opens one by keyboard only", async () => {
    await onPage({ path: "flags", prepare: fill }, async (page, server) => {
      await page.getByRole("link", { name: "banner" }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("checkout");
      const groups = page.getByRole("listbox", { name: "Results" }).getByRole("group");
      await groups.first().waitFor();
      expect(await groups.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).toEqual([
        "Flags",
        "Experiments",
      ]);
      expect(await optionsOf(page).allTextContents()).toEqual([
        "Flag checkout checkout",
        "Flag new-checkout new-checkout",
        "Checkout colours colours",
      ]);
      const chosen = page.getByRole("listbox", { name: "Results" }).getByRole("option", { selected: true });
      expect(await chosen.textContent()).toContain("Flag checkout");
      await page.keyboard.press("ArrowUp");
      expect(await chosen.textContent()).toContain("Checkout colours");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      expect(await chosen.textContent()).toContain("Flag new-checkout");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Flag new-checkout" }).waitFor();
      // The box is empty again, and the slash is text in other fields.
      const box = page.getByRole("combobox", { name: "Search" });
      expect(await box.inputValue()).toBe("");
      await page.goto(`${server.url}/console/flags`);
      await page.getByLabel("Find by key or name").pressSequentially("a/b");
      expect(await page.getByLabel("Find by key or name").inputValue()).toBe("a/b");
      await box.fill("zzz");
      await page.getByText("Nothing has this name or key.").waitFor();
      await page.keyboard.press("Escape");
      expect(await box.inputValue()).toBe("");
      await box.fill("colours");
      await page.getByRole("option", { name: "Checkout colours" }).click();
      await page.getByRole("heading", { name: "Checkout colours" }).waitFor();
    });
  });

  test("finds only what the user may see", async () => {
    await onPage({ path: "flags", prepare: fill, as: asViewer }, async (page) => {
      await page.getByRole("combobox", { name: "Search" }).fill("checkout");
      await optionsOf(page).first().waitFor();
      expect(await optionsOf(page).count()).toBe(2);
    });
  });

  test("says that the server refuses", async () => {
    await onPage({ path: "flags", refusals: [500] }, async (page) => {
      await page.route("**/api/v1/search*", (route) =>
        route.fulfill({ status: 500, json: { detail: "No search today" } }),
      );
      await page.getByRole("combobox", { name: "Search" }).fill("checkout");
      await page.getByText("No search today").waitFor();
    });
  });

  testLooks("fits a phone and a desk", { path: "flags", prepare: fill }, async (page) => {
    await page.getByRole("combobox", { name: "Search" }).fill("checkout");
    await optionsOf(page).first().waitFor();
    await checkLooks(page);
  });
});
