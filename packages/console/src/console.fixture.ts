import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { type Client, createClient } from "@assay/client";
import { type AssayOptions, type ConsoleAssets, createAssay, silentLogger } from "@assay/server";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { expect } from "vitest";
import { readAssets } from "./assets.ts";

export const CHROMIUM = process.env.ASSAY_TEST_CHROMIUM;
export const ADMIN = { username: "admin", password: "correct horse battery" };

/** The page that these sources make. */
export async function buildConsole(): Promise<ConsoleAssets> {
  const outDir = await mkdtemp(join(tmpdir(), "assay-console-"));
  await build({ configFile: fileURLToPath(new URL("../vite.config.ts", import.meta.url)), build: { outDir } });
  const assets = readAssets(pathToFileURL(`${outDir}/`));
  await rm(outDir, { recursive: true });
  return assets;
}

/** A server on a free port that serves the console, and a client of its administrator. */
export async function startServer(assets: ConsoleAssets, options: AssayOptions = {}) {
  const assay = createAssay({
    admin: ADMIN,
    passwordCost: 16,
    logger: silentLogger,
    rateLimit: false,
    jobs: false,
    console: assets,
    ...options,
  });
  await assay.ready;
  const server = createServer(assay.node);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${options.basePath ?? ""}`;
  const admin: Client = createClient({ baseUrl: url, ...ADMIN });
  return {
    url,
    admin,
    /** Creates a user of this role, whose password is that of the administrator. */
    async addUser(username: string, role: "VIEWER" | "ANALYST" | "DEVELOPER") {
      await admin.request("POST /users/", {
        body: { username, email: `${username}@example.org`, password: ADMIN.password, role },
      });
      return { username, password: ADMIN.password };
    },
    async close() {
      assay.endStreams();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await assay.close();
    },
  };
}

export type TestConsole = Awaited<ReturnType<typeof startServer>>;

export function launchBrowser(): Promise<Browser> {
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", ...quiet] });
}

/**
 * Opens a page that remembers what must not happen: errors on its console (which include violations of the content
 * security policy), exceptions, and requests to other origins. `verify` throws if one did. A test that provokes a
 * refusal names its status.
 */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && origin !== new URL(url).origin) problems.push(`Request to ${request.url()}`);
  });
  return {
    page,
    verify(...refusals: number[]) {
      const isExpected = (text: string) => refusals.some((status) => text.includes(`status of ${status}`));
      expect(problems.filter((text) => !isExpected(text))).toEqual([]);
    },
    close: () => context.close(),
  };
}

/** Signs in through the form. */
export async function signIn(page: Page, { username, password } = ADMIN): Promise<void> {
  await page.getByLabel("Username or e-mail").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
}

/** Fails if the page is wider than its window, or breaks a rule of axe. */
export async function checkPage(page: Page): Promise<void> {
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth] as const);
  expect(width[0], `The page ${page.url()} scrolls sideways`).toBeLessThanOrEqual(width[1]);
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations: found } = await run.run();
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  });
  expect(violations, `On ${page.url()}`).toEqual([]);
}

/** Returns the size of what a page loaded before anyone signed in, gzipped, in bytes. */
export async function firstLoad(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    if (response.ok()) bodies.push(response.body());
  });
  await page.goto(url);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  await context.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}
