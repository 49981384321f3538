/** The SQL syntax that differs between warehouses. Expressions may be NULL unless noted. */
export interface Dialect {
  /** A quoted name. */
  identifier(name: string): string;
  /** A quoted text. @throws RangeError for a text with the character U+0000, which no warehouse takes */
  literal(text: string): string;
  /** An expression as a text. */
  text(expression: string): string;
  /** An expression as a number with 64 bits. */
  double(expression: string): string;
  /** An expression as a boolean. */
  flag(expression: string): string;
  /** An expression as a timestamp. Values without zone are UTC. */
  instant(expression: string): string;
  /** A timestamp this many microseconds later; earlier if negative. */
  later(timestamp: string, microseconds: number): string;
  /** Whole days from 1970-01-01 to a timestamp, UTC. */
  day(timestamp: string): string;
  /** The sum of an expression over all rows, compensated for rounding where the warehouse can. */
  sum(expression: string): string;
  /** The quantile `share` of an expression over all rows, interpolated (Hyndman and Fan's type 7); leaves NULL out. */
  quantile(share: number, expression: string): string;
  /** A text in an order of its bytes. */
  ordered(text: string): string;
  /** The keywords between the name of a common table expression and its parentheses, so that it is computed once. */
  once: "AS" | "AS MATERIALIZED";
}

/** Syntax of PostgreSQL and compatible databases. */
export const standardDialect: Dialect = {
  identifier: (name) => `"${quotable(name).replaceAll('"', '""')}"`,
  literal: (text) => `'${quotable(text).replaceAll("'", "''")}'`,
  text: (expression) => `CAST(${expression} AS TEXT)`,
  double: (expression) => `CAST(${expression} AS DOUBLE PRECISION)`,
  flag: (expression) => `CAST(${expression} AS BOOLEAN)`,
  instant: (expression) => `CAST(${expression} AS TIMESTAMP WITH TIME ZONE)`,
  later: (timestamp, microseconds) => `${timestamp} + INTERVAL '${microseconds} microseconds'`,
  day: (timestamp) => `(CAST(${timestamp} AS DATE) - DATE '1970-01-01')`,
  sum: (expression) => `SUM(${expression})`,
  quantile: (share, expression) => `PERCENTILE_CONT(${share}) WITHIN GROUP (ORDER BY ${expression})`,
  ordered: (text) => `${text} COLLATE "C"`,
  once: "AS",
};

/** Returns a text that can be quoted. @throws RangeError */
export function quotable(text: string): string {
  if (text.includes("\0")) throw new RangeError("A text with the character U+0000 cannot be quoted");
  return text;
}
