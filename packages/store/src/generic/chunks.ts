import type { Quarantine } from "../quarantine.ts";
import type { SortedKeys } from "../sorted-keys.ts";
import type { JournalRecord } from "../store.ts";
import type { Items } from "./items.ts";
import { quarantineId, type Suspect } from "./set-aside.ts";
import { LINES_START, openLines, openText, sealLine, sealQuarantined, sealText } from "./text.ts";
import type { ItemWrites } from "./write-ahead.ts";

/** The size of a full chunk; each append rewrites the last chunk until it reaches this size. */
const CHUNK_LENGTH = 32_768;
const FIRST_DIGITS = 16;
const MISSING = "This record is missing";

interface Chunk {
  first: number;
  /** The records in order; null for a record that was set aside. */
  lines: (Uint8Array | null)[];
  length: number;
}

interface JournalState {
  /** Records up to this position are removed, even if their chunk still exists. */
  trimmed: number;
  head: number;
  /** The last chunk, the only one that grows. */
  tail: Chunk | null;
  /** Staged chunks that are not yet written, by their first position. */
  staged: Map<number, Chunk>;
}

/** Append-only records in numbered chunks of lines, for journals and for the members of sets. */
export interface Chunks {
  head(journal: string): Promise<number>;
  read(journal: string, after: number, limit: number): Promise<JournalRecord[]>;
  /** Adds the writes of appends, rewrites and a trim to `writes`. */
  stage(journal: string, records: Map<number, Uint8Array>, trim: number | undefined, writes: ItemWrites): Promise<void>;
  /** Marks everything staged as written. */
  settle(): void;
  /** Adds the removal of all items of a journal to `writes`. */
  stageDrop(journal: string, writes: ItemWrites): void;
  /** Returns the names of journals after `prefix` and a slash, unless the rest contains a slash. */
  namesBelow(prefix: string): string[];
}

/** The dependencies of chunks, such as where to report damage. */
export interface ChunkFloor {
  items: Items;
  ids: SortedKeys;
  damage: Quarantine;
  suspect: Suspect;
}

/** Creates the chunks under one kind of id, such as `journals`. */
export function createChunks(kind: string, { items, ids, damage, suspect }: ChunkFloor): Chunks {
  const states = new Map<string, JournalState>();
  const chunkId = (journal: string, first: number) => `${kind}/${journal}/${String(first).padStart(FIRST_DIGITS, "0")}`;
  const headId = (journal: string) => `${kind}-heads/${journal}`;
  /**
   * Returns the id of the copy of a head. A head has a copy, because losing it would reuse positions that others know.
   */
  const copyId = (journal: string) => `${kind}-head-copies/${journal}`;
  const stageHead = (journal: string, head: number, trimmed: number, writes: ItemWrites) => {
    for (const id of [headId(journal), copyId(journal)]) writes.set(id, sealText(id, head, Buffer.from(`${trimmed}`)));
  };
  const readHead = async (id: string) => {
    const text = ids.has(id) ? await items.read(id) : null;
    const opened = text === null ? null : openText(id, text);
    return { text, state: opened && { head: opened.version, trimmed: Number(new TextDecoder().decode(opened.bytes)) } };
  };

  const firstsOf = (journal: string): number[] => {
    const start = `${kind}/${journal}/`;
    const written = ids.range(start).flatMap((id) => {
      const rest = id.slice(start.length);
      // A longer rest belongs to a journal whose name begins with this one.
      return rest.length === FIRST_DIGITS && /^\d+$/.test(rest) ? [Number(rest)] : [];
    });
    const staged = states.get(journal)?.staged;
    return staged?.size ? [...new Set([...written, ...staged.keys()])].sort((a, b) => a - b) : written;
  };

  /** Reads the chunk that ends before the position `end`. The last chunk has no end: what it lost there is unknown. */
  const loadChunk = async (journal: string, first: number, end: number | null): Promise<Chunk> => {
    const id = chunkId(journal, first);
    const text = (await items.read(id)) ?? "";
    const { lines, torn } = openLines(text, first);
    const damaged: ItemWrites = new Map();
    const report = (position: number, raw: string, reason = "This record failed its checksum") => {
      damage.report(`${journal}#${position}`, reason);
      damaged.set(quarantineId(id, position), sealQuarantined(raw, damage.now()));
    };
    const sound = lines.map((line, index) => {
      if (line === null || line instanceof Uint8Array) return line;
      report(first + index, line.damaged);
      return null;
    });
    const cut = first + sound.length;
    // The last record of the last chunk may never have been acknowledged. The next record takes its position.
    if (torn !== null) report(cut, torn, "This record is cut short");
    else if (end !== null && cut < end) report(cut, "", MISSING);
    for (let position = cut; end !== null && position < end; position++) {
      if (position > cut) report(position, "", MISSING);
      sound.push(null);
    }
    const chunk = { first, lines: sound, length: text.length };
    if (damaged.size > 0) suspect(id, text, damaged.set(id, textOf(chunk)));
    return chunk;
  };

  const load = async (journal: string): Promise<JournalState> => {
    const cached = states.get(journal);
    if (cached) return cached;
    const last = firstsOf(journal).at(-1);
    const tail = last === undefined ? null : await loadChunk(journal, last, null);
    const written = await readHead(headId(journal));
    const read = written.state ?? (written.text === null ? null : (await readHead(copyId(journal))).state);
    const trimmed = read?.trimmed ?? 0;
    const head = Math.max(read?.head ?? 0, tail ? tail.first + tail.lines.length - 1 : 0);
    if (written.text !== null && !written.state) {
      damage.report(`${journal}#head`, "The head of this journal failed its checksum");
      const writes: ItemWrites = new Map();
      writes.set(quarantineId(headId(journal)), sealQuarantined(written.text, damage.now()));
      stageHead(journal, head, trimmed, writes);
      suspect(headId(journal), written.text, writes);
    }
    const state: JournalState = {
      trimmed,
      head,
      tail,
      staged: new Map(),
    };
    states.set(journal, state);
    return state;
  };

  const chunkOf = async (journal: string, first: number, end: number, state: JournalState): Promise<Chunk> =>
    state.staged.get(first) ?? (state.tail?.first === first ? state.tail : loadChunk(journal, first, end));

  /** Adds the removal of what was set aside of a record to `writes`, because another record is in its place. */
  const stageReplaced = (journal: string, positions: Iterable<number>, writes: ItemWrites) => {
    const aside = ids.range(quarantineId(`${kind}/${journal}/`));
    if (aside.length === 0) return;
    const ends = [...positions].map((position) => `/${position}`);
    for (const id of aside) if (ends.some((end) => id.endsWith(end))) writes.set(id, null);
  };

  return {
    head: async (journal) => (await load(journal)).head,
    async read(journal, after, limit) {
      const state = await load(journal);
      const firsts = firstsOf(journal);
      const start = Math.max(after, state.trimmed);
      const found: JournalRecord[] = [];
      for (const [index, first] of firsts.entries()) {
        if (found.length >= limit) break;
        // The next chunk begins where this one ends.
        if ((firsts[index + 1] ?? Number.POSITIVE_INFINITY) <= start + 1) continue;
        const { lines } = await chunkOf(journal, first, firsts[index + 1] ?? state.head + 1, state);
        for (const [offset, record] of lines.entries()) {
          const position = first + offset;
          if (record && position > start && found.length < limit) found.push({ position, record: record.slice() });
        }
      }
      return found;
    },
    async stage(journal, records, trim, writes) {
      const state = await load(journal);
      const firsts = firstsOf(journal);
      const changed = new Set<Chunk>();
      for (const [position, record] of records) {
        if (position > state.head) {
          if (!state.tail || state.tail.length >= CHUNK_LENGTH) {
            state.tail = { first: position, lines: [], length: 0 };
            firsts.push(position);
          }
          state.tail.lines.push(record);
          state.tail.length += record.length;
          state.head = position;
          changed.add(state.tail);
        } else {
          const index = firsts.findLastIndex((one) => one <= position);
          if (index === -1) continue;
          const first = firsts[index]!;
          const chunk = await chunkOf(journal, first, firsts[index + 1] ?? state.head + 1, state);
          chunk.lines[position - first] = record;
          state.staged.set(first, chunk);
          changed.add(chunk);
        }
      }
      stageReplaced(journal, records.keys(), writes);
      for (const chunk of changed) {
        const text = textOf(chunk);
        chunk.length = text.length;
        state.staged.set(chunk.first, chunk);
        writes.set(chunkId(journal, chunk.first), text);
      }
      if (trim === undefined || trim <= state.trimmed) return;
      state.trimmed = trim;
      for (const [index, first] of firsts.entries()) {
        if ((firsts[index + 1] ?? state.head + 1) > trim + 1) break;
        state.staged.delete(first);
        writes.set(chunkId(journal, first), null);
      }
      if (state.head <= trim) state.tail = null;
      stageHead(journal, state.head, trim, writes);
    },
    settle() {
      for (const state of states.values()) state.staged.clear();
    },
    stageDrop(journal, writes) {
      for (const first of firstsOf(journal)) writes.set(chunkId(journal, first), null);
      states.delete(journal);
    },
    namesBelow(prefix) {
      const start = `${kind}/${prefix}/`;
      const names = ids.range(start).flatMap((id) => {
        const [name, first, ...deeper] = id.slice(start.length).split("/");
        return name !== undefined && first !== undefined && deeper.length === 0 ? [name] : [];
      });
      return [...new Set(names)];
    },
  };
}

function textOf({ first, lines }: Chunk): string {
  return LINES_START + lines.map((line, index) => sealLine(first + index, line)).join("");
}
