import { encodeMember } from "../member.ts";
import type { PortableRow } from "../portable.ts";
import { StoreRefused, type StoreRow } from "../store.ts";
import { openLines, openText } from "./text.ts";

const CHUNK = /^(journals|sets)\/(.+)\/(\d{16})$/s;
const NUMBERED = /^(.+)\/(-?\d+)$/s;

/** Converts the rows of a storage. Items are sorted by id, so that heads come before records. */
export async function* toPortable(rows: AsyncIterable<StoreRow>): AsyncGenerator<PortableRow> {
  const heads = new Map<string, { position: number; trimmed: number }>();
  const sets = new Map<string, Map<number, PortableRow[]>>();
  const headOf = (journal: string) => heads.get(journal) ?? { position: 0, trimmed: 0 };
  for await (const { key, value } of rows) {
    const [id, text] = [Buffer.from(key).toString(), Buffer.from(value).toString()];
    const [, kind, name, first] = CHUNK.exec(id) ?? [];
    if (kind === "journals") {
      for (const { position, bytes } of linesOf(name!, Number(first), text)) {
        const { trimmed, position: head } = headOf(name!);
        heads.set(name!, { trimmed, position: Math.max(head, position) });
        if (bytes && position > trimmed) yield { type: "record", journal: name!, position, record: bytes };
      }
    } else if (kind === "sets") {
      const [, set, digits] = NUMBERED.exec(name!)!;
      const generation = Number(digits);
      const generations = sets.get(set!) ?? new Map<number, PortableRow[]>();
      const members = generations.get(generation) ?? [];
      sets.set(set!, generations.set(generation, members));
      for (const { bytes } of linesOf(name!, Number(first), text)) {
        if (!bytes) continue;
        const member = encodeMember(JSON.parse(new TextDecoder().decode(bytes)));
        members.push({ type: "member", set: set!, generation, member });
      }
    } else {
      const row = itemRow(id, text);
      if (row?.type === "head") heads.set(row.journal, row);
      else if (row) yield row;
    }
  }
  for (const [journal, head] of heads) yield { type: "head", journal, ...head };
  for (const [set, generations] of sets) {
    const known = [...generations.keys()];
    yield { type: "window", set, latest: Math.max(...known), floor: Math.min(...known) };
    for (const members of generations.values()) yield* members;
  }
}

/** Converts an entry, the head of a journal or a lease; null for anything else. */
function itemRow(id: string, text: string): PortableRow | null {
  const [, kind, name = ""] = /^(entries|journals-heads|leases)\/(.+)$/s.exec(id) ?? [];
  if (kind === undefined) return null;
  const opened = openText(id, text);
  if (!opened) throw damaged(name);
  const { version, bytes } = opened;
  if (kind === "entries") return { type: "entry", key: name, version, value: bytes };
  if (kind === "leases") return { type: "lease", name, token: version };
  return { type: "head", journal: name, position: version, trimmed: Number(new TextDecoder().decode(bytes)) };
}

function linesOf(name: string, first: number, text: string) {
  const { lines, torn } = openLines(text, first);
  if (torn !== null) throw damaged(name);
  return lines.map((line, index) => {
    if (line !== null && !(line instanceof Uint8Array)) throw damaged(`${name}#${first + index}`);
    return { position: first + index, bytes: line };
  });
}

function damaged(name: string): StoreRefused {
  return new StoreRefused(`${name} is damaged; run assay repair before the copy`);
}
