import type { PortableRow, StoreRow } from "@assay/store";

/** Converts the rows of PostgreSQL. Windows come before members. */
export async function* toPortable(rows: AsyncIterable<StoreRow>): AsyncGenerator<PortableRow> {
  const floors = new Map<string, number>();
  for await (const { table, key, value } of rows) {
    const [name, bytes] = [Buffer.from(key), Buffer.from(value)];
    if (table === "entries") {
      yield { type: "entry", key: name.toString(), version: integerAt(bytes, 0), value: bytes.subarray(8) };
    } else if (table === "journals") {
      yield { type: "head", journal: name.toString(), position: integerAt(bytes, 0), trimmed: integerAt(bytes, 8) };
    } else if (table === "records") {
      yield { type: "record", journal: name.toString("utf8", 8), position: integerAt(name, 0), record: bytes };
    } else if (table === "leases") {
      yield { type: "lease", name: name.toString(), token: integerAt(bytes, 0) };
    } else if (table === "claim_sets") {
      const row = {
        type: "window" as const,
        set: name.toString(),
        latest: integerAt(bytes, 0),
        floor: integerAt(bytes, 8),
      };
      floors.set(row.set, row.floor);
      yield row;
    } else if (table === "claims") {
      const end = name.indexOf("#", name.indexOf("#") + 1);
      const [set, generation] = name.toString("utf8", 0, end).split("#");
      // A copy moves the window of a set. The next claim drops the generations that it no longer remembers.
      if (Number(generation) < floors.get(set!)!) continue;
      yield { type: "member", set: set!, generation: Number(generation), member: name.subarray(end + 1) };
    }
  }
}

/** Converts a row to that of PostgreSQL. */
export function fromPortable(row: PortableRow): StoreRow {
  switch (row.type) {
    case "entry":
      return {
        table: "entries",
        key: Buffer.from(row.key),
        value: Buffer.concat([integers(row.version), row.value]),
      };
    case "head":
      return { table: "journals", key: Buffer.from(row.journal), value: integers(row.position, row.trimmed) };
    case "record":
      return {
        table: "records",
        key: Buffer.concat([integers(row.position), Buffer.from(row.journal)]),
        value: row.record,
      };
    case "lease":
      return { table: "leases", key: Buffer.from(row.name), value: integers(row.token, 0) };
    case "window":
      return { table: "claim_sets", key: Buffer.from(row.set), value: integers(row.latest, row.floor) };
    case "member": {
      const key = Buffer.concat([Buffer.from(`${row.set}#${row.generation}#`), row.member]);
      return { table: "claims", key, value: Buffer.alloc(0) };
    }
  }
}

function integerAt(bytes: Buffer, at: number): number {
  return Number(bytes.readBigInt64BE(at));
}

function integers(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeBigInt64BE(BigInt(number), 8 * index);
  return bytes;
}
