import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run, type Serving, serve, stopAll } from "../cli.fixture.ts";

let server: Serving;
let directory: string;
let ASSAY_API_KEY: string;

beforeAll(async () => {
  server = await serve(["--storage", "memory"]);
  // Beside our own packages, so that the generated module finds the SDK as in an application.
  directory = await mkdtemp(fileURLToPath(new URL("../../node_modules/types-", import.meta.url)));
  const create = (key: string, body: object = {}) =>
    server.admin.request("POST /feature-flags/", { body: { key, name: key, status: "ACTIVE", ...body } });
  await create("new-checkout", { description: "The checkout */ of\nnext year" });
  await create("constructor");
  await create("greeting", { variants: [{ key: "only", value: "hello" }], default_value: "good\nday" });
  await create("limit", { variants: [{ key: "only", value: 3 }] });
  await create("theme", { variants: [{ key: "only", value: { dark: true } }] });
  ASSAY_API_KEY = (await server.admin.request("POST /api-keys", { body: { name: "types" } })).key!;
});
afterAll(async () => {
  await stopAll();
  await rm(directory, { recursive: true, force: true });
});

const types = (...words: string[]) => run(["types", "--url", server.url, ...words], { ASSAY_API_KEY });

/** Returns the errors of a strict compiler for a module that uses the generated ones, each with its line. */
async function complaintsAbout(name: string, code: string): Promise<string[]> {
  const file = join(directory, `${name}.tsx`);
  await writeFile(file, code);
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    jsx: ts.JsxEmit.ReactJSX,
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: source, start }) => {
    const line = source ? source.text.slice(0, start).split("\n").length : 0;
    const text = ts.flattenDiagnosticMessageText(messageText, " ");
    return `${basename(source?.fileName ?? "")}:${line}: ${text}`;
  });
}

/** The complaint that a method or hook, which may have overloads, does not take a key. */
const refused = (name: string, line: number, key: string, keys: string) =>
  expect.stringMatching(
    `^${name}\\.tsx:${line}: .*Argument of type '"${key}"' is not assignable to parameter of type '${keys}'`,
  );

test("writes a module with a typed accessor for every flag", async () => {
  const out = join(directory, "flags.ts");
  expect(await types("--out", out)).toEqual({ code: 0, output: `5 flags written to ${out}\n` });
  const code = `
    import { OpenFeature } from "@openfeature/server-sdk";
    import { flagValue } from "./flags.ts";
    const client = OpenFeature.getClient();
    export const checkout: boolean = await flagValue(client, "new-checkout", { targetingKey: "ada" });
    export const greeting: string = await flagValue(client, "greeting");
    export const limit: number = await flagValue(client, "limit");
    export const odd: boolean = await flagValue(client, "constructor");
    // @ts-expect-error there is no such flag
    await flagValue(client, "new-chekout");
    // @ts-expect-error a greeting is text
    export const wrong: boolean = await flagValue(client, "greeting");
  `;
  expect(await complaintsAbout("server", code)).toEqual([]);
  const { flags } = await import(out);
  expect(Object.keys(flags).sort()).toEqual(["constructor", "greeting", "limit", "new-checkout", "theme"]);
  expect([flags.greeting, flags.limit, flags.theme]).toEqual(["good\nday", 0, {}]);
});

test("the methods of the server SDK take only keys of flags, each with the type of the flag", async () => {
  await types("--out", join(directory, "augmented.ts"));
  const code = `import { OpenFeature } from "@openfeature/server-sdk";
import "./augmented.ts";
const client = OpenFeature.getClient();
export const checkout: boolean = await client.getBooleanValue("new-checkout", false);
export const greeting: string = await client.getStringValue("greeting", "hello", { targetingKey: "ada" });
export const limit = await client.getNumberDetails("limit", 3);
export const theme = await client.getObjectValue("theme", { dark: false });
await client.getBooleanValue("new-chekout", false);
await client.getBooleanValue("greeting", false);
await client.getStringDetails("limit", "3");
await client.getNumberValue("theme", 1);
`;
  expect(await complaintsAbout("calls", code)).toEqual([
    refused("calls", 8, "new-chekout", "BooleanFlagKey"),
    refused("calls", 9, "greeting", "BooleanFlagKey"),
    refused("calls", 10, "limit", '"greeting"'),
    refused("calls", 11, "theme", '"limit"'),
  ]);
});

test("so do the methods of the web SDK and the hooks for React", async () => {
  await types("--sdk", "web", "--out", join(directory, "web.ts"));
  const code = `import { useBooleanFlagValue, useFlag, useStringFlagDetails, useSuspenseFlag } from "@openfeature/react-sdk";
import { OpenFeature } from "@openfeature/web-sdk";
import { flagValue } from "./web.ts";
const client = OpenFeature.getClient();
export const checkout: boolean = flagValue(client, "new-checkout") && client.getBooleanValue("new-checkout", false);
export function Page() {
  const limit: number = useFlag("limit", 3).value;
  useSuspenseFlag("greeting", "hello");
  useBooleanFlagValue("new-checkout", false);
  client.getStringValue("greting", "hello");
  useBooleanFlagValue("new-chekout", false);
  useStringFlagDetails("limit", "3");
  useFlag("greeting", false);
  return <p>{limit}</p>;
}
`;
  expect(await complaintsAbout("page", code)).toEqual([
    refused("page", 10, "greting", '"greeting"'),
    refused("page", 11, "new-chekout", "BooleanFlagKey"),
    refused("page", 12, "limit", '"greeting"'),
    refused("page", 13, "greeting", "BooleanFlagKey"),
  ]);
});

test("without flags of a type, its methods take no key", async () => {
  const empty = await serve(["--storage", "memory"]);
  await empty.admin.request("POST /feature-flags/", { body: { key: "only", name: "Only" } });
  const { key } = await empty.admin.request("POST /api-keys", { body: { name: "types" } });
  const out = join(directory, "few.ts");
  await run(["types", "--url", empty.url, "--out", out], { ASSAY_API_KEY: key! });
  const code = `import { OpenFeature } from "@openfeature/server-sdk";
import { flagValue } from "./few.ts";
const client = OpenFeature.getClient();
export const only: boolean = await flagValue(client, "only");
await client.getStringValue("any", "");
`;
  expect(await complaintsAbout("few-calls", code)).toEqual([
    expect.stringMatching(
      /^few-calls\.tsx:5: .*Argument of type '(string|"any")' is not assignable to parameter of type 'never'/,
    ),
  ]);
});

test("a flag with a schema has the type that the schema describes", async () => {
  const typed = await serve(["--storage", "memory"]);
  const create = (key: string, value: unknown, value_schema: Record<string, unknown>, rest: object = {}) =>
    typed.admin.request("POST /feature-flags/", {
      body: {
        key,
        name: key,
        variants: [{ key: "only", value }],
        default_value: value,
        value_schema,
        ...rest,
      } as never,
    });
  const button = {
    type: "object",
    properties: { label: { type: "string" }, next: { $ref: "#/$defs/button" } },
    required: ["label"],
  };
  await create(
    "theme",
    { colour: "red", button: { label: "Buy" }, sizes: [1], pair: ["a", 1], more: { a: 1 } },
    {
      type: "object",
      properties: {
        colour: { enum: ["red", "blue"], description: "Of the page */" },
        button: { $ref: "#/$defs/button" },
        sizes: { type: "array", items: { type: ["integer", "null"] } },
        pair: { type: "array", prefixItems: [{ const: "a" }, { type: "number" }], items: false, minItems: 2 },
        more: { type: "object", additionalProperties: { type: "number" } },
        free: true,
        either: { anyOf: [{ type: "string" }, { type: "object", properties: { dark: { type: "boolean" } } }] },
      },
      required: ["colour", "button", "sizes", "pair", "more"],
      additionalProperties: false,
      $defs: { button },
    },
  );
  await create("no-default", { colour: "red" }, { type: "object", required: ["colour"] }, { default_value: null });
  await create("2-list", [1], { type: "array", items: { type: "number" } });
  const { key } = await typed.admin.request("POST /api-keys", { body: { name: "types" } });
  await run(["types", "--url", typed.url, "--out", join(directory, "typed.ts")], { ASSAY_API_KEY: key! });
  const code = `import { OpenFeature } from "@openfeature/server-sdk";
import { flagValue, type ThemeValue } from "./typed.ts";
const theme = await flagValue(OpenFeature.getClient(), "theme");
export const right: ThemeValue = { colour: "blue", button: { label: "", next: { label: "" } }, sizes: [1, null], pair: ["a", 2], more: { b: 2 } };
export const dark: boolean | undefined = typeof theme.either === "object" ? theme.either.dark : undefined;
export const list: number[] = await flagValue(OpenFeature.getClient(), "2-list");
export const partial = (await flagValue(OpenFeature.getClient(), "no-default")).colour === undefined;
theme.color;
export const green: ThemeValue["colour"] = "green";
export const sizes: number[] = theme.sizes;
export const label: number = theme.button.label;
export const third = theme.pair[2];
`;
  expect(await complaintsAbout("typed-use", code)).toEqual([
    expect.stringMatching(/^typed-use\.tsx:8: Property 'color' does not exist/),
    expect.stringMatching(/^typed-use\.tsx:9: Type '"green"' is not assignable/),
    expect.stringMatching(/^typed-use\.tsx:10: Type '\(number \| null\)\[\]' is not assignable/),
    expect.stringMatching(/^typed-use\.tsx:11: Type 'string' is not assignable/),
    expect.stringMatching(/^typed-use\.tsx:12: Tuple type .* has no element at index '2'/),
  ]);
  expect(await readFile(join(directory, "typed.ts"), "utf8")).toContain("/** Of the page *\\/ */");
});

test("an accessor calls the client method of the flag's type, with the server's default", async () => {
  const out = join(directory, "calls.ts");
  await types("--out", out);
  const { flagValue } = await import(out);
  const calls: unknown[] = [];
  const ask = (kind: string) => async (key: string, value: unknown, context: unknown) =>
    void calls.push([kind, key, value, context]);
  const kinds = ["Boolean", "String", "Number", "Object"];
  const client = Object.fromEntries(kinds.map((kind) => [`get${kind}Value`, ask(kind)]));
  const ada = { targetingKey: "ada" };
  for (const key of ["new-checkout", "greeting", "limit", "theme"]) await flagValue(client, key, ada);
  expect(calls).toEqual([
    ["Boolean", "new-checkout", false, ada],
    ["String", "greeting", "good\nday", ada],
    ["Number", "limit", 0, ada],
    ["Object", "theme", {}, ada],
  ]);
});

test("evaluates a key without a flag without a default, even if every object has a property of that name", async () => {
  const out = join(directory, "unknown.ts");
  await types("--out", out);
  const { flagValue } = await import(out);
  const getObjectValue = async (key: string, fallback: unknown) => [key, fallback];
  for (const key of ["toString", "__proto__"]) {
    expect(await flagValue({ getObjectValue }, key)).toEqual([key, undefined]);
  }
});

test("writes to standard output without --out, and web accessors are synchronous", async () => {
  const { code, output } = await types("--sdk", "web");
  expect(code).toBe(0);
  expect(output).toContain('from "@openfeature/web-sdk"');
  expect(output).toContain("flagValue<K extends FlagKey>(client: Client, key: K): Flags[K] {");
});

test("reports an error in one line", async () => {
  expect(await run(["types", "--url", server.url])).toMatchObject({
    code: 2,
    output: expect.stringContaining("--api-key"),
  });
  expect(await types("--sdk", "cobol")).toMatchObject({ code: 2 });
  const refused = await run(["types", "--url", server.url], { ASSAY_API_KEY: "asy_nope" });
  expect(refused.output).toBe(`assay: Cannot read the flags of ${server.url}: Invalid API key\n`);
  expect(refused.code).toBe(1);
  expect(await readFile(join(directory, "flags.ts"), "utf8")).toContain("new-checkout");
});
