import { expect, test } from "vitest";
import { checkLooks } from "./checks.fixture.ts";
import type { TestConsole } from "./console.fixture.ts";
import { type AsUser, confirm, describeConsole, type Run, refused } from "./describe-console.fixture.ts";

describeConsole("exclusion groups and the holdout in the console", ({ onPage, testLooks }) => {
  /** A group of one experiment, and a draft outside of it. */
  async function prepare({ admin }: TestConsole) {
    for (const key of ["short-form", "one-click"]) {
      await admin.request("POST /experiments/", { body: { key, name: `Experiment ${key}` } });
    }
    const { id } = await admin.request("POST /mutual-exclusion-groups", {
      body: { name: "Checkout", traffic_percentage: 90 },
    });
    const params = { group_id: id };
    const body = { experiment_id: "short-form", slot_percentage: 40 };
    await admin.request("POST /mutual-exclusion-groups/{group_id}/experiments", { params, body });
  }
  const onTraffic = (run: Run, refusals?: number[], as?: AsUser) =>
    onPage({ path: "traffic", prepare, refusals, as }, async (page, server) => {
      await page.getByRole("region", { name: "Checkout" }).waitFor();
      await run(page, server);
    });
  const group = async ({ admin }: TestConsole, name = "Checkout") =>
    (await admin.request("GET /mutual-exclusion-groups", { query: {} })).items.find((one) => one.name === name)!;

  test("draws each slot as wide as its share of users", async () => {
    await onTraffic(async (page) => {
      const card = page.getByRole("region", { name: "Checkout" });
      const bar = card.getByRole("img");
      expect(await bar.getAttribute("aria-label")).toBe(
        "short-form: 0 % to 40 %; Free: 40 % to 90 %; Not used: 90 % to 100 %",
      );
      const whole = (await bar.boundingBox())!;
      const slot = (await bar.getByText("short-form").boundingBox())!;
      expect(slot.x).toBeCloseTo(whole.x, -1);
      expect(slot.width / whole.width).toBeCloseTo(0.4, 2);
      await card.getByText("The largest free slot has 50 % of all users.").waitFor();
      await card.getByRole("row", { name: /short-form.*Draft.*0 % to 40 %.*40 %/ }).waitFor();
    });
  });

  test("adds a draft to a slot, shows beside the field what is refused, and removes it after a question", async () => {
    await onTraffic(
      async (page, server) => {
        await page.getByRole("button", { name: "Add experiment" }).click();
        const dialog = page.getByRole("dialog");
        // What is in a group already is not offered.
        await dialog.getByLabel("Experiment").selectOption("Experiment one-click");
        expect(await dialog.getByRole("option").count()).toBe(2);
        const share = dialog.getByLabel("Share of all users, in %");
        await share.fill("0.00001");
        await dialog.getByRole("button", { name: "Add experiment" }).click();
        await refused(share);
        const about = (await share.getAttribute("aria-describedby"))!.split(" ")[0];
        expect(await dialog.locator(`[id="${about}"]`).textContent()).toBe("At most four decimals");
        await share.fill("60");
        await dialog.getByRole("button", { name: "Add experiment" }).click();
        await dialog.getByText("has 50 % free in one range, but the experiment needs 60 %").waitFor();
        await share.fill("");
        await confirm(page, "Add experiment");
        await page.getByRole("row", { name: /one-click.*40 % to 65 %.*25 %/ }).waitFor();
        expect((await group(server)).experiments).toHaveLength(2);
        await page.getByRole("button", { name: "Remove short-form" }).click();
        await confirm(page, "Remove");
        await page.getByRole("row", { name: /short-form/ }).waitFor({ state: "detached" });
        expect((await group(server)).experiments.map(({ key }) => key)).toEqual(["one-click"]);
      },
      [422, 409],
    );
  });

  test("creates, edits and archives groups", async () => {
    await onTraffic(async (page, server) => {
      await page.getByRole("button", { name: "Create group" }).click();
      await page.getByRole("dialog").getByLabel("Name of the group").fill("Search");
      await confirm(page, "Create group");
      const card = page.getByRole("region", { name: "Search" });
      await card.getByRole("button", { name: "Edit group" }).click();
      await page.getByRole("dialog").getByLabel("Share of all users that the group may use, in %").fill("70");
      await confirm(page, "Save");
      expect((await group(server, "Search")).traffic_percentage).toBe(70);
      await card.getByRole("button", { name: "Archive group" }).click();
      await confirm(page, "Archive group");
      expect((await group(server, "Search")).status).toBe("ARCHIVED");
      expect(await card.getByRole("button").count()).toBe(0);
    });
  });

  test("starts a holdout, and ends it after a question", async () => {
    await onTraffic(
      async (page, server) => {
        await page.getByText("No holdout is active.").waitFor();
        await page.getByRole("button", { name: "Start holdout" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Name of the holdout").fill("All of 2026");
        const share = dialog.getByLabel("Share of all users, in %");
        await share.fill("60");
        await dialog.getByRole("button", { name: "Start holdout" }).click();
        await refused(share);
        await share.fill("5");
        await confirm(page, "Start holdout");
        await page.getByText("5 % of all users are in no experiment.").waitFor();
        await page.getByText("Seen so far: 0 held-out users, 0 others.").waitFor();
        expect(await server.admin.request("GET /holdout")).toMatchObject({ name: "All of 2026", percentage: 5 });
        await page.getByRole("button", { name: "End holdout" }).click();
        await confirm(page, "End holdout");
        await page.getByText("No holdout is active.").waitFor();
        expect(await server.admin.request("GET /holdout")).toBeNull();
      },
      [422],
    );
  });

  test.each(["VIEWER", "DEVELOPER"] as const)("tells a %s which role a control needs", async (role) => {
    await onTraffic(
      async (page) => {
        const mayEdit = role === "DEVELOPER";
        for (const name of ["Create group", "Add experiment", "Edit group"]) {
          expect(await page.getByRole("button", { name }).isDisabled()).toBe(!mayEdit);
        }
        for (const name of ["Start holdout", "Archive group"]) {
          expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
        }
        expect(await page.getByText("Needs the role Admin").count()).toBe(2);
        expect(await page.getByText("Needs the role Developer").count()).toBe(mayEdit ? 0 : 3);
      },
      [],
      (server) => server.addUser("dora", role),
    );
  });

  const withHoldout = async (server: TestConsole) => {
    await prepare(server);
    await server.admin.request("POST /holdout", { body: { name: "Year", percentage: 10 } });
  };
  testLooks("fit a phone and a desk", { path: "traffic", prepare: withHoldout }, async (page) => {
    await page.getByRole("region", { name: "Checkout" }).waitFor();
    await page.getByText("Seen so far").waitFor();
    await checkLooks(page);
    await page.getByRole("button", { name: "Add experiment" }).click();
    await checkLooks(page);
  });
});
