import { expect, test } from "vitest";
import { checkLooks } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import {
  type AsUser,
  asViewer,
  confirm,
  describeConsole,
  faultOf,
  type Run,
  refused,
} from "./describe-console.fixture.ts";

describeConsole("rollouts and safety in the console", ({ onPage, testLooks }) => {
  const prepare = ({ admin }: TestConsole) =>
    admin.request("POST /feature-flags/", {
      body: { key: "checkout", name: "Checkout", status: "ACTIVE", rollout_percentage: 10 },
    });
  const onTab = (tab: "schedule" | "safety", run: Run, refusals?: number[], as?: AsUser) =>
    onPage({ path: `flags/checkout?tab=${tab}`, prepare, refusals, as }, async (page, server) => {
      await page.getByRole("heading", { name: "Checkout" }).waitFor();
      await run(page, server);
    });
  const schedule = async ({ admin }: TestConsole) =>
    (await admin.request("GET /rollout-schedules", { query: { feature_flag_id: "checkout" } })).items[0];
  const flag = ({ admin }: TestConsole) => admin.request("GET /feature-flags/{id}", { params: { id: "checkout" } });
  /** A schedule that waits for a person after 25 %. */
  const plan = ({ admin }: TestConsole) =>
    admin.request("POST /rollout-schedules", {
      body: {
        name: "Slowly",
        feature_flag_id: "checkout",
        stages: [
          { target_percentage: 25, trigger: "TIME", trigger_config: { after_minutes: 0 } },
          { target_percentage: 60, trigger: "MANUAL" },
          {
            target_percentage: 100,
            trigger: "METRIC",
            trigger_config: { event_type: "purchase", comparison: "GREATER_THAN", threshold: -0.01 },
          },
        ],
      },
    });

  test("create a schedule of stages, with what the server refuses beside the field", async () => {
    await onTab(
      "schedule",
      async (page, server) => {
        await page.getByRole("button", { name: "Create schedule" }).click();
        const second = page.getByRole("group", { name: "Stage 2" });
        await second.getByLabel("Rollout, in %").fill("2");
        await second.getByLabel("Begins").selectOption("when a metric holds");
        await second.getByLabel("Event").fill("purchase");
        await page.reload();
        await signIn(page);
        await page.getByRole("button", { name: "Create schedule" }).click();
        const share = second.getByLabel("Rollout, in %");
        await refused(share);
        const about = (await share.getAttribute("aria-describedby"))!;
        expect(await page.locator(`[id="${about}"]`).textContent()).toContain("Percentages must not decrease");
        await share.fill("25");
        await page.getByRole("button", { name: "Create schedule" }).click();
        await page.getByRole("region", { name: "Roll out Checkout" }).waitFor();
        const stages = page.getByRole("listitem").filter({ hasText: "%" });
        expect(await stages.allTextContents()).toEqual([
          "5 % at once",
          "25 % after 1 day, when the data shows that the difference in purchase is greater than -1 pp",
          "100 % after 1 day",
        ]);
        expect((await schedule(server))?.stages[1]).toMatchObject({
          target_percentage: 25,
          trigger_config: { event_type: "purchase", threshold: -0.01, duration_minutes: 1440 },
        });
        await page.getByRole("button", { name: "Edit schedule" }).click();
        await page.getByRole("button", { name: "Remove stage 3" }).click();
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByRole("button", { name: "Edit schedule" }).waitFor();
        expect((await schedule(server))?.stages).toHaveLength(2);
      },
      [422],
    );
  });

  test("start, pause, resume, advance and cancel a schedule, each after a question", async () => {
    await onTab("schedule", async (page, server) => {
      await plan(server);
      await page.reload();
      await signIn(page);
      await page.getByRole("button", { name: "Start schedule" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect((await schedule(server))?.status).toBe("DRAFT");
      await page.getByRole("button", { name: "Start schedule" }).click();
      await confirm(page, "Start schedule");
      await page.getByText("On. 25 % of users").waitFor();
      expect((await flag(server)).rollout_percentage).toBe(25);
      await page.getByRole("button", { name: "Pause schedule" }).click();
      await confirm(page, "Pause schedule");
      expect((await schedule(server))?.status).toBe("PAUSED");
      await page.getByRole("button", { name: "Resume schedule" }).click();
      await confirm(page, "Resume schedule");
      await page.getByRole("button", { name: "Go to 60 % now" }).click();
      await confirm(page, "Go to 60 % now");
      await page.getByText("On. 60 % of users").waitFor();
      expect((await flag(server)).rollout_percentage).toBe(60);
      await page.getByText("Not decided yet.").waitFor();
      await page.getByRole("button", { name: "Cancel schedule" }).click();
      await confirm(page, "Cancel schedule");
      await page.getByText("1 earlier schedule").waitFor();
      expect((await schedule(server))?.status).toBe("CANCELLED");
    });
  });

  test("watch a metric, and roll back with one click and a question", async () => {
    await onTab(
      "safety",
      async (page, server) => {
        await page.getByText("No metric is monitored for this flag.").waitFor();
        await page.getByRole("button", { name: "Edit safety" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Automatic rollback").selectOption("On");
        await dialog.getByRole("button", { name: "Add metric" }).click();
        await dialog.getByLabel("Name").fill("errors");
        await dialog.getByLabel("Event", { exact: true }).fill("error");
        await dialog.getByLabel("Warning, in %").fill("7");
        await dialog.getByLabel("Critical, in %").fill("5");
        await dialog.getByRole("button", { name: "Save" }).click();
        expect(await faultOf(page, "Warning, in %")).toContain("lies beyond the critical_threshold");
        await dialog.getByLabel("Warning, in %").fill("2");
        await confirm(page, "Save");
        await page.getByRole("row", { name: /errors.*No data yet.*warning 2 %, critical 5 %/ }).waitFor();
        const params = { id: "checkout" };
        expect(await server.admin.request("GET /safety/feature-flags/{id}", { params })).toMatchObject({
          automatic_rollback: true,
          metrics: { errors: { event_type: "error", warning_threshold: 0.02, critical_threshold: 0.05 } },
        });
        await page.getByRole("button", { name: "Roll back to 0 %" }).click();
        await dialog.getByLabel("Reason").fill("Errors rise");
        await confirm(page, "Roll back to 0 %");
        await page.getByText("On, but the rollout is 0 %.").waitFor();
        expect((await flag(server)).rollout_percentage).toBe(0);
        expect(await page.getByRole("button", { name: "Roll back to 0 %" }).isDisabled()).toBe(true);
        await page.getByRole("link", { name: "Rollouts" }).click();
        await page.getByRole("listitem").filter({ hasText: "from 10 % to 0 %" }).getByText("“Errors rise”").waitFor();
      },
      [422],
    );
  });

  test("list what moves now, with a rollback, and the safety of all flags", async () => {
    await onTab("schedule", async (page, server) => {
      const { id } = await plan(server);
      await server.admin.request("POST /rollout-schedules/{id}/activate", { params: { id } });
      await page.getByRole("link", { name: "Rollouts" }).click();
      await page.getByRole("row", { name: /checkout.*Active.*25 %.*60 % when someone starts it/ }).waitFor();
      await page.getByRole("button", { name: "Safety of all flags" }).click();
      await page.getByRole("dialog").getByLabel("Window of the live values, in minutes").fill("15");
      await confirm(page, "Save");
      expect((await server.admin.request("GET /safety/settings")).window_minutes).toBe(15);
      await page.getByRole("button", { name: "Roll back to 0 %: checkout" }).click();
      await confirm(page, "Roll back to 0 %");
      await page.getByRole("row", { name: /checkout.*Paused.*0 %/ }).waitFor();
      expect((await flag(server)).rollout_percentage).toBe(0);
    });
  });

  test("show a viewer every control, and the role that it needs", async () => {
    await onTab(
      "schedule",
      async (page) => {
        expect(await page.getByRole("button", { name: "Create schedule" }).isDisabled()).toBe(true);
        await page.getByRole("link", { name: "Safety" }).click();
        for (const name of ["Roll back to 0 %", "Edit safety"]) {
          expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
        }
        expect(await page.getByRole("region", { name: "Safety" }).getByText("Needs the role Developer").count()).toBe(
          2,
        );
        await page.getByRole("link", { name: "Rollouts" }).click();
        await page.getByText("Rollbacks need the role Analyst.").waitFor();
        expect(await page.getByRole("button", { name: "Safety of all flags" }).isDisabled()).toBe(true);
      },
      [],
      asViewer,
    );
  });

  const moving = async (server: TestConsole) => {
    await prepare(server);
    const { id } = await plan(server);
    await server.admin.request("POST /rollout-schedules/{id}/activate", { params: { id } });
    await server.admin.request("PUT /safety/feature-flags/{id}", {
      params: { id: "checkout" },
      body: { metrics: { errors: { event_type: "error", critical_threshold: 0.05 } } },
    });
  };
  testLooks(
    "fit a phone and a desk",
    { path: "flags/checkout?tab=schedule", prepare: moving },
    async (page, { url }) => {
      await page.getByRole("region", { name: "Slowly" }).waitFor();
      await checkLooks(page);
      await page.getByRole("button", { name: "Create schedule" }).click();
      await checkLooks(page);
      await page.getByRole("link", { name: "Safety" }).click();
      await page.getByRole("row", { name: "errors" }).waitFor();
      await checkLooks(page);
      await page.getByRole("button", { name: "Edit safety" }).click();
      await checkLooks(page);
      await page.goto(`${url}/console/rollouts`);
      await signIn(page);
      await page.getByRole("row", { name: /checkout.*25 %/ }).waitFor();
      await checkLooks(page);
    },
  );
});
