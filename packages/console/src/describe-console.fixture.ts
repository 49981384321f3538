import { readFile } from "node:fs/promises";
import type { AssayOptions, ConsoleAssets } from "@assay/server";
import type { Browser, BrowserContextOptions, Download, Locator, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, PHONE_LOOK } from "./checks.fixture.ts";
import {
  ADMIN,
  beginSession,
  buildConsole,
  CHROMIUM,
  launchBrowser,
  startServer,
  type TestConsole,
} from "./console.fixture.ts";

export type Run = (page: Page, server: TestConsole) => Promise<unknown>;
export type AsUser = (server: TestConsole) => Promise<typeof ADMIN>;

export const asViewer: AsUser = (server) => server.addUser("vera", "VIEWER");

/** How a test opens a page. */
export interface Visit extends BrowserContextOptions {
  /** The page below `/console/`, such as `flags?state=ACTIVE`. */
  path: string;
  /** A server that stays open. Without it, the test gets its own. */
  server?: () => TestConsole;
  /** Options of the test's own server. */
  options?: AssayOptions;
  /** Creates what the page shows. */
  prepare?: (server: TestConsole) => Promise<unknown>;
  /** Creates the user who signs in. @default the administrator */
  as?: AsUser;
  /** Statuses of refusals that the test provokes. */
  refusals?: number[];
}

/** What tests of the console use. */
export interface ConsoleTests {
  start(options?: AssayOptions): Promise<TestConsole>;
  browser(): Browser;
  /** Opens a page without signing in. Fails if the page did what it must not do; see `openPage`. */
  onUrl(
    url: string,
    run: (page: Page) => Promise<unknown>,
    more?: BrowserContextOptions & Pick<Visit, "refusals">,
  ): Promise<void>;
  /** Opens a page of the console, signs in and runs the test. */
  onPage(visit: Visit, run: Run): Promise<void>;
  /** Tests that a page fits a phone and a desk in light and in dark colours. `look` uses a phone, and calls `checkLooks`. */
  testLooks(title: string, visit: Visit, look: Run): void;
}

/** Declares tests of the console in a real browser, which are skipped without one. */
export function describeConsole(title: string, declare: (tests: ConsoleTests) => void): void {
  describe.runIf(CHROMIUM)(title, () => {
    let assets: ConsoleAssets;
    let browser: Browser;
    beforeAll(async () => {
      assets = await buildConsole();
      browser = await launchBrowser();
    });
    afterAll(() => browser?.close());

    const start = (options?: AssayOptions) => startServer(assets, options);

    /** Runs the test on the server of the visit, or on one of its own. */
    async function onServer({ server, options, prepare }: Visit, use: (server: TestConsole) => Promise<unknown>) {
      const used = server?.() ?? (await start(options));
      try {
        await prepare?.(used);
        await use(used);
      } finally {
        if (!server) await used.close();
      }
    }

    const onUrl: ConsoleTests["onUrl"] = async (url, run, { refusals = [], ...context } = {}) => {
      const { page, verify, close } = await openPage(browser, url, context);
      try {
        await run(page);
        verify(...refusals);
      } finally {
        await close();
      }
    };

    async function look({ path, as, server: _, options: __, prepare: ___, ...more }: Visit, on: TestConsole, run: Run) {
      const user = (await as?.(on)) ?? ADMIN;
      const visit = async (page: Page) => {
        await beginSession(page, on.url, user);
        await page.goto(`${on.url}/console/${path}`);
        await page.getByRole("button", { name: "Sign out" }).waitFor();
        await run(page, on);
      };
      await onUrl(on.url, visit, more);
    }

    declare({
      start,
      browser: () => browser,
      onUrl,
      onPage: (visit, run) => onServer(visit, (server) => look(visit, server, run)),
      testLooks(name, visit, run) {
        test(`${name} in light and in dark colours`, () =>
          onServer(visit, (server) => look({ ...visit, ...PHONE_LOOK }, server, run)));
      },
    });
  });
}

/** Presses a button of the dialog that has it, and waits until this dialog closes. */
export async function confirm(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog").filter({ has: page.getByRole("button", { name, exact: true }) });
  await dialog.getByRole("button", { name, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

/**
 * Refuses this request and the renewal of the session, as after its end. `page.unrouteAll` lets both pass again.
 *
 * Other requests pass: what the page reads in the background must not open the dialog before the test's click.
 */
export function endSession(page: Page, method: "POST" | "PUT", path: string): Promise<unknown> {
  const refuses = (request: Request) =>
    request.url().endsWith("/auth/refresh") || (request.method() === method && request.url().endsWith(path));
  return page.route("**/api/v1/**", (route) =>
    refuses(route.request()) ? route.fulfill({ status: 401, json: { detail: "Session ended" } }) : route.continue(),
  );
}

/** Waits until this field, and not only another one, is refused. */
export async function refused(field: Locator): Promise<void> {
  await field.and(field.page().locator('[aria-invalid="true"]')).waitFor();
}

/** Returns what stands below a field that is refused. */
export async function faultOf(page: Page, label: string): Promise<string | null> {
  const field = page.getByLabel(label, { exact: true });
  await refused(field);
  const about = (await field.getAttribute("aria-describedby"))!.split(" ")[0];
  return page.locator(`[id="${about}"]`).textContent();
}

export interface SavedFile {
  name: string;
  content: Buffer;
}

/** Returns the files that the browser saves because of `act`. */
export async function savedFiles(page: Page, count: number, act: () => Promise<void>): Promise<SavedFile[]> {
  const files: Promise<SavedFile>[] = [];
  const read = async (download: Download) => {
    const content = await readFile(await download.path());
    return { name: download.suggestedFilename(), content };
  };
  const keep = (download: Download) => files.push(read(download));
  page.on("download", keep);
  await act();
  await expect.poll(() => files.length).toBe(count);
  page.off("download", keep);
  return Promise.all(files);
}
