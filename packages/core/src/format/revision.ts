/** Something that has another revision wherever its answers may be others. */
export interface Revised {
  key: string;
  revision: string;
}

/** The keys of what is not in both, or not of the same revision, sorted. */
export function diffRevisions(before: readonly Revised[], after: readonly Revised[]): string[] {
  const changed = new Map(before.map(({ key, revision }) => [key, revision]));
  for (const { key, revision } of after) {
    if (changed.get(key) === revision) changed.delete(key);
    else changed.set(key, revision);
  }
  return [...changed.keys()].sort();
}
