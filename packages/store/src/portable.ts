import { createHash } from "node:crypto";

/**
 * What a store holds, in a form that all kinds of store share. Unlike the rows of a backup, it fits every kind that can load
 * it.
 */
export type PortableRow =
  | { type: "entry"; key: string; version: number; value: Uint8Array }
  /** The last position ever appended to a journal, and the last one trimmed. */
  | { type: "head"; journal: string; position: number; trimmed: number }
  | { type: "record"; journal: string; position: number; record: Uint8Array }
  /** The last token of a lease. A copy leaves out its holder. */
  | { type: "lease"; name: string; token: number }
  /** The newest and the oldest generation that a set remembers. */
  | { type: "window"; set: string; latest: number; floor: number }
  /** A claimed member, by `encodeMember`. */
  | { type: "member"; set: string; generation: number; member: Uint8Array };

/** The rows of a store by type, and a checksum that does not depend on their order. */
export interface PortableSummary {
  rows: Record<PortableRow["type"], number>;
  /** 16 hexadecimal digits. */
  checksum: string;
}

/** Counts rows, and adds up their checksums. */
export function createPortableCounter() {
  const rows = { entry: 0, head: 0, record: 0, lease: 0, window: 0, member: 0 };
  let sum = 0n;
  return {
    add(row: PortableRow): void {
      rows[row.type]++;
      sum = BigInt.asUintN(64, sum + checksumOf(row));
    },
    summary: (): PortableSummary => ({ rows: { ...rows }, checksum: sum.toString(16).padStart(16, "0") }),
  };
}

/** Returns 64 bits of the SHA-256 of a row. Kinds of store that delete trimmed records do not know where they were. */
function checksumOf(row: PortableRow): bigint {
  const hash = createHash("sha256");
  switch (row.type) {
    case "entry":
      hash.update(JSON.stringify([row.type, row.key, row.version])).update(row.value);
      break;
    case "head":
      hash.update(JSON.stringify([row.type, row.journal, row.position]));
      break;
    case "record":
      hash.update(JSON.stringify([row.type, row.journal, row.position])).update(row.record);
      break;
    case "lease":
      hash.update(JSON.stringify([row.type, row.name, row.token]));
      break;
    case "window":
      hash.update(JSON.stringify([row.type, row.set, row.latest, row.floor]));
      break;
    case "member":
      hash.update(JSON.stringify([row.type, row.set, row.generation])).update(row.member);
  }
  return hash.digest().readBigUInt64BE();
}

/** Returns the approximate size of a row in bytes. */
export function lengthOfPortable(row: PortableRow): number {
  if (row.type === "entry") return row.key.length + row.value.length;
  if (row.type === "record") return row.journal.length + row.record.length;
  return row.type === "member" ? row.set.length + row.member.length : 64;
}
