import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkPage } from "./checks.fixture.ts";
import type { TestConsole } from "./console.fixture.ts";
import { createClock, designCookieCats, playCookieCats } from "./cookie-cats.fixture.ts";
import { describeConsole, type SavedFile, savedFiles } from "./describe-console.fixture.ts";
import { type ReportInput, toCsv, toHtml, toSummary } from "./report.ts";

describeConsole("exports of the console", ({ start, onUrl, onPage }) => {
  let server: TestConsole;
  let input: ReportInput;
  beforeAll(async () => {
    const clock = createClock(Date.parse("2026-03-02T10:00:00Z"));
    server = await start({ now: clock.now });
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
  afterAll(() => server?.close());

  /** Clicks a button and returns the files that the browser saved. */
  async function saved(button: string, count = 1) {
    let files: SavedFile[] = [];
    await onPage({ path: "experiments/gate-level-40", server: () => server }, async (page) => {
      files = await savedFiles(page, count, () => page.getByRole("button", { name: button }).click());
    });
    return files;
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
      const read = async (page: Page) => {
        await open(page, file!.content.toString());
        await page.getByRole("heading", { name: "First gate at level 40" }).waitFor();
        const { decision, rows } = toSummary(input);
        await page.getByText(decision, { exact: true }).waitFor();
        for (const { metric, difference, interval } of rows) {
          const row = page.getByRole("row", { name: metric });
          expect(await row.textContent()).toContain(difference + interval);
        }
        await checkPage(page);
      };
      await onUrl(server.url, read, { offline: true, javaScriptEnabled: true, viewport: { width, height: 844 } });
    },
  );

  /** Shows a file as if it were opened from a disk. */
  const open = (page: Page, html: string) => page.setContent(html);
});
