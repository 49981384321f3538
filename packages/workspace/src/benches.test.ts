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
