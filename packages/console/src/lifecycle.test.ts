import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkPage } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { designCookieCats } from "./cookie-cats.fixture.ts";
import { confirm, describeConsole, type Run } from "./describe-console.fixture.ts";

describeConsole("the life of an experiment in the console", ({ onPage }) => {
  const path = "experiments/gate-level-40";
  /** Runs a test on the page of a draft. */
  const onDraft = (
    run: Run,
    { refusals, design = {}, width = 1280 }: { refusals?: number[]; design?: object; width?: number } = {},
  ) =>
    onPage(
      { path, prepare: (server) => designCookieCats(server, design), refusals, viewport: { width, height: 844 } },
      async (page, server) => {
        await page.getByText("This experiment has not started.").waitFor();
        await run(page, server);
      },
    );
  const read = ({ admin }: TestConsole, key = "gate-level-40") =>
    admin.request("GET /experiments/{experiment_id}", { params: { experiment_id: key } });
  /** Takes a step, which the page asks about first. */
  async function step(page: Page, name: string) {
    await page.getByRole("button", { name, exact: true }).click();
    await confirm(page, name);
  }

  test("goes from start over pause and resume to a decision", async () => {
    await onDraft(async (page, server) => {
      await step(page, "Start");
      await page.getByText("No users yet.").waitFor();
      await step(page, "Pause");
      await page.getByText("Paused").waitFor();
      await step(page, "Resume");
      await page.getByText("Running").waitFor();
      await page.getByRole("button", { name: "Complete" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Keep running: no decision yet").waitFor();
      expect(await dialog.getByLabel("Winner").inputValue()).toBe("");
      await dialog.getByLabel("Winner").selectOption("gate_30");
      await checkPage(page);
      await dialog.getByRole("button", { name: "Complete" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByText("Completed", { exact: true }).waitFor();
      await page.getByText("Winner: gate_30").waitFor();
      expect(await read(server)).toMatchObject({ status: "COMPLETED", winner: "gate_30" });
      await step(page, "Archive");
      await page.getByText("Archived", { exact: true }).waitFor();
      expect((await read(server)).status).toBe("ARCHIVED");
    });
  });

  test("shows how to send the first user, with a command that works", async () => {
    await onDraft(async (page, server) => {
      await step(page, "Start");
      await page.getByRole("heading", { name: "Send users and events" }).waitFor();
      await checkPage(page);
      const command = (await page.locator("pre").textContent()) ?? "";
      const { key } = await server.admin.request("POST /api-keys", {
        body: { name: "game", scopes: ["read", "write"] },
      });
      await promisify(execFile)("sh", ["-c", command.replace("YOUR_API_KEY", key!)]);
      await page.reload();
      await signIn(page);
      await page.getByRole("region", { name: "Decision" }).waitFor();
      const params = { experiment_id: "gate-level-40" };
      const { users, metrics } = await server.admin.request("GET /results/{experiment_id}/overview", { params });
      expect([users, metrics.map(({ control_value }) => control_value)]).toEqual([1, [1, 1, 1]]);
    });
  });

  test("asks before it deletes a draft", async () => {
    await onDraft(async (page, { admin }) => {
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect((await admin.request("GET /experiments/")).total).toBe(1);
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("There are no experiments yet.").waitFor();
      expect((await admin.request("GET /experiments/")).total).toBe(0);
    });
  });

  test("names what is missing before the start, which an edit adds", async () => {
    const design = {
      variants: [{ key: "gate_30", weight: 100 }],
      hypothesis: "",
      metrics: [{ name: "retention_7", event_type: "retention_7" }],
    };
    await onDraft(
      async (page, server) => {
        await page.getByText("Missing before the start: a second arm with weight.").waitFor();
        await page
          .getByText("Better with: a primary metric, which decides, a planned number of users, a hypothesis.")
          .waitFor();
        await page.getByRole("button", { name: "Start" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("button", { name: "Start" }).click();
        await dialog.getByRole("alert").getByText("An experiment needs at least 2 variants with weight").waitFor();
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("link", { name: "Edit design" }).click();
        await page.getByRole("heading", { name: "Edit First gate at level 40" }).waitFor();
        await page.getByRole("button", { name: "Add arm" }).click();
        await page.getByLabel("Arm", { exact: true }).nth(1).fill("gate_40");
        await page.getByLabel("Role").selectOption("primary, decides");
        await page.getByLabel("Hypothesis").fill("A later gate keeps more players.");
        await page.getByLabel("Share today, in %").fill("19");
        await page.getByLabel("Smallest lift worth finding, in %").fill("5");
        await page.getByText(/^[\d,]+ users$/).waitFor();
        await checkPage(page);
        await page.reload();
        await signIn(page);
        expect(await page.getByLabel("Arm", { exact: true }).nth(1).inputValue()).toBe("gate_40");
        await page.getByText(/^[\d,]+ users$/).waitFor();
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("This experiment has not started.").waitFor();
        expect(await page.getByText("Missing before the start").count()).toBe(0);
        expect(await page.getByText("Better with").count()).toBe(0);
        expect(await read(server)).toMatchObject({
          variants: [
            { key: "gate_30", weight: 50, is_control: true },
            { key: "gate_40", weight: 50 },
          ],
          metrics: [{ role: "PRIMARY" }],
          planned_sample_size: expect.any(Number),
        });
        await step(page, "Start");
        await page.getByText("Running").waitFor();
      },
      { refusals: [400], design },
    );
  });

  test.each([
    ["Keep theirs", "Theirs."],
    ["Save mine over theirs", "Mine."],
  ])("shows someone else's change beside an edit, to %s", async (choice, hypothesis) => {
    await onDraft(
      async (page, server) => {
        const params = { experiment_id: "gate-level-40" };
        await page.getByRole("link", { name: "Edit design" }).click();
        await page.getByLabel("Hypothesis").fill("Mine.");
        const body = { hypothesis: "Theirs." };
        await server.admin.request("PUT /experiments/{experiment_id}", { params, body });
        await page.getByRole("button", { name: "Save", exact: true }).click();
        const conflict = page.getByRole("alert", { name: "Someone else changed this experiment." });
        await conflict.getByRole("row", { name: "Hypothesis Theirs. Mine." }).waitFor();
        expect((await read(server)).hypothesis).toBe("Theirs.");
        await checkPage(page);
        await page.getByRole("button", { name: choice }).click();
        if (choice === "Keep theirs") {
          await conflict.waitFor({ state: "detached" });
          await expect.poll(() => page.getByLabel("Hypothesis").inputValue()).toBe("Theirs.");
        } else await page.getByText("This experiment has not started.").waitFor();
        expect((await read(server)).hypothesis).toBe(hypothesis);
      },
      { refusals: [412] },
    );
  });

  test("serves the winner to everyone if a flag decides the arms", async () => {
    const prepare = async ({ admin }: TestConsole) => {
      await admin.request("POST /feature-flags/", { body: { key: "gate", name: "Gate", status: "ACTIVE" } });
      const body = { key: "gated", name: "Gated", feature_flag_key: "gate" };
      await admin.request("POST /experiments/", { body });
    };
    await onPage({ path: "experiments/gated", prepare }, async (page, server) => {
      await server.admin.request("PATCH /feature-flags/{id}/rollout", {
        params: { id: "gate" },
        body: { rollout_percentage: 50 },
      });
      await step(page, "Start");
      await page.getByText("No users yet.").waitFor();
      await page.getByRole("button", { name: "Complete" }).click();
      await page.getByText("The flag of the experiment serves the winner to everyone.").waitFor();
      await page.getByLabel("Winner").selectOption("on");
      await page.getByRole("dialog").getByRole("button", { name: "Complete" }).click();
      await page.getByText("Winner: on").waitFor();
      const flag = await server.admin.request("GET /feature-flags/{id}", { params: { id: "gate" } });
      expect(flag.rollout_percentage).toBe(100);
    });
  });

  test("copies an experiment as a draft, on a phone too", async () => {
    await onDraft(
      async (page, server) => {
        await checkPage(page);
        await page.getByRole("button", { name: "Copy" }).click();
        const dialog = page.getByRole("dialog");
        expect(await dialog.getByLabel("Name").inputValue()).toBe("Copy of First gate at level 40");
        await dialog.getByLabel("Name").fill("Second gate");
        await dialog.getByRole("button", { name: "Copy" }).click();
        await page.getByRole("heading", { name: "Second gate" }).waitFor();
        expect(await read(server, "second-gate")).toMatchObject({ status: "DRAFT", name: "Second gate" });
        await checkPage(page);
      },
      { width: 390 },
    );
  });

  test("a developer who did not create it sees the role that a change needs", async () => {
    const as = (server: TestConsole) => server.addUser("dora", "DEVELOPER");
    await onPage({ path, prepare: (server) => designCookieCats(server), as }, async (page) => {
      await page.getByText("Needs the role Admin").first().waitFor();
      expect(await page.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
      expect(await page.getByRole("button", { name: "Copy" }).isEnabled()).toBe(true);
    });
  });
});
