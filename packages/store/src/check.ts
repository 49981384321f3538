import { verifyBackup } from "./backup.ts";
import { readBackupFile } from "./backup-file.ts";
import { listAll } from "./list-all.ts";
import { type QuarantinedRecord, type Store, StoreRefused } from "./store.ts";

/** The result of a check of a store. */
export interface StoreCheck {
  entries: number;
  /** The number of records of all journals. */
  records: number;
  /** Damage that is not repaired, found now or earlier: at most `MAX_QUARANTINED` records. */
  damaged: QuarantinedRecord[];
}

/** The result of a repair. */
export interface StoreRepair {
  /** The records that have their values from the backup again. */
  repaired: string[];
  /** The records that the backup does not have, or has damaged too. */
  left: QuarantinedRecord[];
}

const PAGE = 1_000;

/**
 * Reads every entry and every journal record of a store and compares their checksums. It sets damage aside, as the
 * server does when it reads it.
 */
export async function checkStore(store: Store): Promise<StoreCheck> {
  let entries = 0;
  for await (const _entry of listAll(store, "", PAGE)) entries++;
  let records = 0;
  for (const journal of (await store.journals?.()) ?? []) {
    for (let after = 0; ; ) {
      const page = await store.read(journal, after, PAGE);
      records += page.length;
      if (page.length < PAGE) break;
      after = page.at(-1)!.position;
    }
  }
  return { entries, records, damaged: store.quarantined() };
}

/**
 * Sets aside what is damaged in a store, and restores it from a backup, if there is one. Values that were written again after the damage stay as they
 * are.
 * @throws {StoreRefused} if the backup is of another kind of store
 * @throws {TypeError} if the file is damaged or no backup
 */
export async function repairStore(store: Store, path: string | null): Promise<StoreRepair> {
  if (path === null) return { repaired: [], left: (await checkStore(store)).damaged };
  const { header } = await verifyBackup(path);
  if (!store.describeRow || !store.load || header.store !== store.name) {
    throw new StoreRefused(`${path} is a backup of "${header.store}", which cannot repair "${store.name}"`);
  }
  const { damaged } = await checkStore(store);
  const names = new Set(damaged.map(({ key }) => key));
  const repaired: string[] = [];
  for await (const part of readBackupFile(path)) {
    if (!("table" in part)) continue;
    for (const { name, row } of store.describeRow(part)) {
      if (!row || !names.has(name)) continue;
      await store.load([row]);
      repaired.push(name);
    }
  }
  return { repaired, left: (await checkStore(store)).damaged };
}
