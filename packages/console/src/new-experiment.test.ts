import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkLooks, checkPage } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { asViewer, describeConsole, endSession, type Run, type Visit } from "./describe-console.fixture.ts";

const SENTENCE = "A green button lifts sign-ups from 10 % to 12 %, with 2000 users a day.";

describeConsole("a new experiment in the console", ({ onPage, testLooks }) => {
  const onForm = (run: Run, more: Partial<Visit> = {}) =>
    onPage({ path: "experiments/new", ...more }, async (page, server) => {
      await page.getByRole("heading", { name: "New experiment" }).waitFor();
      await run(page, server);
    });
  const stored = ({ admin }: TestConsole, key: string) =>
    admin.request("GET /experiments/{experiment_id}", { params: { experiment_id: key } });
  /** Returns the text that describes a control. */
  const about = (page: Page, label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((control) =>
      (control.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join(" "),
    );
  const size = (page: Page) => page.getByRole("region", { name: "How many users does it need?" });

  test("says first how many users and days it needs", async () => {
    await onForm(async (page, { admin }) => {
      await page.getByText("Fill in today's value and the lift").waitFor();
      await page.getByLabel("Share today, in %").fill("19");
      await page.getByLabel("Smallest lift worth finding, in %").fill("4.46");
      await page.getByLabel("Users per day, if known").fill("3000");
      const query = { baseline_rate: 0.19, mde: 0.0446, power: 0.8, daily_users: 3000, weights: "50,50" };
      const { total, days } = await admin.request("GET /ai/sample-size", { query });
      await size(page)
        .getByText(`${total.toLocaleString("en-GB")} users, ${days} days`)
        .waitFor();
      // An arm with a tenth of the users makes the experiment longer.
      await page.getByLabel("Weight, in %").nth(0).fill("90");
      await page.getByLabel("Weight, in %").nth(1).fill("10");
      const uneven = await admin.request("GET /ai/sample-size", { query: { ...query, weights: "90,10" } });
      expect(uneven.total).toBeGreaterThan(total);
      await size(page)
        .getByText(`${uneven.total.toLocaleString("en-GB")} users, ${uneven.days} days`)
        .waitFor();
      await page.getByLabel("You compare").selectOption("an average per user");
      await page.getByLabel("Average today").fill("52");
      await page.getByLabel("Standard deviation").fill("195");
      const means = { mean: 52, standard_deviation: 195, mde: 0.0446, weights: "90,10", daily_users: 3000 };
      const mean = await admin.request("GET /ai/sample-size", { query: means });
      await size(page)
        .getByText(`${mean.total.toLocaleString("en-GB")} users, ${mean.days} days`)
        .waitFor();
    });
  });

  test("says what planned looks, any day and less noise change, and keeps them in the draft", async () => {
    await onForm(
      async (page, server) => {
        const { admin } = server;
        await page.getByLabel("Share today, in %").fill("19");
        await page.getByLabel("Smallest lift worth finding, in %").fill("5");
        await page.getByLabel("Users per day, if known").fill("3000");
        const query = { baseline_rate: 0.19, mde: 0.05, power: 0.8, daily_users: 3000, weights: "50,50" };
        const ask = (more: object) => admin.request("GET /ai/sample-size", { query: { ...query, ...more } });
        const says = (text: string) => size(page).getByText(text, { exact: true }).waitFor();
        const users = (count: number) => count.toLocaleString("en-GB");
        const decide = (choice: string) => page.getByLabel("You decide").selectOption(choice);
        await decide("on any day");
        const any = await ask({ any_time: true });
        await says(`At most ${users(any.total)} users, ${any.days} days`);
        await decide("at planned looks, such as once a week");
        await page.getByLabel("Number of looks").fill("3");
        await page.getByLabel("False alarms are spent").selectOption("evenly (Pocock)");
        const looks = await ask({ looks: 3, spending_function: "pocock" });
        await says(`${users(looks.total)} users, ${looks.days} days`);
        await says(`Look 1: ${users(looks.looks![0]!.users)} users, day ${looks.looks![0]!.day}`);
        await says(`If the lift is real, it ends after ${users(looks.mean_users!)} users on average.`);
        await page.getByLabel("Number of looks").fill("1");
        await expect.poll(() => page.getByLabel("Number of looks").getAttribute("aria-invalid")).toBe("true");
        await page.getByLabel("Number of looks").fill("4");
        await page.getByLabel("Adjustment").selectOption("by several metrics and attributes (regression)");
        await page.getByLabel("Correlation with before, if known").fill("0.6");
        const less = await ask({ looks: 4, spending_function: "pocock", cuped_correlation: 0.6 });
        expect(less.total).toBeLessThan(looks.total);
        await says(`${users(less.total)} users, ${less.days} days`);
        await page.getByLabel("Name", { exact: true }).fill("Planned");
        await page.getByLabel("Name of the metric").fill("Visits of shops");
        await page.getByLabel("Event", { exact: true }).fill("visit");
        await page.getByLabel("Days before the first exposure").fill("30");
        await page.getByLabel("Visits of shops").check();
        await page.getByLabel("Adjust by attributes").fill("country, plan");
        await page.reload();
        await signIn(page);
        await page.getByRole("button", { name: "Create draft" }).click();
        await page.getByText("at 4 planned looks (pocock)").waitFor();
        expect(await stored(server, "planned")).toMatchObject({
          planned_sample_size: less.total,
          group_sequential: { looks: 4, spending_function: "pocock" },
          variance_reduction: {
            ...{ method: "REGRESSION", lookback_days: 30 },
            ...{ covariates: ["visits-of-shops"], attributes: ["country", "plan"] },
          },
        });
        await page.getByRole("link", { name: "Edit design" }).click();
        expect(await page.getByLabel("Number of looks").inputValue()).toBe("4");
        expect(await page.getByLabel("Visits of shops").isChecked()).toBe(true);
        await decide("on any day");
        await page.getByLabel("Adjustment").selectOption("none");
        await checkPage(page);
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("on any day").waitFor();
        expect(await stored(server, "planned")).toMatchObject({ planned_sample_size: null, group_sequential: null });
      },
      { refusals: [422] },
    );
  });

  test("shows wrong numbers beside their fields", async () => {
    await onForm(
      async (page) => {
        await page.getByLabel("Share today, in %").fill("120");
        await page.getByText("Write a number above 0 and below 100.").waitFor();
        expect(await about(page, "Share today, in %")).toContain("above 0 and below 100");
        await page.getByLabel("Share today, in %").fill("90");
        await page.getByLabel("Smallest lift worth finding, in %").fill("many");
        await page.getByText("Write a number, such as 10.").waitFor();
        // 90 % and a lift of 20 % is more than everyone, which the server says.
        await page.getByLabel("Smallest lift worth finding, in %").fill("20");
        await expect
          .poll(() => page.getByLabel("Smallest lift worth finding, in %").getAttribute("aria-invalid"))
          .toBe("true");
        expect(await about(page, "Smallest lift worth finding, in %")).toMatch(/rate/);
        await checkPage(page);
      },
      { refusals: [422] },
    );
  });

  test("goes from a sentence to a draft, and keeps what was typed over a reload", async () => {
    await onForm(async (page, server) => {
      await page.getByLabel("What do you want to test?").fill(SENTENCE);
      await page.getByRole("button", { name: "Fill in from this sentence" }).click();
      await page.getByText("The form is filled in").waitFor();
      expect(await page.getByLabel("Share today, in %").inputValue()).toBe("10");
      expect(await page.getByLabel("Smallest lift worth finding, in %").inputValue()).toBe("20");
      await page.getByLabel("Name", { exact: true }).fill("Green button");
      await page.getByLabel("Key", { exact: true }).fill("green-button");
      await page.getByLabel("Arm", { exact: true }).nth(1).fill("green");
      await page.reload();
      await signIn(page);
      expect(await page.getByLabel("What do you want to test?").inputValue()).toBe(SENTENCE);
      expect(await page.getByLabel("Arm", { exact: true }).nth(1).inputValue()).toBe("green");
      const text = await size(page)
        .getByText(/^[\d,]+ users, \d+ days$/)
        .textContent();
      await page.getByRole("button", { name: "Create draft" }).click();
      await page.getByRole("heading", { name: "Green button" }).waitFor();
      await page.getByText("Draft", { exact: true }).waitFor();
      const { admin } = server;
      const design = await admin.request("POST /ai/design", { body: { description: SENTENCE } });
      const experiment = await stored(server, "green-button");
      expect(experiment).toMatchObject({
        status: "DRAFT",
        name: "Green button",
        hypothesis: design.hypothesis,
        planned_sample_size: design.sample_size!.total,
        variants: [
          { is_control: true, weight: 50 },
          { key: "green", is_control: false, weight: 50 },
        ],
      });
      expect(text).toContain(experiment.planned_sample_size!.toLocaleString("en-GB"));
      expect(experiment.metrics).toEqual(
        design.metrics.map((metric) => expect.objectContaining(JSON.parse(JSON.stringify(metric)))),
      );
      // The form is empty for the next one.
      await page.goto(`${server.url}/console/experiments/new`);
      await signIn(page);
      await page.getByRole("heading", { name: "New experiment" }).waitFor();
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("");
    });
  });

  test("brings back what was typed before a template filled the form", async () => {
    await onForm(async (page) => {
      await page.getByLabel("Name", { exact: true }).fill("Mine");
      await page.getByLabel("Template", { exact: true }).selectOption("Headline");
      await page.getByText("The form is filled in: Headline").waitFor();
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Headline");
      await page.getByRole("button", { name: "Undo" }).click();
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Mine");
      expect(await page.getByLabel("Name of the metric").count()).toBe(1);
      expect(await page.getByText("The form is filled in").count()).toBe(0);
    });
  });

  test("goes from a template, with a flag or a group, to a draft", async () => {
    await onForm(async (page, server) => {
      const { admin } = server;
      const group = await admin.request("POST /mutual-exclusion-groups", { body: { name: "Checkout" } });
      const variants = [
        { key: "short", weight: 30, value: "a" },
        { key: "long", weight: 70, value: "b" },
      ];
      const flag = { key: "form", name: "Form", value_type: "STRING", default_value: "a", variants } as const;
      await admin.request("POST /feature-flags/", { body: flag });
      await page.reload();
      await signIn(page);
      await page.getByLabel("Template", { exact: true }).selectOption("Sign-up form");
      await page.getByText("The form is filled in: Sign-up form").waitFor();
      expect(await page.getByLabel("Name of the metric").first().inputValue()).toBe("Signed up");
      await page.getByRole("button", { name: "Remove Errors" }).click();
      await page.getByLabel("Flag", { exact: true }).selectOption("form");
      await page.getByText("The arms are the variants of the flag: short 30 %, long 70 %.").waitFor();
      await page.getByLabel("Exclusion group").selectOption("Checkout, 100 % free");
      await page.getByRole("button", { name: "Create draft" }).click();
      await page.getByText("Draft", { exact: true }).waitFor();
      expect(await stored(server, "sign-up-form")).toMatchObject({
        feature_flag_key: "form",
        mutual_exclusion_group_id: group.id,
        variants: [{ key: "short" }, { key: "long" }],
        metrics: [{ id: "signup" }, { id: "week_one_active" }],
      });
    });
  });

  test.each([
    ["Landing pages by URL", "SPLIT_URL"],
    ["Page layout, two factors", "MULTIVARIATE"],
  ])("goes from the template %s to a draft of this type", async (title, type) => {
    await onForm(async (page, server) => {
      await page.getByLabel("Template", { exact: true }).selectOption(title);
      await page.getByLabel("Key", { exact: true }).fill("typed");
      if (type === "SPLIT_URL") await page.getByLabel("URL").nth(1).fill("/other");
      await page.getByRole("button", { name: "Create draft" }).click();
      await page.getByText("Draft", { exact: true }).waitFor();
      const experiment = await stored(server, "typed");
      expect(experiment.experiment_type).toBe(type);
      expect(experiment.variants.map(({ url, key }) => url ?? key)).toEqual(
        type === "SPLIT_URL" ? ["/", "/other"] : ["current_current", "current_new", "new_current", "new_new"],
      );
    });
  });

  test("shows what the server refuses beside the field", async () => {
    await onForm(
      async (page, { admin }) => {
        await admin.request("POST /experiments/", { body: { key: "taken", name: "Taken" } });
        await page.getByLabel("What do you want to test?").fill("short");
        await page.getByRole("button", { name: "Fill in from this sentence" }).click();
        await page.getByText("Describe in a sentence what you want to test").waitFor();
        await page.getByLabel("Name", { exact: true }).fill("Mine");
        await page.getByLabel("Key", { exact: true }).fill("taken");
        await page.getByLabel("Name of the metric").fill("Bought");
        await page.getByLabel("Event", { exact: true }).fill("purchase");
        await page.getByRole("button", { name: "Create draft" }).click();
        await expect.poll(() => about(page, "Key")).toContain("taken");
        expect(await page.getByLabel("Key", { exact: true }).evaluate((one) => one === document.activeElement)).toBe(
          true,
        );
        await page.getByLabel("Key", { exact: true }).fill("no spaces please");
        await page.getByRole("button", { name: "Create draft" }).click();
        await expect.poll(() => about(page, "Key")).toContain("A key is 1 to 255");
        await page.getByLabel("Key", { exact: true }).fill("mine");
        await page.getByLabel("Weight, in %").nth(0).fill("80");
        await page.getByRole("button", { name: "Create draft" }).click();
        await page.getByRole("region", { name: "Arms" }).getByRole("alert").waitFor();
        await checkPage(page);
        await page.getByLabel("Weight, in %").nth(1).fill("20");
        await page.getByRole("button", { name: "Create draft" }).click();
        await page.getByText("Draft", { exact: true }).waitFor();
      },
      { refusals: [409, 422] },
    );
  });

  test("keeps everything when the session ends, and goes on after a new sign-in", async () => {
    await onForm(
      async (page, server) => {
        await page.getByLabel("Template", { exact: true }).selectOption("Headline");
        await page.getByLabel("Key", { exact: true }).fill("headline");
        await endSession(page, "POST", "/experiments/");
        await page.getByRole("button", { name: "Create draft" }).click();
        const dialog = page.getByRole("dialog", { name: "Sign in again" });
        await dialog.waitFor();
        await page.unrouteAll();
        await signIn(page);
        await dialog.waitFor({ state: "detached" });
        await page.getByText("Draft", { exact: true }).waitFor();
        expect(await stored(server, "headline")).toMatchObject({ status: "DRAFT" });
      },
      { refusals: [401] },
    );
  });

  test("shows a viewer the form, and the role that it needs", async () => {
    await onForm(
      async (page) => {
        await page.getByText("Needs the role Developer").waitFor();
        expect(await page.getByRole("button", { name: "Create draft" }).isDisabled()).toBe(true);
      },
      { as: asViewer },
    );
  });

  testLooks("fits a phone and a desk", { path: "experiments/new" }, async (page) => {
    await page.getByLabel("What do you want to test?").fill(SENTENCE);
    await page.getByRole("button", { name: "Fill in from this sentence" }).click();
    await page.getByText("The form is filled in").waitFor();
    await page.getByLabel("You decide").selectOption("at planned looks, such as once a week");
    await page.getByLabel("Adjustment").selectOption("by several metrics and attributes (regression)");
    await size(page).getByText("Look 5:").waitFor();
    await checkLooks(page);
    await page.getByRole("button", { name: "Create draft" }).click();
    await page.getByText("Draft", { exact: true }).waitFor();
    await checkLooks(page);
    await page.getByRole("link", { name: "Edit design" }).first().click();
    await page.getByRole("button", { name: "Save" }).waitFor();
    await checkLooks(page);
  });
});
