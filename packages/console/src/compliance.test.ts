import { createHmac } from "node:crypto";
import { createClient } from "@assay/client";
import { expect, test } from "vitest";
import { checkLooks, checkPage } from "./checks.fixture.ts";
import type { TestConsole } from "./console.fixture.ts";
import { confirm, describeConsole, faultOf, type Run, savedFiles, type Visit } from "./describe-console.fixture.ts";

const KEY = "a key of at least thirty-two characters";

describeConsole("compliance in the console", ({ onPage, testLooks }) => {
  /** A person with two events, who is listed in a segment. */
  async function prepare({ admin, url }: TestConsole) {
    const { key } = await admin.request("POST /api-keys", { body: { name: "shop", scopes: ["read", "write"] } });
    const shop = createClient({ baseUrl: url, apiKey: key });
    for (const value of [1, 2]) {
      await shop.request("POST /tracking/track", { body: { event_type: "purchase", user_id: "ada", value } });
    }
    await admin.request("POST /segments", { body: { name: "testers", user_ids: ["ada", "bob"] } });
  }
  const onCompliance = (run: Run, more: Partial<Visit> = {}) =>
    onPage({ path: "compliance", prepare, options: { audit: { key: KEY } }, ...more }, run);
  const sign = (content: Buffer) => `sha256=${createHmac("sha256", KEY).update(content).digest("hex")}`;

  test("exports the data of a person, and erases it after the id was typed again", async () => {
    await onCompliance(async (page, { admin }) => {
      const card = page.getByRole("region", { name: "The data of a person" });
      await card.getByLabel("User id").fill("ada");
      const exportData = () => card.getByRole("button", { name: "Export data" }).click();
      const [file] = await savedFiles(page, 1, exportData);
      expect(file!.name).toBe("person-ada.json");
      expect(JSON.parse(file!.content.toString())).toMatchObject({
        user_id: "ada",
        events: [
          { event_type: "purchase", value: 1 },
          { event_type: "purchase", value: 2 },
        ],
      });
      await page.getByText("Saved 2 events and 0 assignments.").waitFor();

      await card.getByRole("button", { name: "Erase data" }).click();
      const dialog = page.getByRole("dialog", { name: "Erase the data of ada?" });
      const erase = dialog.getByRole("button", { name: "Erase data" });
      expect(await erase.isDisabled()).toBe(true);
      await dialog.getByLabel("Type the user id again").fill("bob");
      expect(await erase.isDisabled()).toBe(true);
      await dialog.getByLabel("Type the user id again").fill("ada");
      await confirm(page, "Erase data");
      await page.getByText("Erased of ada: 2 events and 0 assignments.").waitFor();
      await page.getByText("Removed from testers").waitFor();
      await checkPage(page);
      const { events } = await admin.request("GET /tracking/users/{user_id}", {
        params: { user_id: "ada" },
        query: {},
      });
      expect(events).toEqual([]);
      await savedFiles(page, 1, exportData);
      await page.getByText("Assay has no events and no assignments of this person.").waitFor();
    });
  });

  test("shows beside the field which id the server refuses", async () => {
    await onCompliance(
      async (page) => {
        await page.getByLabel("User id").fill("x".repeat(1025));
        await page.getByRole("button", { name: "Export data" }).click();
        expect(await faultOf(page, "User id")).toContain("1024");
        await checkPage(page);
      },
      { refusals: [422] },
    );
  });

  test.each(["JSON", "CSV"])("saves the sealed trail as %s, with the signature of the file", async (format) => {
    await onCompliance(async (page) => {
      await page.getByLabel("Format").selectOption(format);
      const [file] = await savedFiles(page, 1, () => page.getByRole("button", { name: "Save the trail" }).click());
      expect(file!.name).toBe(`audit-trail-1.${format.toLowerCase()}`);
      expect(file!.content.toString()).toContain("segment.create");
      await page.getByText(sign(file!.content)).waitFor();
    });
  });

  test("creates a report with the evidence of each control, and saves it", async () => {
    await onCompliance(async (page, { admin }) => {
      const report = await admin.request("GET /compliance/reports/soc2");
      const card = page.getByRole("region", { name: "SOC 2" });
      await card.getByRole("button", { name: "Create the SOC 2 report" }).click();
      await card.getByText("The trail is unchanged").waitFor();
      for (const { id, evidence_count, status } of report.controls) {
        const text = await card.getByRole("row", { name: id }).textContent();
        expect(text).toContain(`${evidence_count}${status === "EVIDENCED" ? "Found" : "None"}`);
      }
      const [file] = await savedFiles(page, 1, () =>
        card.getByRole("button", { name: "Save the SOC 2 report" }).click(),
      );
      expect(JSON.parse(file!.content.toString())).toMatchObject({ framework: "SOC2", integrity: { valid: true } });
      await card.getByText(sign(file!.content)).waitFor();
      await checkPage(page);
    });
  });

  test("tells a developer which role a control needs", async () => {
    await onCompliance(
      async (page) => {
        await page.getByLabel("User id").fill("ada");
        expect(await page.getByText("Needs the role Admin").count()).toBe(5);
        for (const name of ["Export data", "Erase data", "Save the trail", "Create the SOC 2 report"]) {
          expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
        }
      },
      { as: (server) => server.addUser("dora", "DEVELOPER") },
    );
  });

  testLooks("fits a phone and a desk", { path: "compliance", prepare }, async (page) => {
    await page.getByRole("button", { name: "Create the ISO 27001 report" }).click();
    await page.getByText("The trail is unchanged").waitFor();
    await checkLooks(page);
    await page.getByLabel("User id").fill("ada");
    await page.getByRole("button", { name: "Erase data" }).click();
    await checkLooks(page);
  });
});
