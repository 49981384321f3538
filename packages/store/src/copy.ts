import { keyOf } from "./key.ts";
import { listAll } from "./list-all.ts";
import { createPortableCounter, lengthOfPortable, type PortableRow, type PortableSummary } from "./portable.ts";
import { type Store, StoreRefused } from "./store.ts";

/** The key of an entry that a store has since a copy into it began. */
const COPYING = keyOf("copying");
/** The approximate size, in bytes, of the batches in which rows are loaded. */
const BATCH_LENGTH = 1 << 20;

/** The state of a copy, as its target keeps it. */
interface CopyState {
  /** What the target held when the last copy was complete; null while one is under way. */
  complete: PortableSummary | null;
  /** The position up to which the records of each journal are loaded. */
  loaded: Record<string, number>;
  /** The newest generation of each set when it was loaded. Older generations do not change. */
  generations: Record<string, number>;
}

/** What a copy did. */
export interface CopySummary extends PortableSummary {
  /** The rows that were loaded. The others were there already. */
  loaded: number;
}

export interface CopyOptions {
  signal?: AbortSignal;
  /** Called after each batch, with the number of rows read so far. */
  onProgress?: (rows: number) => void;
}

/**
 * Copies everything in a store, as of one moment, into a store of any kind that can load it, and compares the counts and
 * checksums of both. Servers may use the source meanwhile. The target must be empty, or unchanged since an earlier copy
 * from the same source; then only what is new is loaded. An interrupted copy goes on where it was. Until it is complete,
 * {@link requireCopied} refuses the target.
 *
 * @throws {StoreRefused} if one of the stores cannot be copied, if the target has other data, if a record is damaged, or if
 * the copy differs in the end
 * @throws the reason of the signal if it is aborted
 */
export async function copyStore(from: Store, to: Store, options: CopyOptions = {}): Promise<CopySummary> {
  if (!from.portableRows) throw new StoreRefused(`A store of the kind "${from.name}" cannot be copied`);
  if (!to.portableRows || !to.loadPortable) {
    throw new StoreRefused(`A store of the kind "${to.name}" cannot be the target of a copy`);
  }
  const state = await stateOf(to);
  let summary = await pass(from, to, state, options);
  // A record that was loaded earlier may have been rewritten since. So everything is loaded again.
  if (!summary) summary = await pass(from, to, { complete: null, loaded: {}, generations: {} }, options);
  if (summary) return summary;
  throw new StoreRefused("The copy differs from its source; check both databases, and copy into an empty place");
}

/**
 * Checks that no copy into this store was interrupted.
 * @throws {StoreRefused} if one was
 */
export async function requireCopied(store: Store): Promise<void> {
  const entry = await store.get(COPYING);
  if (!entry || parse(entry.value).complete) return;
  throw new StoreRefused("A copy into this data is not complete; run the copy again");
}

/** Reads the state of earlier copies. @throws {StoreRefused} if the target has other data */
async function stateOf(to: Store): Promise<CopyState> {
  const entry = await to.get(COPYING);
  if (!entry) {
    for await (const _ of rowsOf(to))
      throw new StoreRefused("There is data in the target already; copy into an empty place");
    return { complete: null, loaded: {}, generations: {} };
  }
  const state = parse(entry.value);
  if (state.complete && (await summaryOf(to)).checksum !== state.complete.checksum) {
    throw new StoreRefused("The target has changed since it was copied; copy into an empty place");
  }
  return state;
}

/** Loads what is new since a state. Returns null if the target differs from the source afterwards. */
async function pass(
  from: Store,
  to: Store,
  before: CopyState,
  { signal, onProgress }: CopyOptions,
): Promise<CopySummary | null> {
  const state: CopyState = { complete: null, loaded: { ...before.loaded }, generations: { ...before.generations } };
  const keep = () => to.batch([{ type: "put", key: COPYING, value: Buffer.from(JSON.stringify(state)) }]);
  await keep();

  const counter = createPortableCounter();
  const keys = new Set<string>();
  const journals = new Map<string, { head: number; first: number }>();
  const journalOf = (name: string) => {
    const journal = journals.get(name) ?? { head: 0, first: Number.POSITIVE_INFINITY };
    journals.set(name, journal);
    return journal;
  };
  const latest = new Map<string, number>();
  let rows: PortableRow[] = [];
  let [length, read, loaded] = [0, 0, 0];

  const flush = async () => {
    await to.loadPortable!(rows);
    for (const row of rows) if (row.type === "record") state.loaded[row.journal] = row.position;
    await keep();
    loaded += rows.length;
    [rows, length] = [[], 0];
    onProgress?.(read);
  };
  const isNew = (row: PortableRow): boolean => {
    if (row.type === "record") return row.position > (before.loaded[row.journal] ?? 0);
    if (row.type === "member") return row.generation >= (before.generations[row.set] ?? Number.NEGATIVE_INFINITY);
    return true;
  };

  for await (const row of rowsOf(from)) {
    signal?.throwIfAborted();
    counter.add(row);
    read++;
    if (row.type === "entry") keys.add(row.key);
    else if (row.type === "head") journalOf(row.journal).head = row.position;
    else if (row.type === "record") journalOf(row.journal).first = Math.min(journalOf(row.journal).first, row.position);
    else if (row.type === "window") latest.set(row.set, row.latest);
    if (!isNew(row)) continue;
    rows.push(row);
    length += lengthOfPortable(row);
    if (length >= BATCH_LENGTH) await flush();
  }
  await flush();
  await removeRest(to, keys, journals);

  const source = counter.summary();
  const target = await summaryOf(to);
  if (target.checksum !== source.checksum) return null;
  state.complete = source;
  for (const [set, generation] of latest) state.generations[set] = generation;
  await keep();
  return { ...source, loaded };
}

/** Removes entries that the source no longer has, and records that it has trimmed. */
async function removeRest(
  to: Store,
  keys: ReadonlySet<string>,
  journals: ReadonlyMap<string, { head: number; first: number }>,
): Promise<void> {
  for await (const { key } of listAll(to, "")) {
    if (key !== COPYING && !keys.has(key)) await to.batch([{ type: "delete", key }]);
  }
  for (const [journal, { head, first }] of journals) {
    await to.batch([{ type: "trim", journal, through: Math.min(head, first - 1) }]);
  }
}

async function* rowsOf(store: Store): AsyncGenerator<PortableRow> {
  for await (const row of store.portableRows!()) if (row.type !== "entry" || row.key !== COPYING) yield row;
}

async function summaryOf(store: Store): Promise<PortableSummary> {
  const counter = createPortableCounter();
  for await (const row of rowsOf(store)) counter.add(row);
  return counter.summary();
}

function parse(value: Uint8Array): CopyState {
  return JSON.parse(Buffer.from(value).toString());
}
