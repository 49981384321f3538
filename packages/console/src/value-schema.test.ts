import { expect, test } from "vitest";
import { checkLooks } from "./checks.fixture.ts";
import type { TestConsole } from "./console.fixture.ts";
import { type AsUser, asViewer, confirm, describeConsole, type Run } from "./describe-console.fixture.ts";

const schema = {
  type: "object",
  properties: {
    colour: { enum: ["blue", "red"], description: "The colour of the page" },
    size: { type: "integer", minimum: 1 },
    dark: { type: "boolean" },
    note: { type: ["string", "null"] },
    tags: { type: "array", items: { type: "string", minLength: 1 } },
    button: { $ref: "#/$defs/button" },
  },
  required: ["colour", "size"],
  additionalProperties: false,
  $defs: { button: { type: "object", properties: { label: { type: "string" } }, required: ["label"] } },
};

const banner = {
  key: "banner",
  name: "Banner",
  value_type: "OBJECT",
  default_value: { colour: "blue", size: 1 },
  variants: [
    { key: "first", weight: 50, value: { colour: "blue", size: 1, dark: true } },
    { key: "second", weight: 50, value: { colour: "red", size: 2, tags: ["a"] } },
  ],
  value_schema: schema,
} as const;

describeConsole("the schema of a flag's values in the console", ({ onPage, testLooks }) => {
  const prepare =
    (body: object = banner) =>
    ({ admin }: TestConsole) =>
      admin.request("POST /feature-flags/", { body: body as never });
  const onVariants = (run: Run, more: { body?: object; as?: AsUser; refusals?: number[] } = {}) =>
    onPage(
      { path: "flags/banner?tab=variants", prepare: prepare(more.body), as: more.as, refusals: more.refusals },
      async (page, server) => {
        await page.getByRole("heading", { level: 2, name: "Schema of the values" }).waitFor();
        await run(page, server);
      },
    );
  const read = ({ admin }: TestConsole) => admin.request("GET /feature-flags/{id}", { params: { id: "banner" } });

  test("makes fields of a value, which show the same as its JSON, with problems below them", async () => {
    await onVariants(async (page, server) => {
      await page.getByRole("button", { name: "Edit variants" }).click();
      const first = page.getByRole("group", { name: "Variant 1" });
      const json = first.getByLabel("Value as JSON");
      await first.getByText("The colour of the page").waitFor();
      await first.getByLabel("colour (required)").selectOption("red");
      await first.getByLabel("size (required)").fill("0");
      await first.getByText("Must be at least 1").waitFor();
      await first.getByText("1 part does not match the schema.").waitFor();
      await page.getByRole("button", { name: "Review change" }).click();
      await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
      await first.getByLabel("size (required)").fill("3");
      await first.getByLabel("dark", { exact: true }).selectOption("false");
      await first.getByRole("button", { name: "Add tags" }).click();
      await first.getByRole("button", { name: "Add item" }).click();
      await first.getByText("Must have at least 1 character").waitFor();
      await first.getByLabel("Item 1", { exact: true }).fill("sale");
      await first.getByRole("button", { name: "Add button" }).click();
      await first.getByRole("group", { name: "button" }).getByLabel("label (required)").fill("Buy");
      await first.getByRole("button", { name: "Add note" }).click();
      await first.getByLabel("Kind of note").selectOption("Null");
      expect(JSON.parse(await json.inputValue())).toEqual({
        colour: "red",
        size: 3,
        dark: false,
        tags: ["sale"],
        button: { label: "Buy" },
        note: null,
      });
      await json.fill('{"colour": "blue", ');
      await first.getByText("Correct the JSON to edit the fields.").waitFor();
      await json.fill('{"color": "blue", "size": 2}');
      await first.getByText("colour: Field required").waitFor();
      await first.getByText(/^Unknown property; known are "colour"/).waitFor();
      await page.reload();
      await first.getByRole("button", { name: "Remove color" }).click();
      await first.getByRole("button", { name: "Add colour (required)" }).click();
      await first.getByText(/part/).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Review change" }).click();
      await confirm(page, "Save");
      await page.getByRole("button", { name: "Edit variants" }).waitFor();
      expect((await read(server)).variants[0]!.value).toEqual({ colour: "blue", size: 2 });
    });
  });

  test("takes a value away that users need not have, and adds one by keyboard", async () => {
    await onVariants(
      async (page, server) => {
        await page.getByRole("button", { name: "Edit variants" }).press("Enter");
        await page.getByRole("button", { name: "Add a value" }).press("Enter");
        const group = page.getByRole("group", { name: "When off" });
        expect(await group.getByLabel("colour (required)").inputValue()).toBe("0");
        await page.getByRole("button", { name: "Review change" }).press("Enter");
        await confirm(page, "Save");
        await page.getByRole("button", { name: "Edit variants" }).press("Enter");
        expect((await read(server)).default_value).toEqual({ colour: "blue", size: 1 });
        await page.getByLabel("When off as JSON").fill("null");
        await page.getByRole("button", { name: "Review change" }).press("Enter");
        await confirm(page, "Save");
        await page.getByRole("button", { name: "Edit variants" }).waitFor();
        expect((await read(server)).default_value).toBeNull();
      },
      { body: { ...banner, default_value: null } },
    );
  });

  test("is inferred from the values, checked while it is typed, reviewed, and removed", async () => {
    await onVariants(
      async (page, server) => {
        await page.getByRole("button", { name: "Add a schema" }).click();
        const form = page.getByRole("form", { name: "Schema of the values" });
        await form.getByRole("button", { name: "Infer from the values" }).click();
        const typed = form.getByLabel("JSON Schema");
        const inferred = JSON.parse(await typed.inputValue());
        expect(inferred).toMatchObject({ required: ["colour", "size"], properties: { dark: { type: "boolean" } } });
        await typed.fill(JSON.stringify({ ...inferred, required: ["dark"] }));
        const problems = form.getByRole("list", { name: "Problems of the schema" });
        expect(await problems.getByRole("listitem").allTextContents()).toEqual([
          "second › dark: Field required",
          "When off › dark: Field required",
        ]);
        await form.getByRole("button", { name: "Review change" }).click();
        await form.getByText("Correct these problems first.").waitFor();
        await typed.fill('{"propertes": {}}');
        await form.getByText('propertes: Unknown keyword "propertes"').waitFor();
        await form.getByRole("button", { name: "Infer from the values" }).click();
        await form.getByRole("button", { name: "Review change" }).click();
        await page.getByRole("dialog").getByRole("row", { name: "Schema of the values" }).waitFor();
        await confirm(page, "Save");
        await page.getByRole("button", { name: "Edit schema" }).click();
        expect((await read(server)).value_schema).toEqual(inferred);
        await form.getByRole("button", { name: "Remove the schema" }).click();
        await form.getByRole("button", { name: "Review change" }).click();
        await confirm(page, "Save");
        await page.getByRole("button", { name: "Add a schema" }).waitFor();
        expect((await read(server)).value_schema).toBeNull();
      },
      { body: { ...banner, value_schema: null } },
    );
  });

  test("shows what the server refuses because someone else changed the schema meanwhile", async () => {
    await onVariants(
      async (page, { admin }) => {
        await page.getByRole("button", { name: "Edit variants" }).click();
        await page.getByLabel("When off as JSON").fill('{"colour": "red", "size": 5}');
        const tighter = { ...schema, properties: { ...schema.properties, size: { type: "integer", maximum: 4 } } };
        await admin.request("PUT /feature-flags/{id}", { params: { id: "banner" }, body: { value_schema: tighter } });
        await page.getByRole("button", { name: "Review change" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
        await page.getByRole("button", { name: "Save mine over theirs" }).click();
        await page.getByText("Must be at most 4").first().waitFor();
      },
      { refusals: [412, 422] },
    );
  });

  test("is read by all, and changed by a developer", async () => {
    await onVariants(
      async (page) => {
        await page.getByText('"The colour of the page"').waitFor();
        expect(await page.getByRole("button", { name: "Edit schema" }).isDisabled()).toBe(true);
      },
      { as: asViewer },
    );
  });

  testLooks("fits a phone and a desk", { path: "flags/banner?tab=variants", prepare: prepare() }, async (page) => {
    await page.getByRole("button", { name: "Edit schema" }).click();
    await page.getByRole("button", { name: "Edit variants" }).click();
    await page.getByRole("group", { name: "Variant 2" }).getByLabel("size (required)").fill("0.5");
    await page.getByText("Must be an integer").waitFor();
    await checkLooks(page);
  });
});
