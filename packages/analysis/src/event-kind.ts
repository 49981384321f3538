/** The fields that many events share: all except user, time and value. */
export interface EventKind {
  /** The event type; empty for a join of two ids, which is also a row. */
  type: string;
  experimentId: string | null;
  variantKey: string | null;
  flagKey: string | null;
  /** Whether the arm was forced instead of drawn. */
  forced: boolean;
}

/** The type of join rows: in this experiment (or everywhere), the user belongs to the unit in `value`. */
export const JOIN = "";

/** The type of events whose kind was in a lost chunk: no metric counts them. */
const LOST = "\0";

/** Kinds by number, in the order of their first event. */
export interface EventKinds {
  readonly list: readonly EventKind[];
  /** Adds kinds of a chunk under their numbers; unknown ones before them become {@link LOST}. */
  restore(from: number, kinds: readonly EventKind[]): void;
  /** Returns the number of a kind; a new number for a new kind. */
  numberOf(kind: EventKind): number;
}

/** Creates an empty dictionary of kinds. */
export function createEventKinds(): EventKinds {
  const list: EventKind[] = [];
  const numbers = new Map<string, number>();
  return {
    list,
    restore(from, kinds) {
      while (list.length < from) list.push(LOST_KIND);
      for (const [index, kind] of kinds.entries()) {
        list[from + index] = kind;
        numbers.set(nameOf(kind), from + index);
      }
    },
    numberOf(kind) {
      const name = nameOf(kind);
      const known = numbers.get(name);
      if (known !== undefined) return known;
      numbers.set(name, list.length);
      return list.push(kind) - 1;
    },
  };
}

const LOST_KIND: EventKind = { type: LOST, experimentId: null, variantKey: null, flagKey: null, forced: false };

function nameOf({ type, experimentId, variantKey, flagKey, forced }: EventKind): string {
  const [experiment, variant, flag] = [experimentId ?? "", variantKey ?? "", flagKey ?? ""];
  // Lengths distinguish texts that contain each other's separators.
  return `${type.length},${experiment.length},${variant.length},${forced};${type}${experiment}${variant}${flag}`;
}
