import { expect, test } from "vitest";
import { checkLooks } from "./checks.fixture.ts";
import { signIn } from "./console.fixture.ts";
import { type AsUser, asViewer, confirm, describeConsole, type Run, refused } from "./describe-console.fixture.ts";

describeConsole("health, jobs and notifications in the console", ({ onPage, testLooks }) => {
  const on = (path: "health" | "notifications", run: Run, refusals?: number[], as?: AsUser) =>
    onPage({ path, refusals, as }, async (page, server) => {
      await page.getByRole("heading", { level: 1 }).waitFor();
      await run(page, server);
    });

  test("says that the server is ready, and why it is not", async () => {
    await on(
      "health",
      async (page) => {
        await page.getByText("The server answers, and its storage (memory) reads and writes.").waitFor();
        const body = { status: "unavailable", store: "memory", reason: "The disk is full", quarantined: [] };
        await page.route("**/readyz", (route) => route.fulfill({ status: 503, json: body }));
        await page.reload();
        await signIn(page);
        const card = page.getByRole("region", { name: "Server" });
        await card.getByText("The disk is full").waitFor();
        await card.getByText("Not ready").waitFor();
      },
      [503],
    );
  });

  test("runs a scheduled job and shows its outcome", async () => {
    await on("health", async (page) => {
      const row = page.getByRole("row", { name: /rollout-advance/ });
      await row.getByText("Never").waitFor();
      await row.getByRole("button", { name: "Run now: rollout-advance" }).click();
      await row.getByText("Succeeded").waitFor();
    });
  });

  test("starts a data job, with what the server refuses beside the field", async () => {
    await on(
      "health",
      async (page, server) => {
        const dialog = page.getByRole("dialog");
        await page.getByRole("button", { name: "Start: events-export" }).click();
        const date = dialog.getByLabel("Start date");
        await date.fill("yesterday");
        await dialog.getByRole("button", { name: "Start", exact: true }).click();
        await refused(date);
        await date.fill("2026-01-01");
        await dialog.getByRole("button", { name: "Start", exact: true }).click();
        await dialog.getByText(/^The server has no exports directory/).waitFor();
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Start: results-recompute" }).click();
        await dialog.getByLabel("Experiment id").fill("nothing");
        await dialog.getByRole("button", { name: "Start", exact: true }).click();
        await dialog.getByText('Experiment "nothing" does not exist').waitFor();
        await dialog.getByLabel("Experiment id").fill("");
        await confirm(page, "Start");
        await page.getByRole("region", { name: "results-recompute" }).getByText("Succeeded").waitFor();
        const { items } = await server.admin.request("GET /etl/jobs", { query: {} });
        expect(items.find(({ name }) => name === "results-recompute")?.latest_runs).toHaveLength(1);
      },
      [422],
    );
  });

  test("changes where notifications go and what they are about", async () => {
    await on(
      "notifications",
      async (page, server) => {
        await page.getByRole("button", { name: "Edit notifications" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Webhook", { exact: true }).check();
        const address = dialog.getByLabel("Address of the webhook");
        await address.fill("not an address");
        await dialog.getByRole("button", { name: "Save" }).click();
        await refused(address);
        await address.fill("https://hooks.example.org/assay");
        await dialog.getByRole("button", { name: "Save" }).click();
        const secret = dialog.getByLabel("Secret of the webhook");
        await refused(secret);
        await secret.fill("sixteen characters");
        await dialog.getByLabel("an API key is unused").uncheck();
        await dialog.getByLabel("someone proposes a change that you may approve").uncheck();
        await confirm(page, "Save");
        await page.getByText("https://hooks.example.org/assay").waitFor();
        expect(await server.admin.request("GET /notifications/preferences")).toMatchObject({
          webhook_enabled: true,
          webhook_url: "https://hooks.example.org/assay",
          events: { KEY_STALE: false, PROPOSAL_CREATED: false, PROPOSAL_APPROVED: true },
        });
        await page.getByText("Nothing was sent in the last 30 days.").waitFor();
      },
      [422],
    );
  });

  test("a viewer sees everything, and the role that a control needs", async () => {
    await on(
      "health",
      async (page) => {
        await page.getByRole("row", { name: /rollout-advance/ }).waitFor();
        expect(
          await page
            .getByRole("button", { name: /^Run now/ })
            .first()
            .isDisabled(),
        ).toBe(true);
        await page.getByRole("region", { name: "events-export" }).waitFor();
        expect(await page.getByRole("button", { name: "Start: events-export" }).isDisabled()).toBe(true);
        await page.getByText("Needs the role Admin").first().waitFor();
        await page.getByRole("link", { name: "Notifications" }).click();
        await page.getByText("The log needs the role Admin.").waitFor();
        expect(await page.getByRole("button", { name: "Send a test" }).isDisabled()).toBe(true);
      },
      [],
      asViewer,
    );
  });

  testLooks("fit a phone and a desk", { path: "health" }, async (page, { url }) => {
    await page.getByRole("region", { name: "events-export" }).waitFor();
    await page.getByRole("row", { name: /rollout-advance/ }).waitFor();
    await checkLooks(page);
    await page.getByRole("button", { name: "Start: events-export" }).click();
    await checkLooks(page);
    await page.goto(`${url}/console/notifications`);
    await signIn(page);
    await page.getByText("Nothing was sent in the last 30 days.").waitFor();
    await checkLooks(page);
    await page.getByRole("button", { name: "Edit notifications" }).click();
    await checkLooks(page);
  });
});
