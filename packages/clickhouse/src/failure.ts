import { EngineRefused, EngineUnavailable } from "@assay/analysis";

/** Codes of ClickHouse for a wrong username or password. */
const CREDENTIALS = new Set(["192", "193", "194", "516"]);
/** Code of ClickHouse for a missing right. */
const RIGHTS = "497";
/** Code of ClickHouse for a database that does not exist. */
const NO_DATABASE = "81";

/**
 * Returns what a failure of ClickHouse or the network means. The messages contain codes only: those of ClickHouse quote
 * statements, which contain data.
 */
export function toFailure(error: unknown): EngineRefused | EngineUnavailable {
  if (error instanceof EngineRefused || error instanceof EngineUnavailable) return error;
  const { code = "", type = "" } = error as { code?: unknown; type?: unknown };
  const [number, name] = [String(code), String(type)];
  if (CREDENTIALS.has(number)) {
    return new EngineRefused("ClickHouse refuses the username or password; check the credentials of the client");
  }
  if (number === RIGHTS) {
    return new EngineRefused(
      "The ClickHouse user may not do what is needed; grant CREATE TABLE, SELECT, INSERT, ALTER DELETE and ALTER TABLE on the database",
    );
  }
  if (number === NO_DATABASE) {
    return new EngineRefused("The ClickHouse database does not exist; create it with CREATE DATABASE");
  }
  if (/^\d+$/.test(number)) return new EngineUnavailable(`ClickHouse refused a statement (${name || number})`);
  return new EngineUnavailable(`ClickHouse does not answer${number ? ` (${number})` : ""}`);
}
