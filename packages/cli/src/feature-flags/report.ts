import type { Reference, Search } from "./source-tree.ts";

/** A stale flag, as reported by the server. */
export interface StaleFlag {
  key: string;
  stale_reasons: string[];
  last_evaluated_at: string | null;
}

/** A stale flag and where the source still names it. */
export interface StaleEntry extends StaleFlag {
  references: Omit<Reference, "key">[];
}

/** Combines flags with their findings, in order of key. */
export function toEntries(flags: StaleFlag[], references: Reference[]): StaleEntry[] {
  return flags
    .map(({ key, stale_reasons, last_evaluated_at }) => ({
      key,
      stale_reasons,
      last_evaluated_at,
      references: references.filter((one) => one.key === key).map(({ file, line }) => ({ file, line })),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Returns the lines of the output; without a search, only the flags. */
export function toReport(entries: StaleEntry[], search: Search | null): string[] {
  const lines = entries.flatMap(({ key, stale_reasons, last_evaluated_at, references }) => [
    `${key}  ${stale_reasons.join(", ")}  ${last_evaluated_at ? `last evaluated ${last_evaluated_at}` : "not seen evaluated"}`,
    ...references.map(({ file, line }) => `  ${file}:${line}`),
  ]);
  const flags = counted(entries.length, "stale flag");
  if (!search) return [...lines, flags];
  const places = `${counted(search.references.length, "reference")} in ${counted(search.files, "file")}`;
  return [...lines, `${flags}, ${places}`];
}

function counted(count: number, what: string): string {
  return `${count === 0 ? "no" : count} ${what}${count === 1 ? "" : "s"}`;
}
