import type { JsonValue } from "@assay/core";

/** The maximum number of attribute names in an experiment; further ones are ignored. */
const MAX_ATTRIBUTE_NAMES = 32;
/**
 * The maximum number of values of an attribute. Further ones become {@link OTHER}, because a breakdown by thousands of
 * segments finds nothing.
 */
const MAX_ATTRIBUTE_VALUES = 1000;
const MAX_VALUE_LENGTH = 255;
const FIRST_CAPACITY = 256;

/** The value that replaces all values beyond the maximum of an attribute. */
export const OTHER = "(other)";

/** The values of one attribute in events that name an experiment and an arm: their rows and values. */
export interface AttributeColumn {
  readonly experimentId: string;
  readonly name: string;
  /** The value of each code, in the order of its first row. */
  readonly values: readonly string[];
  readonly length: number;
  /** Rows in ascending order; only the first `length` count. */
  readonly rows: Uint32Array;
  /** The code of the value, for each item of `rows`. */
  readonly codes: Uint16Array;
}

/** A section of a column with its own dictionary; rows count from the section's first. */
export interface AttributePart {
  experimentId: string;
  name: string;
  values: string[];
  rows: Uint32Array;
  codes: Uint16Array;
}

/** Attributes of exposures, by experiment and name. They depend on the journal's order alone. */
export interface AttributeLog {
  find(experimentId: string, name: string): AttributeColumn | undefined;
  /** Adds the attributes of a row. Strings, numbers and booleans count; other types are not segments. */
  add(row: number, experimentId: string, metadata: Record<string, JsonValue>): void;
  /** Adds a section that begins at a row. */
  append(first: number, parts: readonly AttributePart[]): void;
  /** Returns the section of the rows from `from` to before `to`. */
  cut(from: number, to: number): AttributePart[];
  /** Returns the names and values without rows: a log to which they are appended goes on with their codes. */
  dictionary(): AttributePart[];
}

interface GrowingColumn extends AttributeColumn {
  values: string[];
  length: number;
  rows: Uint32Array;
  codes: Uint16Array;
  codeOf: Map<string, number>;
}

/** Creates an empty log of attributes. */
export function createAttributeLog(): AttributeLog {
  const experiments = new Map<string, Map<string, GrowingColumn>>();

  function columnOf(experimentId: string, name: string): GrowingColumn | null {
    const columns = experiments.get(experimentId) ?? new Map<string, GrowingColumn>();
    experiments.set(experimentId, columns);
    const known = columns.get(name);
    if (known) return known;
    if (columns.size >= MAX_ATTRIBUTE_NAMES) return null;
    const [rows, codes] = [new Uint32Array(), new Uint16Array()];
    const column: GrowingColumn = { experimentId, name, values: [], length: 0, rows, codes, codeOf: new Map() };
    columns.set(name, column);
    return column;
  }

  return {
    find: (experimentId, name) => experiments.get(experimentId)?.get(name),
    add(row, experimentId, metadata) {
      for (const [name, given] of Object.entries(metadata)) {
        const value = toAttribute(given);
        const column = value === null ? null : columnOf(experimentId, name);
        if (column) push(column, row, codeOf(column, value!));
      }
    },
    append(first, parts) {
      for (const { experimentId, name, values, rows, codes } of parts) {
        const column = columnOf(experimentId, name);
        if (!column) continue;
        const known = values.map((value) => codeOf(column, value));
        for (let index = 0; index < rows.length; index++) push(column, first + rows[index]!, known[codes[index]!]!);
      }
    },
    cut(from, to) {
      return [...experiments.values()].flatMap((columns) =>
        [...columns.values()].flatMap((column) => {
          const [start, end] = [lowerBound(column, from), lowerBound(column, to)];
          if (start === end) return [];
          const rows = column.rows.slice(start, end).map((row) => row - from);
          return [{ ...column, ...withOwnValues(column.values, column.codes.subarray(start, end)), rows }].map(toPart);
        }),
      );
    },
    dictionary: () => [...experiments.values()].flatMap((columns) => [...columns.values()].map(withoutRows)),
  };
}

/** Returns the names and values of a section without rows. */
export function withoutRows({
  experimentId,
  name,
  values,
}: Pick<AttributePart, "experimentId" | "name" | "values">): AttributePart {
  return { experimentId, name, values: [...values], rows: new Uint32Array(), codes: new Uint16Array() };
}

/**
 * Removes rows from parts: `moved` holds, by row, its new index, or -1. Values that no row uses any longer are removed
 * too.
 */
export function keepRows(parts: readonly AttributePart[], moved: Int32Array): AttributePart[] {
  return parts.flatMap((part) => {
    const kept = Array.from(part.rows.keys()).filter((index) => moved[part.rows[index]!]! >= 0);
    if (kept.length === 0) return [];
    const codes = Uint16Array.from(kept, (index) => part.codes[index]!);
    const rows = Uint32Array.from(kept, (index) => moved[part.rows[index]!]!);
    return [{ ...part, ...withOwnValues(part.values, codes), rows }];
  });
}

/** Returns the segment name of an attribute's value; null if the value is not valid. */
export function toAttribute(value: JsonValue | undefined): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.length > 0 && value.length <= MAX_VALUE_LENGTH ? value : null;
}

function codeOf(column: GrowingColumn, value: string): number {
  const known = column.codeOf.get(value);
  if (known !== undefined) return known;
  if (column.values.length >= MAX_ATTRIBUTE_VALUES && value !== OTHER) return codeOf(column, OTHER);
  column.codeOf.set(value, column.values.length);
  return column.values.push(value) - 1;
}

function push(column: GrowingColumn, row: number, code: number): void {
  if (column.length === column.rows.length) {
    const capacity = Math.max(FIRST_CAPACITY, Math.ceil(column.length * 1.5));
    const { rows, codes } = column;
    column.rows = new Uint32Array(capacity);
    column.rows.set(rows);
    column.codes = new Uint16Array(capacity);
    column.codes.set(codes);
  }
  column.rows[column.length] = row;
  column.codes[column.length++] = code;
}

/** Returns the index of the first entry at or after a row. */
function lowerBound({ rows, length }: AttributeColumn, row: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Renumbers values in the order of their first appearance, without unused ones. */
function withOwnValues(values: readonly string[], codes: Uint16Array): { values: string[]; codes: Uint16Array } {
  const own: string[] = [];
  const numbers = new Map<number, number>();
  const renumbered = codes.map((code) => {
    const known = numbers.get(code);
    if (known !== undefined) return known;
    numbers.set(code, own.length);
    return own.push(values[code]!) - 1;
  });
  return { values: own, codes: renumbered };
}

function toPart({ experimentId, name, values, rows, codes }: AttributePart): AttributePart {
  return { experimentId, name, values, rows, codes };
}
