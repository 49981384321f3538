import {
  type BackupHeader,
  type BackupSummary,
  createRowCounter,
  encodeRow,
  readBackupFile,
  writeBackupFile,
} from "./backup-file.ts";
import { requireCopied } from "./copy.ts";
import { keyOf } from "./key.ts";
import { type Store, StoreRefused, type StoreRow } from "./store.ts";

/** The key of an entry that a store has while a backup is restored into it. */
const RESTORING = keyOf("restoring");
/** The approximate size, in bytes, of the batches in which rows are restored. */
const BATCH_LENGTH = 1 << 20;

/**
 * Writes everything in a store, as of one moment, to a file that only its owner can read, and reads the file again to
 * check it. The server may use the store meanwhile. The file contains password hashes, keys and the events of users.
 * @throws {TypeError} if the store keeps nothing, such as one in memory
 * @throws the reason of the signal if it is aborted while the file is written, which is then removed
 */
export async function writeBackup(
  store: Store,
  path: string,
  { now = Date.now(), signal }: { now?: number; signal?: AbortSignal } = {},
): Promise<BackupSummary> {
  if (!store.rows) throw new TypeError(`A store of the kind "${store.name}" keeps nothing that can be backed up`);
  const header: BackupHeader = { assay_backup: 1, store: store.name, created_at: new Date(now).toISOString() };
  await writeBackupFile(path, header, store.rows(), signal);
  return (await verifyBackup(path)).summary;
}

/**
 * Reads a whole backup file.
 * @throws {TypeError} if it is damaged or no backup
 */
export async function verifyBackup(path: string): Promise<{ header: BackupHeader; summary: BackupSummary }> {
  let header: BackupHeader | undefined;
  for await (const part of readBackupFile(path)) {
    if ("assay_backup" in part) header = part;
    else if ("sha256" in part) return { header: header!, summary: part };
  }
  throw new TypeError(`${path} is damaged or cut short`);
}

/**
 * Restores a backup into an empty store of the same kind, and compares the checksum of all rows. Until that is done,
 * {@link requireRestored} refuses the store.
 * @throws {StoreRefused} if the store is not empty or of another kind
 * @throws {TypeError} if the file is damaged or no backup; then nothing is written
 */
export async function restoreBackup(store: Store, path: string): Promise<BackupSummary> {
  const { header, summary } = await verifyBackup(path);
  if (!store.rows || !store.load || header.store !== store.name) {
    throw new StoreRefused(`${path} is a backup of "${header.store}", which cannot be restored into "${store.name}"`);
  }
  for await (const _ of store.rows()) {
    throw new StoreRefused("There is data already; restore a backup into an empty directory");
  }
  await store.batch([{ type: "put", key: RESTORING, value: new Uint8Array() }]);
  let rows: StoreRow[] = [];
  let length = 0;
  for await (const part of readBackupFile(path)) {
    if (!("table" in part)) continue;
    rows.push(part);
    length += part.key.length + part.value.length;
    if (length < BATCH_LENGTH) continue;
    await store.load(rows);
    rows = [];
    length = 0;
  }
  await store.load(rows);
  await store.batch([{ type: "delete", key: RESTORING }]);
  const counter = createRowCounter();
  for await (const row of store.rows()) counter.add(encodeRow(row), row.table);
  if (counter.summary().sha256 === summary.sha256) return summary;
  await store.batch([{ type: "put", key: RESTORING, value: new Uint8Array() }]);
  throw new StoreRefused(
    "The restored data differs from the backup; check the disk, and restore into another directory",
  );
}

/**
 * Checks that no restore or copy into this store was interrupted.
 * @throws {StoreRefused} if one was
 */
export async function requireRestored(store: Store): Promise<void> {
  await requireCopied(store);
  if (!(await store.get(RESTORING))) return;
  throw new StoreRefused("A restore into this data was interrupted; delete the data and run the restore again");
}
