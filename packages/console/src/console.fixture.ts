import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Client, createClient } from "@assay/client";
import { type AssayOptions, type ConsoleAssets, createAssay, silentLogger } from "@assay/server";
import { type Browser, chromium, type Page } from "playwright-core";
import { readAssets } from "./assets.ts";
import { consoleAssets } from "./index.ts";

export const CHROMIUM = process.env.ASSAY_TEST_CHROMIUM;
export const ADMIN = { username: "admin", password: "correct horse battery" };

/** The page that these sources make. `npm test` has built it just before. */
export async function buildConsole(): Promise<ConsoleAssets> {
  if (process.env.ASSAY_TEST_BUILT && process.env.ASSAY_CONSOLE_REACT !== "1") return consoleAssets;
  const { build } = await import("vite");
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

/** Signs in through the form, unless the page continues an earlier session. */
export async function signIn(page: Page, { username, password } = ADMIN): Promise<void> {
  const form = page.getByLabel("Username or e-mail");
  const signOut = page.getByRole("button", { name: "Sign out" });
  await form.or(signOut).first().waitFor();
  if (!(await form.isVisible())) return;
  await form.fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await signOut.waitFor();
}

/** Signs in without the form, so that the first page which is opened continues the session. */
export async function beginSession(page: Page, url: string, { username, password } = ADMIN): Promise<void> {
  const headers = { "x-assay-session": "cookie", origin: new URL(url).origin };
  const login = { headers, data: { username, password }, failOnStatusCode: true };
  await page.context().request.post(`${url}/api/v1/auth/login`, login);
  await page.addInitScript(() => {
    // Once, because pages that are opened after the test has signed out do not continue a session.
    if (sessionStorage.getItem("began")) return;
    sessionStorage.setItem("began", "yes");
    localStorage.setItem("assay.signed-in", "1");
  });
}
