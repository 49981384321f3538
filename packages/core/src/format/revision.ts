/** An object whose revision changes if its results may change. */
export interface Revised {
  key: string;
  revision: string;
}

/** Returns the keys that are missing on one side or differ in revision, sorted. */
export function diffRevisions(before: readonly Revised[], after: readonly Revised[]): string[] {
  const changed = new Map(before.map(({ key, revision }) => [key, revision]));
  for (const { key, revision } of after) {
    if (changed.get(key) === revision) changed.delete(key);
    else changed.set(key, revision);
  }
  return [...changed.keys()].sort();
}
