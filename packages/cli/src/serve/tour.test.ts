import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createAssay, silentLogger } from "@assay/server";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs-lite";
import { afterEach, describe, expect, test } from "vitest";
import { hasClickHouse, startClickHouse } from "../../../server/src/areas/warehouse/clickhouse.fixture.ts";
import { PASSWORD, serve, stopAll } from "../cli.fixture.ts";
import { DATABASES, LACKS_DATABASES, newPlace } from "../database.fixture.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const ended: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await stopAll();
  for (const end of ended.splice(0).reverse()) await end();
});

/** The tour of the README from the sign-in on: its commands, and what they print. */
function readTour(): { commands: string; output: string } {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const tour = readme.slice(readme.indexOf("Open a second terminal"), readme.indexOf("## In your code"));
  const blocks = [...tour.matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  const textOf = (isCommand: boolean) =>
    blocks.filter(([, language]) => (language === "sh") === isCommand).map(([, , text]) => text);
  return { commands: textOf(true).join(""), output: textOf(false).join("") };
}

/** Types the tour against a server, and returns what it prints. The reader puts in their own password and address. */
async function takeTour(url: string, commands: string): Promise<string> {
  const typed = commands.replace(/^API=.*$/m, `API=${url}/api/v1`).replace(/^PASSWORD=.*$/m, `PASSWORD=${PASSWORD}`);
  const { ASSAY_API_KEY: _, ...env } = process.env;
  const options = { cwd: ROOT, env: { ...env, ASSAY_URL: url, ASSAY_CONFIG: "/nonexistent/assay.json" } };
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", typed], options);
  return stdout;
}

/** The time differs from run to run. */
const timeless = (output: string) => output.replaceAll(/in [\d.]+ s$/gm, "in … s");

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "assay-tour-"));
  ended.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a server in this process on a storage of unstorage, as an application does that embeds it. */
async function embed(): Promise<string> {
  const storage = createStorage({ driver: fsDriver({ base: await newFolder() }) });
  const admin = { username: "admin", password: PASSWORD };
  const assay = createAssay({ storage, admin, logger: silentLogger, rateLimit: false });
  await assay.ready;
  const server = createServer(assay.node);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ended.push(() => assay.close());
  ended.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const served = async (storage: string, environment: Record<string, string> = {}) =>
  (await serve(["--storage", storage], environment)).url;

const BACKENDS: [string, () => Promise<string>][] = [
  ["memory", () => served("memory")],
  ["LMDB", async () => served(`lmdb:${await newFolder()}`)],
  ["files through unstorage, embedded", embed],
  ...DATABASES.map(({ kind, storage, clear }): [string, () => Promise<string>] => [
    kind,
    async () => {
      const place = newPlace("tour");
      ended.push(() => clear([place]));
      return served(storage(place));
    },
  ]),
];

test.runIf(LACKS_DATABASES)("the databases of the tour are there", () => expect(DATABASES).toHaveLength(2));

test.each(BACKENDS)("the tour of the README works as written on %s", async (_, begin) => {
  const { commands, output } = readTour();
  expect(timeless(await takeTour(await begin(), commands))).toBe(timeless(output));
});

describe.runIf(hasClickHouse)("with events in ClickHouse", () => {
  test("the tour of the README works as written", async () => {
    const clickhouse = await startClickHouse();
    ended.push(() => clickhouse.stop());
    const events = `clickhouse://reader:hunter2@127.0.0.1:${clickhouse.connection.port}/default`;
    const { commands, output } = readTour();
    const url = await served("memory", { ASSAY_EVENTS: events });
    expect(timeless(await takeTour(url, commands))).toBe(timeless(output));
  });
});
