import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const packages = new URL("../../", import.meta.url);

/** Returns the files of benchmarks of a package that `pnpm bench` would not run. */
function forgotten(name: string): string[] {
  const folder = new URL(`${name}/bench/`, packages);
  if (!existsSync(fileURLToPath(folder))) return [];
  const { scripts = {} } = JSON.parse(readFileSync(new URL(`${name}/package.json`, packages), "utf8")) as {
    scripts?: Record<string, string>;
  };
  const commands = Object.entries(scripts).filter(([script]) => script === "bench" || scripts.bench?.includes(script));
  const isRun = (file: string) =>
    commands.some(([, command]) =>
      file.endsWith(".bench.ts") ? command.includes("vitest bench") : command.includes(`bench/${file}`),
    );
  return readdirSync(folder).filter((file) => file.endsWith(".ts") && !isRun(file));
}

test.each(readdirSync(packages).filter((name) => existsSync(new URL(`${name}/package.json`, packages))))(
  "every benchmark of %s is run by pnpm bench",
  (name) => {
    expect(forgotten(name)).toEqual([]);
  },
);

test("no test of a package takes the time: what is fast enough is for benchmarks, and delays are for fake timers", () => {
  const stopwatch = /performance\.now|process\.hrtime/;
  const files = readdirSync(packages).flatMap((name) => {
    const folder = new URL(`${name}/src/`, packages);
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.filter((file) => file.endsWith(".test.ts")).map((file) => new URL(file, folder));
  });
  expect(files.length).toBeGreaterThan(100);
  const timed = files.filter((file) => stopwatch.test(readFileSync(file, "utf8")));
  expect(timed.map(({ pathname }) => pathname)).toEqual([]);
});
