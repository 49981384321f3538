export type Kind = "segment" | "flag" | "experiment";
export type Fields = Record<string, unknown>;

/** A segment, flag or experiment, with the fields that can be compared with those of another place. */
export interface Definition {
  kind: Kind;
  /** The key, or the name of a segment. */
  key: string;
  /** They refer to others by key or name, because ids differ between environments. */
  fields: Fields;
}

/** A definition of a server. */
export interface StoredDefinition extends Definition {
  id: string;
  /** Increases with each change; a write gives it in `If-Match`. */
  version: number;
  status: string;
}

/** The kinds in the order in which they refer to each other. */
export const KINDS: readonly Kind[] = ["segment", "flag", "experiment"];

/** Returns a name that differs between all definitions, such as `flag checkout`. */
export function nameOf({ kind, key }: Pick<Definition, "kind" | "key">): string {
  return `${kind} ${key}`;
}
