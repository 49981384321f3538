import { EngineRefused } from "@assay/analysis";
import type { Connection } from "./connection.ts";

/** The oldest version that is supported: the first with everything that the statements use. */
const OLDEST = [24, 3] as const;

/**
 * Checks the server and the user.
 * @throws EngineRefused with what to do
 */
export async function requireServer(connection: Connection): Promise<void> {
  const [row] = await connection.select<{ version: string }>("SELECT version() AS version");
  const version = String(row?.version ?? "");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    throw new EngineRefused(`ClickHouse ${version} is too old; update it to ${OLDEST.join(".")} or later`);
  }
  const [readonly] = await connection.select<{ value: string }>(
    "SELECT value FROM system.settings WHERE name = 'readonly'",
  );
  if (readonly !== undefined && readonly.value !== "0") {
    throw new EngineRefused("The ClickHouse user may only read; set readonly = 0 in their profile");
  }
}
