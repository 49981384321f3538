import { StoreUnavailable } from "@assay/store";

/** Reasons by SQLSTATE, or by the first two characters of one. */
const REASONS: Record<string, string> = {
  "08": "PostgreSQL cannot be reached",
  "25006": "PostgreSQL is read-only; connect to the primary server",
  "28": "PostgreSQL refuses the user or its password",
  "3D000": "the database does not exist",
  "42501": "the user lacks a privilege in PostgreSQL",
  "42P01": "a table is missing in PostgreSQL; restore a backup",
  "53100": "PostgreSQL has no disk space left",
  "53200": "PostgreSQL has no memory left",
  "53300": "PostgreSQL accepts no more connections",
  "57014": "PostgreSQL did not answer in time",
  "57P01": "PostgreSQL is shutting down",
  "57P02": "PostgreSQL has crashed and restarts",
  "57P03": "PostgreSQL is starting",
  "58": "PostgreSQL cannot use its disk",
};

/** Transactions that PostgreSQL ended in favour of others: the caller repeats them. */
const REPEATABLE = new Set(["40001", "40P01"]);

/** Returns the SQLSTATE of an error that PostgreSQL reported; undefined for others, such as a broken connection. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Returns whether the same transaction may succeed if it is repeated. */
export function isRepeatable(error: unknown): boolean {
  return REPEATABLE.has(sqlStateOf(error) ?? "");
}

/** Creates the error that callers get. Its reason contains no address and no data. */
export function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const state = sqlStateOf(error) ?? "08000";
  const known = REASONS[state] ?? REASONS[state.slice(0, 2)];
  const reason = known ?? `PostgreSQL answered with the error ${state}`;
  return new StoreUnavailable(reason[0]!.toUpperCase() + reason.slice(1), { cause: error, reason });
}
