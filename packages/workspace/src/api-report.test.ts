import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toApiReports } from "./api-report.ts";

const SCALE = `import { Limits } from "./limits.ts";
/** Not shown. */
export interface Scale extends Limits { factor: number }
export const scale = ({ factor }: Scale, value: number) => value * factor;
`;
const LIMITS = "export interface Limits { most?: number }\n";
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "assay-api-report-"));
  await write("scales/package.json", manifestOf("scales", { ".": "index", "./limits": "limits" }));
  await write("scales/src/index.ts", 'export { scale, type Scale } from "./scale.ts";\n');
  await write("scales/src/scale.ts", SCALE);
  await write("scales/src/limits.ts", LIMITS);
  await write("tools/package.json", JSON.stringify({ name: "@assay/tools", private: true }));
});

afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  const file = join(root, "packages", path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

function manifestOf(name: string, entries: Record<string, string>): string {
  const exported = Object.entries(entries).map(([path, file]) => [path, { "@assay/source": `./src/${file}.ts` }]);
  return JSON.stringify({
    name: `@assay/${name}`,
    exports: { ...Object.fromEntries(exported), "./x.json": "./x.json" },
  });
}

const reportOf = (name: string) => toApiReports(root).get(`packages/${name}/api.md`)!;

test("a report shows each entry point of each published package, by name and without comments", () => {
  expect([...toApiReports(root).keys()]).toEqual(["packages/scales/api.md"]);
  expect(reportOf("scales")).toBe(`# API of @assay/scales

Written by \`pnpm generate\` from what the package exports; do not edit.

## \`@assay/scales\`

\`\`\`ts
interface Scale extends Limits {
    factor: number;
}
const scale: ({ factor }: Scale, value: number) => number;
\`\`\`

## \`@assay/scales/limits\`

\`\`\`ts
interface Limits {
    most?: number;
}
\`\`\`
`);
});

test("a changed signature, an added export and a removed one change the report", async () => {
  const before = reportOf("scales");
  await write("scales/src/scale.ts", SCALE.replace("value * factor", "String(value * factor)"));
  expect(reportOf("scales")).toBe(before.replace(") => number;", ") => string;"));
  await write("scales/src/scale.ts", SCALE);
  await write("scales/src/limits.ts", `${LIMITS}export class Exceeded extends Error {}\n`);
  expect(reportOf("scales")).toBe(before.replace("interface Limits", "class Exceeded extends Error {\n}\n$&"));
  await write("scales/src/limits.ts", LIMITS);
  await write("scales/src/index.ts", 'export { scale } from "./scale.ts";\n');
  expect(reportOf("scales")).not.toContain("## `@assay/scales`\n\n```ts\ninterface Scale");
});

test("the values of an inferred type have an order that other files do not change", async () => {
  const values = `const enumOf = <T extends string>(...values: T[]) =>
    Object.fromEntries(values.map((value) => [value, value])) as { [Value in T]: Value };
export const levels = enumOf("warn", "info");
export const pick = (level: keyof typeof levels) => (level === "info" ? "low" as const : "high" as const);
`;
  await write("scales/src/scale.ts", SCALE + values);
  await write("scales/src/index.ts", 'export { levels, pick } from "./scale.ts";\n');
  const before = reportOf("scales");
  expect(before).toContain('const levels: {\n    info: "info";\n    warn: "warn";\n};\n');
  expect(before).toContain('=> "high" | "low";');
  await write("scales/src/limits.ts", `export const other: "info" | "low" = "info";\n${LIMITS}`);
  expect(reportOf("scales").split("## `@assay/scales/limits`")[0]).toBe(before.split("## `@assay/scales/limits`")[0]);
});

test("a report shows a type that is not exported if an exported one mentions it", async () => {
  await write("scales/package.json", manifestOf("scales", { ".": "index" }));
  const report = reportOf("scales");
  expect(report).toContain(
    "## Mentioned above, but not exported\n\n```ts\ninterface Limits {\n    most?: number;\n}\n```\n",
  );
  await write("scales/src/limits.ts", LIMITS.replace("number", "string"));
  expect(reportOf("scales")).toBe(report.replace("most?: number", "most?: string"));
});

test("what another package or entry point declares is shown as a re-export of it", async () => {
  await write("meters/package.json", manifestOf("meters", { ".": "index", "./default": "default" }));
  await write(
    "meters/src/index.ts",
    'export { scale as measure } from "@assay/scales";\nexport { default as meter } from "./default.ts";\n',
  );
  await write("meters/src/default.ts", "export default function meter(): void {}\n");
  await mkdir(join(root, "packages/meters/node_modules/@assay"), { recursive: true });
  await symlink(join(root, "packages/scales"), join(root, "packages/meters/node_modules/@assay/scales"));
  expect(reportOf("meters")).toContain(
    '```ts\nexport { scale as measure } from "@assay/scales";\ndefault function meter(): void;\n```\n',
  );
  expect(reportOf("meters")).toContain('```ts\nexport { meter as default } from "@assay/meters";\n```\n');
});

test("a change in the part of a long type that is not shown changes its digest", async () => {
  const members = Array.from({ length: 40 }, (_, index) => `member${index}: ${index}`);
  await write("scales/src/limits.ts", `${LIMITS}export const limits = { ${members.join(", ")} } as const;\n`);
  const [, shown, digest] = /(const limits[^…]*…)\n(\/\/ .*)/.exec(reportOf("scales"))!;
  await write("scales/src/limits.ts", `${LIMITS}export const limits = { ${members.join(", ")}0 } as const;\n`);
  const [, shownNow, digestNow] = /(const limits[^…]*…)\n(\/\/ .*)/.exec(reportOf("scales"))!;
  expect(shownNow).toBe(shown);
  expect(digestNow).not.toBe(digest);
});
