import { type PortableRow, type StoreRow, toBuffer } from "@assay/store";
import type { Connection } from "./connection.ts";
import { loadRows } from "./rows.ts";

/** Converts the rows of Redis. Heads and trims come before records. */
export async function* toPortable(rows: AsyncIterable<StoreRow>): AsyncGenerator<PortableRow> {
  const heads = new Map<string, { position: number; trimmed: number }>();
  let areHeadsDone = false;
  for await (const { table, key, value } of rows) {
    const bytes = toBuffer(key);
    const name = bytes.toString();
    if (table === "heads") {
      heads.set(name, { position: Number(toBuffer(value).toString()), trimmed: 0 });
      continue;
    }
    if (table === "trims") {
      heads.set(name, { position: heads.get(name)?.position ?? 0, trimmed: Number(toBuffer(value).toString()) });
      continue;
    }
    if (!areHeadsDone) for (const [journal, head] of heads) yield { type: "head", journal, ...head };
    areHeadsDone = true;
    const space = bytes.indexOf(" ");
    const [of, rest] = [bytes.toString("utf8", 0, space), bytes.subarray(space + 1)];
    if (table === "leases") yield { type: "lease", name, token: Number(toBuffer(value).toString().split(" ")[0]) };
    else if (table === "sets") {
      const [latest, floor] = toBuffer(value).toString().split(" ").map(Number);
      yield { type: "window", set: name, latest: latest!, floor: floor! };
    } else if (table === "entries") {
      const version = Number(toBuffer(value).readBigUInt64BE());
      yield { type: "entry", key: name, version, value: toBuffer(value).subarray(8) };
    } else if (table === "records") {
      yield { type: "record", journal: of, position: Number(rest.toString()), record: value };
    } else if (table === "members") {
      const colon = of.lastIndexOf(":");
      yield { type: "member", set: of.slice(0, colon), generation: Number(of.slice(colon + 1)), member: rest };
    }
  }
  if (!areHeadsDone) for (const [journal, head] of heads) yield { type: "head", journal, ...head };
}

/** Writes rows of any kind of store. The generations of a set are part of its window, so that new ones are added to it. */
export async function loadPortable(connection: Connection, rows: readonly PortableRow[]): Promise<void> {
  const { command, key } = connection;
  const sets = new Map<string, { window: [number, number]; generations: Set<number> }>();
  const setOf = async (set: string) => {
    let found = sets.get(set);
    if (!found) {
      const stored = await command<Buffer | null>("HGET", `${key}:sets`, set);
      const [latest = 0, floor = 0, ...generations] = stored ? stored.toString().split(" ").map(Number) : [];
      found = { window: [latest, floor], generations: new Set(generations) };
      sets.set(set, found);
    }
    return found;
  };
  for (const row of rows) {
    if (row.type === "window") (await setOf(row.set)).window = [row.latest, row.floor];
    else if (row.type === "member") (await setOf(row.set)).generations.add(row.generation);
  }
  const windows = [...sets].map(
    ([
      set,
      {
        window: [latest, floor],
        generations,
      },
    ]) => {
      const live = [...generations].filter((generation) => generation >= floor).sort((a, b) => a - b);
      return { table: "sets", key: Buffer.from(set), value: Buffer.from([latest, floor, ...live].join(" ")) };
    },
  );
  await loadRows(connection, [...windows, ...rows.flatMap(fromPortable)]);
}

/** Converts a row to those of Redis. Windows are not among them. */
function fromPortable(row: PortableRow): StoreRow[] {
  switch (row.type) {
    case "entry": {
      const version = Buffer.alloc(8);
      version.writeBigUInt64BE(BigInt(row.version));
      return [{ table: "entries", key: Buffer.from(row.key), value: Buffer.concat([version, row.value]) }];
    }
    case "head": {
      const name = Buffer.from(row.journal);
      const heads = { table: "heads", key: name, value: Buffer.from(String(row.position)) };
      return row.trimmed > 0
        ? [heads, { table: "trims", key: name, value: Buffer.from(String(row.trimmed)) }]
        : [heads];
    }
    case "record":
      return [{ table: "records", key: Buffer.from(`${row.journal} ${row.position}`), value: row.record }];
    case "lease":
      return [{ table: "leases", key: Buffer.from(row.name), value: Buffer.from(`${row.token} 0 -`) }];
    case "window":
      return [];
    case "member": {
      const key = Buffer.concat([Buffer.from(`${row.set}:${row.generation} `), row.member]);
      return [{ table: "members", key, value: Buffer.alloc(0) }];
    }
  }
}
