import { keyOf, type Store, StoreRefused } from "@assay/store";
import type { Runtime } from "../ground/runtime.ts";
import { parseBytes, toBytes } from "./json.ts";

/**
 * The format of the records that this version writes. Increment it, and add a migration, with each change that an
 * earlier version would misread: a new value of an existing field, a field with another meaning, other keys. A new
 * optional field needs neither.
 */
export const FORMAT = 3;

/**
 * Rewrites the records of one format into the next. A repeat after a crash may find records that are already rewritten.
 */
export type Migration = (store: Store) => Promise<void>;

/**
 * The migration at index n converts format n to n + 1. Stores of format 0 have the same records as those of format 1, but
 * no number. Format 2 writes the events of a request in columns, and format 3 the numbers of these columns as bytes; both
 * read the records of earlier formats as they are.
 */
export const MIGRATIONS: readonly Migration[] = [async () => {}, async () => {}, async () => {}];

interface FormatRecord {
  format: number;
}

const KEY = keyOf("format");
const LEASE = keyOf("format", "migration");
const LEASE_MS = 60_000;
const WAIT_MS = 200;

/** Returns the format of a store, and the version of its record: 0 for a store without a number. */
async function readFormat(store: Store): Promise<{ format: number; version: number }> {
  const entry = await store.get(KEY);
  return entry ? { ...parseBytes<FormatRecord>(entry.value), version: entry.version } : { format: 0, version: 0 };
}

/** @throws StoreRefused if a later version of Assay wrote the store */
export async function requireFormat(store: Store, newest = FORMAT): Promise<void> {
  const { format } = await readFormat(store);
  if (format <= newest) return;
  throw new StoreRefused(
    `A later version of Assay wrote this data: it has format ${format}, and this version reads formats up to ${newest}. ` +
      "Start the later version again, or restore a backup of this version into another directory",
  );
}

/**
 * Brings a store to the newest format before anything reads it. One node migrates, others wait for it.
 * @throws StoreRefused if a later version of Assay wrote the store
 */
export async function openFormat(store: Store, runtime: Runtime, migrations = MIGRATIONS): Promise<void> {
  const holder = runtime.id();
  for (;;) {
    await requireFormat(store, migrations.length);
    const { format, version } = await readFormat(store);
    if (format === migrations.length) return;
    const lease = await store.lease(LEASE, holder, LEASE_MS);
    if (!lease) {
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      continue;
    }
    try {
      await migrations[format]!(store);
      const value = toBytes({ format: format + 1 } satisfies FormatRecord);
      await store.batch([
        { type: "fence", lease: LEASE, token: lease.token },
        { type: "put", key: KEY, value, ifVersion: version },
      ]);
    } finally {
      await store.release(LEASE, holder);
    }
  }
}
