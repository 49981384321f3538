import { randomUUID } from "node:crypto";
import { type StoreRow, StoreUnavailable, toBuffer } from "@assay/store";
import type { Connection } from "./connection.ts";

/** The number of entries or records to read at once. */
const STEP_LENGTH = 500;
/** How long writes wait for a backup that is gone, in milliseconds. */
const PAUSE_MS = 10_000;

/** The hashes of a few fields that a backup copies as they are. */
const HASHES = ["heads", "trims", "leases", "sets"];

/**
 * Yields every row. Redis has no snapshots, so that writes wait meanwhile.
 * @throws {StoreUnavailable} if another backup runs, or if the reader took so long that writes went on
 */
export async function* readRows(connection: Connection): AsyncGenerator<StoreRow> {
  const id = randomUUID();
  if (!(await connection.run<number>("pause", id, PAUSE_MS, "begin"))) {
    throw new StoreUnavailable("Another backup of this Redis store runs");
  }
  try {
    for await (const row of rowsOf(connection, () => goOn(connection, id))) yield row;
  } finally {
    await connection.run("resume", id).catch(() => {});
  }
}

/** Keeps writes waiting for the next step. */
async function goOn(connection: Connection, id: string): Promise<void> {
  if (await connection.run<number>("pause", id, PAUSE_MS, "continue")) return;
  throw new StoreUnavailable("The backup took too long between two steps, and writes went on; start it again");
}

async function* rowsOf(connection: Connection, goOn: () => Promise<void>): AsyncGenerator<StoreRow> {
  for (const hash of HASHES) yield* hashRows(connection, hash);
  yield* entryRows(connection, goOn);
  for (const [journal] of await fieldsOf(connection, "heads")) yield* recordRows(connection, journal, goOn);
  for (const [set, state] of await fieldsOf(connection, "sets")) {
    const generations = state.toString().split(" ").slice(2).map(Number);
    for (const generation of generations.sort((a, b) => a - b)) {
      yield* memberRows(connection, `${set}:${generation}`, goOn);
    }
  }
  await goOn();
}

/** Returns the fields of a hash, in their order. */
async function fieldsOf({ command, key }: Connection, hash: string): Promise<[string, Buffer][]> {
  const found = await command<Buffer[]>("HGETALL", `${key}:${hash}`);
  const fields = Array.from({ length: found.length / 2 }, (_, index): [string, Buffer] => [
    String(found[2 * index]),
    found[2 * index + 1]!,
  ]);
  return fields.sort(([a], [b]) => (a < b ? -1 : 1));
}

async function* hashRows(connection: Connection, table: string): AsyncGenerator<StoreRow> {
  for (const [name, value] of await fieldsOf(connection, table)) yield { table, key: Buffer.from(name), value };
}

async function* entryRows(connection: Connection, goOn: () => Promise<void>): AsyncGenerator<StoreRow> {
  let after = "";
  for (;;) {
    await goOn();
    const found = await connection.run<Buffer[]>("list", "", after, STEP_LENGTH);
    for (let at = 0; at < found.length; at += 3) {
      const version = Buffer.alloc(8);
      version.writeBigUInt64BE(BigInt(String(found[at + 1])));
      yield { table: "entries", key: found[at]!, value: Buffer.concat([version, found[at + 2]!]) };
      after = String(found[at]);
    }
    if (found.length < 3 * STEP_LENGTH) return;
  }
}

async function* recordRows(
  connection: Connection,
  journal: string,
  goOn: () => Promise<void>,
): AsyncGenerator<StoreRow> {
  let after = 0;
  for (;;) {
    await goOn();
    const found = await connection.run<Buffer[]>("read", journal, after, STEP_LENGTH);
    for (let at = 0; at < found.length; at += 2) {
      after = Number(found[at]);
      yield { table: "records", key: Buffer.from(`${journal} ${after}`), value: found[at + 1]! };
    }
    if (found.length < 2 * STEP_LENGTH) return;
  }
}

/** The members of one generation, which are sorted in memory: a set of Redis has no order. */
async function* memberRows(connection: Connection, set: string, goOn: () => Promise<void>): AsyncGenerator<StoreRow> {
  const members = new Set<string>();
  let cursor = "0";
  do {
    await goOn();
    const [next, found] = await connection.command<[Buffer, Buffer[]]>(
      "SSCAN",
      `${connection.key}:members:${set}`,
      cursor,
      "COUNT",
      STEP_LENGTH,
    );
    for (const member of found) members.add(member.toString("latin1"));
    cursor = String(next);
  } while (cursor !== "0");
  let count = 0;
  for (const member of [...members].sort()) {
    if (count++ % STEP_LENGTH === 0) await goOn();
    yield { table: "members", key: Buffer.from(`${set} ${member}`, "latin1"), value: Buffer.alloc(0) };
  }
}

/** Writes rows that {@link readRows} returned into an empty store. */
export async function loadRows({ command, key }: Connection, rows: StoreRow[]): Promise<void> {
  // Rows of one key follow each other, so that they are written with one command.
  let [name, target, words]: [string, string, (string | Buffer)[]] = ["", "", []];
  const flush = async () => {
    if (words.length > 0) await command(name, target, ...words);
    words = [];
  };
  const add = async (command: string, place: string, ...more: (string | Buffer)[]) => {
    if (command !== name || place !== target) await flush();
    [name, target] = [command, place];
    words.push(...more);
  };
  const entries = rows.filter(({ table }) => table === "entries");
  for (const row of entries) await add("ZADD", `${key}:keys`, "0", toBuffer(row.key));
  for (const row of entries) {
    const version = toBuffer(row.value).readBigUInt64BE();
    await add("HSET", `${key}:versions`, toBuffer(row.key), String(version));
  }
  for (const row of entries) await add("HSET", `${key}:values`, toBuffer(row.key), toBuffer(row.value).subarray(8));
  for (const { table, key: at, value } of rows) {
    const text = toBuffer(at);
    const space = text.indexOf(" ");
    if (HASHES.includes(table)) await add("HSET", `${key}:${table}`, text, toBuffer(value));
    else if (table === "records") {
      const [journal, position] = [text.subarray(0, space).toString(), text.subarray(space + 1)];
      await add("HSET", `${key}:journal:${journal}`, position, toBuffer(value));
    } else if (table === "members") {
      await add("SADD", `${key}:members:${text.subarray(0, space).toString()}`, text.subarray(space + 1));
    }
  }
  await flush();
}
