import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkLooks, checkPage } from "./checks.fixture.ts";
import { ADMIN } from "./console.fixture.ts";
import { describeConsole } from "./describe-console.fixture.ts";

describeConsole("the console", ({ start, onUrl, onPage, testLooks }) => {
  test("serves its page with a strict policy, and files that browsers may keep", async () => {
    const { url, close } = await start();
    const moved = await fetch(`${url}/`, { redirect: "manual" });
    expect(moved.headers.get("location")).toBe("/console/");
    const page = await fetch(`${url}/console/flags/some-key`);
    const policy = page.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    const html = await page.text();
    expect(html).toContain('data-base="./../"');
    const [, script] = /src="\.\/\.\.\/(assets\/[^"]+\.js)"/.exec(html)!;
    const file = await fetch(`${url}/console/${script}`);
    expect(file.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(file.headers.get("content-encoding")).toBe("gzip");
    const plain = await fetch(`${url}/console/${script}`, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe(await file.text());
    const missing = await fetch(`${url}/console/assets/missing.js`);
    expect(missing.status).toBe(404);
    expect(await missing.json()).toEqual({ detail: "Resource not found" });
    await close();
  });

  test("a server without it has no such paths", async () => {
    const { url, close } = await start({ console: undefined });
    expect((await fetch(`${url}/console/`)).status).toBe(404);
    expect((await fetch(`${url}/`, { redirect: "manual" })).headers.get("location")).toBe("/docs");
    await close();
  });

  test.each(["", "/tools/assay"])("signs in and out below %j, keyboard only", async (basePath) => {
    const { url, close } = await start({ basePath });
    const signInAndOut = async (page: Page) => {
      await page.goto(`${url}/console`);
      await page.getByLabel("Username or e-mail").focus();
      await page.keyboard.type("admin");
      await page.keyboard.press("Tab");
      await page.keyboard.type("wrong");
      await page.keyboard.press("Enter");
      await page.getByText("The username or the password is wrong.").waitFor();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type(ADMIN.password);
      await page.keyboard.press("Enter");
      await page.getByText("There are no flags yet.").waitFor();
      expect(new URL(page.url()).pathname).toBe(`${basePath}/console/flags`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in to Assay" }).waitFor();
    };
    // The wrong password.
    await onUrl(url, signInAndOut, { refusals: [401] });
    await close();
  });

  test.each(["light", "dark"] as const)(
    "fits a phone and a desk in %s colours before the sign-in",
    async (colorScheme) => {
      const { url, close } = await start();
      for (const width of [390, 1280]) {
        const signInForm = async (page: Page) => {
          await page.goto(`${url}/console/`);
          await page.getByRole("button", { name: "Sign in" }).waitFor();
          await checkPage(page);
        };
        await onUrl(url, signInForm, { viewport: { width, height: 844 }, colorScheme });
      }
      await close();
    },
  );

  testLooks("fits a phone and a desk", { path: "" }, async (page) => {
    await page.getByText("There are no flags yet.").waitFor();
    await checkLooks(page);
  });

  test("keeps the session and the chosen theme over a reload", async () => {
    await onPage({ path: "", colorScheme: "light" }, async (page) => {
      const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const light = await ground();
      await page.getByLabel("Theme").selectOption("Dark");
      const dark = await ground();
      expect(dark).not.toBe(light);
      await page.reload();
      await page.getByText("There are no flags yet.").waitFor();
      expect(await ground()).toBe(dark);
      // No token is where scripts of an extension or of an attacker could read it.
      const kept = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
      );
      expect(JSON.parse(kept)).toEqual([{ "assay.signed-in": "1", "assay.theme": "dark" }, expect.anything(), ""]);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.reload();
      await page.getByRole("heading", { name: "Sign in to Assay" }).waitFor();
    });
  });
});
