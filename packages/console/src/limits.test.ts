import { expect, test } from "vitest";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { describeConsole } from "./describe-console.fixture.ts";

describeConsole("a server that is asked too often", ({ onPage }) => {
  test("makes a page count down, and then try again", async () => {
    const prepare = ({ admin }: TestConsole) =>
      admin.request("POST /segments", { body: { name: "insiders", user_ids: ["ada"] } });
    await onPage({ path: "flags", prepare, refusals: [429] }, async (page, { url }) => {
      let asked = 0;
      await page.route("**/api/v1/segments?*", (route) => {
        asked += 1;
        return route.fulfill({ status: 429, headers: { "retry-after": "120" }, json: { detail: "Too many requests" } });
      });
      await page.clock.install();
      await page.goto(`${url}/console/segments`);
      await signIn(page);
      await page.getByText("Too many requests in a short time.").waitFor();
      const button = page.getByRole("button", { name: /^Try again/ });
      expect(await button.isDisabled()).toBe(true);
      const first = Number(/\d+/.exec((await button.textContent()) ?? "")![0]);
      expect(first).toBeLessThanOrEqual(120);
      await page.clock.runFor(60_000);
      const second = Number(/\d+/.exec((await button.textContent()) ?? "")![0]);
      expect(second).toBeLessThanOrEqual(first - 59);
      expect(await button.isDisabled()).toBe(true);
      await page.clock.runFor(120_000);
      expect(await button.textContent()).toBe("Try again");
      // The page itself does not ask before someone presses the button.
      expect(asked).toBe(1);
      await page.unroute("**/api/v1/segments?*");
      await button.click();
      await page.getByRole("link", { name: "insiders" }).waitFor();
    });
  });
});
