import { readFile } from "node:fs/promises";
import type { ConsoleAssets } from "@assay/server";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPage, openPage } from "./checks.fixture.ts";
import { buildConsole, CHROMIUM, launchBrowser, signIn, startServer, type TestConsole } from "./console.fixture.ts";
import { createClock, designCookieCats, playCookieCats } from "./cookie-cats.fixture.ts";
import { type ReportInput, toCsv, toHtml, toSummary } from "./report.ts";

describe.runIf(CHROMIUM)("exports of the console", () => {
  let browser: Browser;
  let server: TestConsole;
  let input: ReportInput;
  beforeAll(async () => {
    const assets: ConsoleAssets = await buildConsole();
    browser = await launchBrowser();
    const clock = createClock(Date.parse("2026-03-02T10:00:00Z"));
    server = await startServer(assets, { now: clock.now });
    await designCookieCats(server);
    await playCookieCats(server, clock, { days: 4, every: 30 });
    const params = { experiment_id: "gate-level-40" };
    const [experiment, overview, results] = await Promise.all([
      server.admin.request("GET /experiments/{experiment_id}", { params }),
      server.admin.request("GET /results/{experiment_id}/overview", { params }),
      server.admin.request("GET /results/{experiment_id}", { params }),
    ]);
    input = { experiment, overview, results };
  });
  afterAll(async () => {
    await server?.close();
    await browser?.close();
  });

  /** Clicks a button and returns the files that the browser saved. */
  async function saved(button: string, count = 1) {
    const { page, verify, close } = await openPage(browser, server.url);
    await page.goto(`${server.url}/console/experiments/gate-level-40`);
    await signIn(page);
    const files: Promise<{ name: string; content: Buffer }>[] = [];
    page.on("download", (download) =>
      files.push(
        download.path().then(async (path) => ({ name: download.suggestedFilename(), content: await readFile(path) })),
      ),
    );
    await page.getByRole("button", { name: button }).click();
    await expect.poll(() => files.length).toBe(count);
    const all = await Promise.all(files);
    verify();
    await close();
    return all;
  }

  test("save the table as CSV", async () => {
    const [file] = await saved("Table as CSV");
    expect(file!.name).toBe("gate-level-40.csv");
    expect(file!.content.toString()).toBe(toCsv(input));
  });

  test("save every chart as a picture", async () => {
    const files = await saved("Charts as PNG", 3);
    expect(files.map(({ name }) => name)).toEqual([
      "gate-level-40-effects.png",
      "gate-level-40-effects-2.png",
      "gate-level-40-days.png",
    ]);
    for (const { content } of files) {
      expect(content.subarray(1, 4).toString()).toBe("PNG");
      // Twice the size of the chart; a picture of one colour would be smaller.
      expect(content.readUInt32BE(16)).toBe(1720);
      expect(content.length).toBeGreaterThan(10_000);
    }
  });

  test.each([390, 1280])(
    "save a report that opens offline at %d pixels, with the numbers of the page",
    async (width) => {
      const [file] = await saved("Report as HTML");
      expect(file!.name).toBe("gate-level-40.html");
      expect(file!.content.toString()).toBe(toHtml(input));
      const { page, verify, close } = await openPage(browser, server.url, {
        offline: true,
        javaScriptEnabled: true,
        viewport: { width, height: 844 },
      });
      await open(page, file!.content.toString());
      await page.getByRole("heading", { name: "First gate at level 40" }).waitFor();
      const { decision, rows } = toSummary(input);
      await page.getByText(decision, { exact: true }).waitFor();
      for (const { metric, difference, interval } of rows) {
        const row = page.getByRole("row", { name: metric });
        expect(await row.textContent()).toContain(difference + interval);
      }
      await checkPage(page);
      verify();
      await close();
    },
  );

  /** Shows a file as if it were opened from a disk. */
  const open = (page: Page, html: string) => page.setContent(html);
});
