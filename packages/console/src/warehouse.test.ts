import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLooks, checkPage } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { asViewer, confirm, describeConsole, faultOf, type Run, type Visit } from "./describe-console.fixture.ts";

/** Forty users, half in each arm, who buy once. */
const ASSIGNMENTS = `SELECT 'user-' || i AS user_id, CASE WHEN i % 2 = 0 THEN 'old' ELSE 'new' END AS variant,
  now() - INTERVAL 1 HOUR AS seen_at FROM range(40) AS users(i)`;
const EVENTS = `SELECT 'user-' || i AS user_id, 'purchase' AS event_type, now() AS timestamp, 1.0 AS value
  FROM range(0, 40, 4) AS users(i)`;

describeConsole("the warehouse in the console", ({ onPage, testLooks }) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-console-warehouse-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const connect = ({ admin }: TestConsole) =>
    admin.request("POST /warehouse/connections", { body: { name: "Lake", type: "DUCKDB", database: folder } });
  async function prepare(server: TestConsole) {
    await connect(server);
    await server.admin.request("POST /experiments/", {
      body: {
        key: "page",
        name: "New page",
        status: "ACTIVE",
        variants: [{ key: "old" }, { key: "new" }],
        metrics: [{ name: "Bought", event_type: "purchase" }],
      },
    });
  }
  const onWarehouse = async (run: Run, more: Partial<Visit> = {}) => {
    await onPage({ path: "warehouse", prepare, options: { warehouse: { directories: [folder] } }, ...more }, run);
  };
  const list = async ({ admin }: TestConsole) =>
    (await admin.request("GET /warehouse/connections", { query: {} })).items;

  test("creates a connection, tests it before it is saved, and keeps everything but the password", async () => {
    await onWarehouse(
      async (page, server) => {
        await page.getByRole("button", { name: "Create connection" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Name of the connection").fill("Shop");
        await dialog.getByLabel("Host").fill("not a host!");
        await dialog.getByLabel("Database").fill("shop");
        await dialog.getByLabel("Username").fill("reader");
        await dialog.getByLabel("Password").fill("hush");
        await dialog.getByRole("button", { name: "Test connection" }).click();
        expect(await faultOf(page, "Host")).toContain("Expected a host name");
        await checkPage(page);
        await dialog.getByLabel("Host").fill("127.0.0.1");
        await dialog.getByRole("button", { name: "Test connection" }).click();
        await dialog.getByText("Fails").waitFor();
        await page.reload();
        await signIn(page);
        expect(await dialog.getByLabel("Username").inputValue()).toBe("reader");
        expect(await dialog.getByLabel("Password").inputValue()).toBe("");
        expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("hush");
        await dialog.getByLabel("Password").fill("hush");
        await dialog.getByLabel("Encryption").selectOption("None");
        await confirm(page, "Create connection");
        await page
          .getByRole("row", { name: /Shop.*PostgreSQL.*127\.0\.0\.1 · shop.*reader, with a password/ })
          .waitFor();
        expect((await list(server))[0]).toMatchObject({
          name: "Shop",
          type: "POSTGRES",
          port: null,
          has_password: true,
          options: { ssl: "DISABLE" },
        });
        // Another host needs the password again.
        await page.getByRole("button", { name: "Edit: Shop" }).click();
        await dialog.getByLabel("Host").fill("10.0.0.1");
        await dialog.getByRole("button", { name: "Save" }).click();
        expect(await faultOf(page, "Password")).toContain("Send the password again");
        await dialog.getByLabel("Host").fill("127.0.0.1");
        await dialog.getByLabel("Schema").fill("sales");
        await confirm(page, "Save");
        await page.getByText("127.0.0.1 · shop · sales").waitFor();
        expect((await list(server))[0]).toMatchObject({ schema: "sales", has_password: true });
      },
      { refusals: [422] },
    );
  });

  test("tests a connection, and deletes it after a question", async () => {
    await onWarehouse(async (page, server) => {
      const row = page.getByRole("row", { name: /Lake/ });
      await row.getByRole("button", { name: "Test connection: Lake" }).click();
      await row.getByText(/The warehouse answered in [\d.]+ ms\./).waitFor();
      await row.getByRole("button", { name: "Delete: Lake" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await list(server)).toHaveLength(1);
      await row.getByRole("button", { name: "Delete: Lake" }).click();
      await confirm(page, "Delete");
      await page.getByText("There are no connections yet.").waitFor();
      expect(await list(server)).toEqual([]);
    });
  });

  test("syncs an experiment, shows why a sync fails, and syncs it again as a job", async () => {
    await onWarehouse(
      async (page, { admin }) => {
        await page.getByRole("button", { name: "Sync an experiment" }).click();
        const dialog = page.getByRole("dialog");
        const sync = dialog.getByRole("button", { name: "Sync now" });
        expect(await sync.isDisabled()).toBe(true);
        await dialog.getByLabel("Experiment", { exact: true }).selectOption("New page");
        await dialog.getByLabel("Assignments").fill("no table!");
        await dialog.getByLabel("Events", { exact: true }).fill("missing_events");
        await sync.click();
        expect(await faultOf(page, "Assignments")).toContain("A table, or schema.table");
        await dialog.getByLabel("Assignments").fill(ASSIGNMENTS);
        await sync.click();
        await dialog.getByText(/The results did not change\. \S/).waitFor();
        await page.reload();
        await signIn(page);
        expect(await dialog.getByLabel("Assignments").inputValue()).toBe(ASSIGNMENTS);
        await dialog.getByLabel("Events", { exact: true }).fill(EVENTS);
        await dialog.getByText("Columns with other names").click();
        const columns = dialog.getByRole("group", { name: "Assignments" });
        await columns.getByLabel("Time", { exact: true }).fill("1");
        await sync.click();
        await expect.poll(() => columns.getByLabel("Time", { exact: true }).getAttribute("aria-invalid")).toBe("true");
        await columns.getByLabel("Time", { exact: true }).fill("seen_at");
        await confirm(page, "Sync now");
        const result = page.getByRole("region", { name: "Result of the sync" });
        await result.getByText("40 users").waitFor();
        await result.getByText("old: 20, new: 20").waitFor();
        await checkPage(page);
        const params = { experiment_id: "page" };
        expect(await admin.request("GET /results/{experiment_id}", { params })).toMatchObject({ source: "WAREHOUSE" });
        await page.getByRole("button", { name: "Start: warehouse-sync" }).click();
        await confirm(page, "Start");
        const job = page.getByRole("region", { name: "warehouse-sync" });
        await job.getByText("Succeeded").waitFor();
        await job.getByText("Log").click();
        await job.getByText('Experiment "page": 40 users').waitFor();
      },
      { refusals: [422] },
    );
  });

  test("tells who may not, and which role it needs", async () => {
    await onWarehouse(
      async (page) => {
        await page.getByText("Connections need the role Developer.").waitFor();
        for (const name of ["Create connection", "Sync an experiment", "Start: warehouse-sync"]) {
          expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
        }
      },
      { as: asViewer },
    );
    await onWarehouse(
      async (page) => {
        await page.getByRole("button", { name: "Sync an experiment" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Experiment", { exact: true }).selectOption("New page");
        await dialog.getByLabel("Assignments").fill("exposures");
        await dialog.getByLabel("Events", { exact: true }).fill("events");
        await dialog.getByRole("button", { name: "Sync now" }).click();
        await dialog.getByText("Not enough permissions").waitFor();
      },
      { as: (server) => server.addUser("dora", "DEVELOPER"), refusals: [403] },
    );
  });

  testLooks("fits a phone and a desk", { path: "warehouse", prepare }, async (page) => {
    await page.getByRole("row", { name: /Lake/ }).waitFor();
    await page.getByRole("region", { name: "warehouse-sync" }).waitFor();
    await checkLooks(page);
    await page.getByRole("button", { name: "Sync an experiment" }).click();
    await page.getByText("Columns with other names").click();
    await checkLooks(page);
  });
});
