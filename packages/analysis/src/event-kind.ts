/** What many events have in common: all of an event but who, when and how much. */
export interface EventKind {
  /** The event type; empty for a join of two ids, which is a row as well. */
  type: string;
  experimentId: string | null;
  variantKey: string | null;
  flagKey: string | null;
  /** The arm was given, not drawn. */
  forced: boolean;
}

/** The type of rows that say: in this experiment (or everywhere), the user belongs to the unit in `value`. */
export const JOIN = "";

/** Kinds by number, in the order of their first event. */
export interface EventKinds {
  readonly list: readonly EventKind[];
  /** The number of a kind, a new one where it is met first. */
  numberOf(
    type: string,
    experimentId: string | null,
    variantKey: string | null,
    flagKey: string | null,
    forced: boolean,
  ): number;
}

/** Creates an empty dictionary of kinds. */
export function createEventKinds(): EventKinds {
  const list: EventKind[] = [];
  const numbers = new Map<string, number>();
  return {
    list,
    numberOf(type, experimentId, variantKey, flagKey, forced) {
      const [experiment, variant, flag] = [experimentId ?? "", variantKey ?? "", flagKey ?? ""];
      // Lengths keep texts that contain each other's separators apart.
      const key = `${type.length},${experiment.length},${variant.length},${forced};${type}${experiment}${variant}${flag}`;
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, list.length);
      return list.push({ type, experimentId, variantKey, flagKey, forced }) - 1;
    },
  };
}
