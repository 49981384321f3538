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

const banner = {
  key: "banner",
  name: "Banner",
  status: "ACTIVE",
  value_type: "OBJECT",
  default_value: { color: "grey" },
  variants: [
    { key: "blue", weight: 50, value: { color: "blue" } },
    { key: "red", weight: 50, value: { color: "red" } },
  ],
  targeting_rules: { countries: ["DE"], time_rules: { timezone: "Europe/Berlin" } },
} as const;

describeConsole("the settings of a flag in the console", ({ onPage, testLooks }) => {
  const prepare = ({ admin }: TestConsole) => admin.request("POST /feature-flags/", { body: banner as never });
  const onTab = (tab: string, run: Run, refusals?: number[], as?: AsUser) =>
    onPage({ path: `flags/banner?tab=${tab}`, prepare, refusals, as }, async (page, server) => {
      await page.getByRole("heading", { level: 1, name: "Banner" }).waitFor();
      await run(page, server);
    });
  const read = ({ admin }: TestConsole) => admin.request("GET /feature-flags/{id}", { params: { id: "banner" } });

  test("are the name, the tags and the expiry date, which are reviewed before they are saved", async () => {
    await onTab(
      "settings",
      async (page, server) => {
        const form = page.getByRole("form", { name: "Name and tags" });
        await form.getByLabel("Name", { exact: true }).fill(" ");
        await form.getByRole("button", { name: "Review change" }).click();
        await confirm(page, "Save");
        expect(await faultOf(page, "Name")).toContain("Must not be empty");
        await form.getByLabel("Name", { exact: true }).fill("Banner of the shop");
        await form.getByLabel("Tags").fill("growth, shop");
        await form.getByLabel("Remove it after").fill("2030-02-01");
        await form.getByRole("button", { name: "Review change" }).click();
        const row = page.getByRole("dialog").getByRole("row", { name: "Tags" });
        expect(await row.textContent()).toMatch(/None\s*growth, shop/);
        await confirm(page, "Save");
        await page.getByRole("heading", { level: 1, name: "Banner of the shop" }).waitFor();
        expect(await read(server)).toMatchObject({
          name: "Banner of the shop",
          tags: ["growth", "shop"],
          expires_at: "2030-02-01T00:00:00.000Z",
        });
      },
      [422],
    );
  });

  test("are prerequisites, with what the server refuses beside the field", async () => {
    await onTab(
      "settings",
      async (page, server) => {
        await server.admin.request("POST /feature-flags/", { body: { key: "shop", name: "Shop", status: "ACTIVE" } });
        const form = page.getByRole("form", { name: "Prerequisites" });
        await form.getByRole("button", { name: "Add prerequisite" }).click();
        await form.getByLabel("Key of the flag").fill("nothing");
        await form.getByRole("button", { name: "Review change" }).click();
        await confirm(page, "Save");
        expect(await faultOf(page, "Key of the flag")).toContain("nothing");
        await form.getByLabel("Key of the flag").fill("shop");
        await form.getByLabel("Must serve").selectOption("a value");
        await form.getByLabel("Value as JSON").fill("{");
        await form.getByRole("button", { name: "Review change" }).click();
        expect(await faultOf(page, "Value as JSON")).toBe("This is not valid JSON.");
        await form.getByLabel("Value as JSON").fill("true");
        await form.getByRole("button", { name: "Review change" }).click();
        await confirm(page, "Save");
        await page.getByText("Applies only where shop is on.").waitFor();
        expect((await read(server)).prerequisites).toEqual([{ flag_key: "shop", value: true }]);
      },
      [422],
    );
  });

  test("are variants: added, removed and renamed, with JSON that is checked", async () => {
    await onTab(
      "variants",
      async (page, server) => {
        await page.getByRole("button", { name: "Edit variants" }).click();
        const second = page.getByRole("group", { name: "Variant 2" });
        await second.getByLabel("Variant", { exact: true }).fill("green");
        await second.getByLabel("Value").fill('{"color": green}');
        await page.getByRole("button", { name: "Add variant" }).click();
        const third = page.getByRole("group", { name: "Variant 3" });
        await third.getByLabel("Variant", { exact: true }).fill("no key!");
        await third.getByLabel("Value").fill("{}");
        await third.getByLabel("Weight, in %").fill("20");
        await page.getByRole("button", { name: "Review change" }).click();
        await page.getByText("The weights add up to 120 %.").waitFor();
        await refused(second.getByLabel("Value"));
        await second.getByLabel("Value").fill('{"color": "green"}');
        await second.getByLabel("Weight, in %").fill("30");
        await page.getByRole("button", { name: "Review change" }).click();
        await confirm(page, "Save");
        await refused(third.getByLabel("Variant", { exact: true }));
        await third.getByLabel("Variant", { exact: true }).fill("none");
        await page.getByRole("button", { name: "Review change" }).click();
        await confirm(page, "Save");
        await page.getByRole("row", { name: /none/ }).waitFor();
        expect((await read(server)).variants).toEqual([
          { key: "blue", weight: 50, value: { color: "blue" } },
          { key: "green", weight: 30, value: { color: "green" } },
          { key: "none", weight: 20, value: {} },
        ]);
        await page.getByRole("button", { name: "Edit variants" }).click();
        await page.getByRole("button", { name: "Remove variant 3" }).click();
        await page.getByRole("group", { name: "Variant 2" }).getByLabel("Weight, in %").fill("50");
        await page.getByRole("button", { name: "Review change" }).click();
        await confirm(page, "Save");
        await page.getByRole("row", { name: /none/ }).waitFor({ state: "detached" });
        expect((await read(server)).variants.map(({ key }) => key)).toEqual(["blue", "green"]);
      },
      [422],
    );
  });

  test("are targeting blocks, which keep what the form does not show", async () => {
    await onTab("rules", async (page, server) => {
      await page.getByRole("button", { name: "Edit targeting" }).click();
      await page.getByLabel("Countries").fill("DE, FR");
      await page.getByLabel("Attributes").fill("plan = pro, 5\nnonsense");
      await page.getByLabel("Excluded users").fill("ada\nbob");
      await page.getByRole("button", { name: "Review change" }).click();
      expect(await faultOf(page, "Attributes")).toContain('"nonsense" is not an attribute');
      await page.getByLabel("Attributes").fill("plan = pro, 5");
      await page.reload();
      await signIn(page);
      await page.getByRole("button", { name: "Review change" }).click();
      await confirm(page, "Save");
      await page.getByRole("listitem").filter({ hasText: "country DE or FR" }).waitFor();
      expect((await read(server)).targeting_rules).toEqual({
        countries: ["DE", "FR"],
        user_attributes: { plan: ["pro", 5] },
        excluded_users: ["ada", "bob"],
        time_rules: { timezone: "Europe/Berlin" },
      });
    });
  });

  test("end with an archive, or with a deletion after a question", async () => {
    await onTab("settings", async (page, server) => {
      await page.getByRole("button", { name: "Archive flag" }).click();
      await confirm(page, "Archive flag");
      expect((await read(server)).status).toBe("ARCHIVED");
      await page.getByRole("button", { name: "Take it back" }).click();
      await confirm(page, "Take it back");
      expect((await read(server)).status).toBe("INACTIVE");
      await page.getByRole("button", { name: "Delete flag" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect((await read(server)).key).toBe("banner");
      await page.getByRole("button", { name: "Delete flag" }).click();
      await confirm(page, "Delete flag");
      await page.getByText("There are no flags yet.").waitFor();
    });
  });

  test("show a viewer every control, and the role that it needs", async () => {
    await onTab(
      "settings",
      async (page) => {
        const settings = page.getByRole("region", { name: "Settings" });
        await settings.getByText("Needs the role Developer").first().waitFor();
        for (const name of ["Archive flag", "Delete flag"]) {
          expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
        }
        await settings.getByLabel("Tags", { exact: true }).fill("mine");
        expect(await settings.getByRole("button", { name: "Review change" }).first().isDisabled()).toBe(true);
        await page.getByRole("link", { name: "Variants" }).click();
        expect(await page.getByRole("button", { name: "Edit variants" }).isDisabled()).toBe(true);
      },
      [],
      asViewer,
    );
  });

  testLooks("fit a phone and a desk", { path: "flags/banner?tab=settings", prepare }, async (page) => {
    await page.getByRole("button", { name: "Add prerequisite" }).click();
    await checkLooks(page);
    await page.getByRole("link", { name: "Variants" }).click();
    await page.getByRole("button", { name: "Edit variants" }).click();
    await page.getByRole("group", { name: "Variant 2" }).waitFor();
    await checkLooks(page);
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByRole("button", { name: "Edit targeting" }).click();
    await page.getByLabel("Countries").waitFor();
    await checkLooks(page);
  });
});
