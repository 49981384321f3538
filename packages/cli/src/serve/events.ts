import type { EventEngine } from "@assay/server";
import { usageFailure } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { decodePart, takeBoolean } from "./address.ts";

/** The ClickHouse that answers results. */
export interface EventsChoice {
  /** Address without credentials. */
  url: string;
  username: string;
  password: string;
  database: string;
  cluster: string | undefined;
  replicated: boolean;
}

const SHAPE = "clickhouse://USER:PASSWORD@HOST:PORT/DATABASE, or clickhouses:// over TLS";

/**
 * Reads the address; undefined for none.
 * @throws {CommandFailure} if it is not one of a ClickHouse
 */
export function readEvents(
  flags: Flags,
  { ASSAY_EVENTS }: Record<string, string | undefined>,
): EventsChoice | undefined {
  const flag = flags.one("events");
  const value = flag ?? (ASSAY_EVENTS || undefined);
  if (value === undefined) return undefined;
  const name = flag === undefined ? "ASSAY_EVENTS" : "--events";
  // The value may contain a password, so errors do not show it.
  if (!/^clickhouses?:\/\//.test(value) || !URL.canParse(value)) throw usageFailure(`${name} must be ${SHAPE}`);
  const address = new URL(value);
  const { protocol, hostname, port, username, password, pathname, searchParams } = address;
  const database = decodePart(pathname.slice(1), name);
  if (hostname === "" || database === "" || database.includes("/")) throw usageFailure(`${name} must be ${SHAPE}`);
  const unknown = [...searchParams.keys()].find((key) => key !== "cluster" && key !== "replicated");
  if (unknown !== undefined) throw usageFailure(`${name} has the parameters cluster and replicated, not "${unknown}"`);
  const isSecure = protocol === "clickhouses:";
  return {
    url: `${isSecure ? "https" : "http"}://${hostname}:${port || (isSecure ? 8443 : 8123)}`,
    username: decodePart(username, name) || "default",
    password: decodePart(password, name),
    database,
    cluster: searchParams.get("cluster") || undefined,
    replicated: takeBoolean(address, "replicated", name) ?? false,
  };
}

/** Creates the engine, whose client is loaded only here. It connects when the server opens it. */
export async function openEvents(choice: EventsChoice): Promise<EventEngine> {
  const { url, username, password, database, cluster, replicated } = choice;
  const [{ clickhouseEvents }, { ClickHouseLogLevel, createClient }] = await Promise.all([
    import("@assay/clickhouse"),
    import("@clickhouse/client"),
  ]);
  // Its log would contain statements, which contain ids of users.
  const log = { level: ClickHouseLogLevel.OFF };
  const client = createClient({ url, username, password, database, application: "assay", log });
  return clickhouseEvents({ client, replicated, ...(cluster !== undefined && { cluster }) });
}
