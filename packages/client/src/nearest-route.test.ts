import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";

// A module that does not exist on disk, beside the client. Each test gives it a text and asks TypeScript about it.
const MODULE = fileURLToPath(new URL("./caller.ts", import.meta.url));
const HEAD =
  'import { createClient, type RequestArguments, type Route } from "./index.ts";\nconst client = createClient();\n';
const OPTIONS = '{ params: { key: "k" }, body: { user_id: "u" } }';

let text = HEAD;
let version = 0;
let service: ts.LanguageService;

beforeAll(() => {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    types: [],
  };
  service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [MODULE],
    getScriptVersion: (file) => (file === MODULE ? String(version) : "0"),
    getScriptSnapshot: (file) => {
      const source = file === MODULE ? text : ts.sys.readFile(file);
      return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source);
    },
    getCurrentDirectory: () => fileURLToPath(new URL("..", import.meta.url)),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  return () => service.dispose();
});

/** Returns what TypeScript says of some code after HEAD. */
function complaintsAbout(code: string): string[] {
  text = HEAD + code;
  version++;
  return service
    .getSemanticDiagnostics(MODULE)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

/** Returns what an editor offers at the `|` of some code. */
function offersAt(code: string): string[] {
  const at = HEAD.length + code.indexOf("|");
  text = HEAD + code.replace("|", "");
  version++;
  return service.getCompletionsAtPosition(MODULE, at, {})!.entries.map(({ name }) => name);
}

test.each([
  ["the name of an area", "GET /feature-flag/", '"GET /feature-flags/"'],
  ["letters that changed places", "POST /faeture-flags/{key}/evaluate", '"POST /feature-flags/{key}/evaluate"'],
  ["the end", "POST /feature-flags/{key}/evaluat", '"POST /feature-flags/{key}/evaluate"'],
  ["the slash at the end", "GET /feature-flags", '"GET /feature-flags/"'],
  ["a parameter", "GET /feature-flags/{key}", '"GET /feature-flags/{id}"'],
  ["the method", "PUT /feature-flags/{key}/evaluate", '"POST /feature-flags/{key}/evaluate"'],
  ["the case of the method", "get /auth/me", '"GET /auth/me"'],
  ["the method, which is missing", "/auth/token", '"POST /auth/token"'],
])("names the nearest route where a route is wrong in %s", (_, wrong, nearest) => {
  for (const call of [`request("${wrong}")`, `request("${wrong}", ${OPTIONS})`, `raw("${wrong}")`]) {
    expect(complaintsAbout(`client.${call};`)).toEqual([
      `Argument of type '"${wrong}"' is not assignable to parameter of type '${nearest}'.`,
    ]);
  }
});

test("a path with several methods names each of them", () => {
  const [complaint] = complaintsAbout('client.request("PUT /feature-flags/");');
  expect(complaint).toMatch(/parameter of type '"(GET|POST) \/feature-flags\/" \| "(GET|POST) \/feature-flags\/"'/);
});

test("a string that is not known is refused", () => {
  expect(complaintsAbout('client.request("GET /auth/me" as string);')).toHaveLength(1);
});

test("a right route has the messages of its own options only", () => {
  const evaluate = (options: string) =>
    complaintsAbout(`client.request("POST /feature-flags/{key}/evaluate"${options});`);
  expect(evaluate(`, ${OPTIONS}`)).toEqual([]);
  expect(evaluate("")).toEqual(["Expected 2 arguments, but got 1."]);
  expect(evaluate(', { params: { kee: "k" }, body: { user_id: "u" } }')).toEqual([
    "Object literal may only specify known properties, and 'kee' does not exist in type '{ key: string; }'.",
  ]);
  expect(evaluate(', { params: { key: "k" }, body: { user: "u" } }')).toEqual([
    expect.stringMatching(/^Object literal may only specify known properties, and 'user' does not exist in type/),
  ]);
});

test("functions of any route can call the client", () => {
  expect(
    complaintsAbout(`
      export const get = <R extends Route>(route: R, ...options: RequestArguments<R>) => client.request(route, ...options);
      export const one = (route: "GET /auth/me" | "GET /holdout") => client.request(route);
      export const any = (route: Route) => client.request(route, { retries: 0 });
    `),
  ).toEqual([]);
});

test("an editor offers routes, and the options of a route", () => {
  expect(offersAt('client.request("|");')).toEqual(expect.arrayContaining(["GET /auth/me", "POST /feature-flags/"]));
  expect(offersAt('client.raw("GET /fea|");')).toContain("GET /feature-flags/{id}");
  expect(offersAt('client.request("POST /feature-flags/{key}/evaluate", { params: { | } });')).toEqual(["key"]);
  expect(offersAt('client.request("POST /feature-flags/{key}/evaluate", { body: { | } });')).toContain("user_id");
});
