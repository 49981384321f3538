import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { describeConsole } from "./describe-console.fixture.ts";

describeConsole("a session of the console", ({ onPage }) => {
  const isOpen = (page: Page) => page.getByText("There are no flags yet.").waitFor();
  const isSignedOut = (page: Page) => page.getByRole("heading", { name: "Sign in to Assay" }).waitFor();

  test("is not continued by a page that loads before the server has answered a sign-out", async () => {
    await onPage({ path: "" }, async (page) => {
      await isOpen(page);
      const logout = new Promise<Route>((resolve) => page.route("**/api/v1/auth/logout", resolve));
      await page.getByRole("button", { name: "Sign out" }).click();
      const held = await logout;
      const renewals: string[] = [];
      page.context().on("request", (request) => {
        if (request.url().endsWith("/auth/refresh")) renewals.push(request.url());
      });
      const tab = await page.context().newPage();
      await tab.goto(page.url());
      await isSignedOut(tab);
      expect(renewals).toEqual([]);
      await held.continue();
      await isSignedOut(page);
    });
  });

  test("continues in tabs that open at the same time", async () => {
    await onPage({ path: "" }, async (page) => {
      await isOpen(page);
      // Renewals that do not wait for each other leave the browser together, with the same cookie.
      let together: Route[] = [];
      const leave = () => {
        for (const route of together) void route.continue();
        together = [];
      };
      await page.context().route("**/api/v1/auth/refresh", (route) => {
        together.push(route);
        if (together.length === 3) leave();
        else setTimeout(leave, 1000);
      });
      const tabs = await Promise.all(Array.from({ length: 3 }, () => page.context().newPage()));
      await Promise.all(tabs.map((tab) => tab.goto(page.url())));
      await Promise.all(tabs.map(isOpen));
      await page.reload();
      await isOpen(page);
    });
  });

  test("continues after twenty reloads in a minute, with the default limits", async () => {
    await onPage({ path: "", options: { rateLimit: {} } }, async (page) => {
      for (let i = 0; i < 20; i++) {
        await page.reload();
        await isOpen(page);
      }
    });
  });

  test.each([429, 503])("is not forgotten if the server answers a renewal with %i", async (status) => {
    await onPage({ path: "", refusals: [status] }, async (page) => {
      await isOpen(page);
      await page.route("**/api/v1/auth/refresh", (route) => route.fulfill({ status, json: { detail: "Later" } }));
      await page.reload();
      await isSignedOut(page);
      await page.unrouteAll();
      await page.reload();
      await isOpen(page);
    });
  });
});
