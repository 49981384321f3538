import { Agent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { ClickHouseClient, ClickHouseError, ClickHouseSettings } from "@clickhouse/client";
import { type Dialect, quotable } from "../sql/dialect.ts";
import { type AddressRule, addressOf, networkFailure } from "./address.ts";
import {
  type EngineSettings,
  loadDriver,
  type Row,
  type WarehouseEngine,
  WarehouseFailure,
  type WarehouseSession,
} from "./engine.ts";

/** Milliseconds to wait beyond the server's timeout before the network counts as failed. */
const GRACE_MS = 5000;
const LONGEST_MESSAGE = 300;

/** The settings that make ClickHouse read the SQL as the standard says. */
const STANDARD: ClickHouseSettings = {
  join_use_nulls: 1,
  aggregate_functions_null_for_empty: 1,
  prefer_column_name_to_alias: 1,
};
/** Settings of newer servers. */
const NEWER = {
  cast_string_to_date_time_mode: "best_effort",
  cancel_http_readonly_queries_on_client_close: 1,
  enable_materialized_cte: 1,
} as const;

const escaped = (text: string, quote: string) =>
  quotable(text).replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);

/** Syntax of ClickHouse. */
const dialect: Dialect = {
  identifier: (name) => `\`${escaped(name, "`")}\``,
  literal: (text) => `'${escaped(text, "'")}'`,
  text: (expression) => `CAST(${expression} AS Nullable(String))`,
  // A CAST to a nullable type would return NULL for what it cannot parse; these fail.
  double: (expression) => `toFloat64(${expression})`,
  flag: (expression) => `CAST(${expression} AS Nullable(Bool))`,
  instant: (expression) => `toDateTime64(${expression}, 6, 'UTC')`,
  later: (timestamp, microseconds) => `addMicroseconds(${timestamp}, ${microseconds})`,
  day: (timestamp) => `toInt32(toDate32(${timestamp}))`,
  sum: (expression) => `sumKahan(${expression})`,
  quantile: (share, expression) => `quantileExactInclusive(${share})(${expression})`,
  ordered: (text) => text,
  once: "AS",
};

/** Without it, ClickHouse computes a common table expression again for each use. */
const newerDialect: Dialect = { ...dialect, once: "AS MATERIALIZED" };

/** Returns the port of ClickHouse's HTTP interface, with or without TLS. */
export const clickHousePort = (ssl: EngineSettings["ssl"]) => (ssl === "DISABLE" ? 8123 : 8443);

/** Creates the ClickHouse engine over its HTTP interface. `isAllowed` decides which addresses connections may go to. */
export function createClickHouseEngine(isAllowed: AddressRule): WarehouseEngine {
  return {
    type: "CLICKHOUSE",
    dialect,
    schemaOf: ({ database }) => database ?? "default",
    async open(settings) {
      const { ClickHouseLogLevel, createClient } =
        await loadDriver<typeof import("@clickhouse/client")>("@clickhouse/client");
      const host = settings.host ?? "";
      const agent = agentTo(await addressOf(host, isAllowed), settings);
      const client = createClient({
        url: `${settings.ssl === "DISABLE" ? "http" : "https"}://${isIP(host) === 6 ? `[${host}]` : host}:${settings.port ?? clickHousePort(settings.ssl)}`,
        username: settings.username ?? "",
        password: settings.password ?? "",
        database: settings.database ?? "default",
        application: "assay",
        request_timeout: settings.timeoutMs + GRACE_MS,
        http_agent: agent,
        // Its log would contain the SQL.
        log: { level: ClickHouseLogLevel.OFF },
      });
      try {
        return await toSession(client, agent, settings);
      } catch (error) {
        agent.destroy();
        await client.close().catch(() => {});
        throw toFailure(error, settings);
      }
    },
  };
}

/** Connects to the checked address, because a second lookup could return another one. */
function agentTo(address: string, { ssl }: EngineSettings): Agent | TlsAgent {
  const family = isIP(address);
  const lookup: LookupFunction = (_host, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  if (ssl === "DISABLE") return new Agent({ lookup });
  return new TlsAgent({ lookup, rejectUnauthorized: ssl === "VERIFY" });
}

async function toSession(
  client: ClickHouseClient,
  agent: Agent | TlsAgent,
  settings: EngineSettings,
): Promise<WarehouseSession> {
  const abort = new AbortController();
  async function rowsOf(query: string, clickhouse_settings: ClickHouseSettings): Promise<Row[]> {
    const answer = await client.query({
      query,
      format: "JSONEachRow",
      abort_signal: abort.signal,
      clickhouse_settings,
    });
    return answer.json<Row>();
  }
  const known = await settingsOf((query) => rowsOf(query, {}), settings);
  return {
    dialect: "enable_materialized_cte" in known ? newerDialect : dialect,
    async query(sql) {
      try {
        return await rowsOf(sql, known);
      } catch (error) {
        throw toFailure(error, settings);
      }
    },
    async close() {
      agent.destroy();
      await client.close().catch(() => {});
    },
    abandon: () => abort.abort(),
  };
}

/** Returns the settings of a session, of those that the server knows. @throws WarehouseFailure */
async function settingsOf(
  query: (sql: string) => Promise<Row[]>,
  { timeoutMs }: EngineSettings,
): Promise<ClickHouseSettings> {
  const names = [...Object.keys(STANDARD), ...Object.keys(NEWER), "readonly"].map(dialect.literal).join(", ");
  const rows = await query(`SELECT name, value FROM system.settings WHERE name IN (${names})`);
  const values = new Map(rows.map(({ name, value }) => [String(name), String(value)]));
  if (Object.keys(STANDARD).some((name) => !values.has(name))) {
    throw new WarehouseFailure("The ClickHouse server is too old: it cannot read standard SQL");
  }
  if (values.get("readonly") === "1") {
    throw new WarehouseFailure("The user may not change settings; set readonly = 2 in their profile");
  }
  return {
    ...STANDARD,
    // Otherwise an error after the first rows would look like a complete answer.
    wait_end_of_query: 1,
    ...Object.fromEntries(Object.entries(NEWER).filter(([name]) => values.has(name))),
    max_execution_time: Math.ceil(timeoutMs / 1000),
    // Only SELECT, and settings other than this one.
    ...(values.get("readonly") === "0" && { readonly: "2" }),
  };
}

const CODES: Record<string, string> = {
  "159": "The query took too long",
  "160": "The query took too long",
  "164": "The session is read-only",
  "192": "The username or password is wrong",
  "193": "The username or password is wrong",
  "194": "The username or password is wrong",
  "241": "The query needs more memory than the warehouse allows",
  "497": "The user may not read that",
  "516": "The username or password is wrong",
};
/** Codes of errors about names and syntax. */
const NAMES = new Set(["10", "16", "42", "43", "46", "47", "60", "62", "81", "386"]);
/** Codes of errors about values. */
const VALUES = new Set(["6", "26", "27", "38", "41", "69", "70", "72", "321", "349", "407", "457"]);

/** Messages about names and syntax are public. Others may contain data, so the failure shows only their code. */
function toFailure(error: unknown, { timeoutMs }: EngineSettings): WarehouseFailure {
  if (error instanceof WarehouseFailure) return error;
  const { code = "", type = "", message = "" } = error as Partial<ClickHouseError>;
  const network = networkFailure(code);
  if (network) return network;
  if (code in CODES)
    return new WarehouseFailure(`${CODES[code]}${CODES[code] === CODES["159"] ? ` (${timeoutMs / 1000} s)` : ""}`);
  if (VALUES.has(code)) return new WarehouseFailure(`A value does not have the type of its column (${type || code})`);
  if (NAMES.has(code)) return new WarehouseFailure(`The query cannot be run: ${message.slice(0, LONGEST_MESSAGE)}`);
  if (/^\d+$/.test(code)) return new WarehouseFailure(`The warehouse refused (${type || code})`);
  return new WarehouseFailure(
    /time-?d? ?out/i.test(message) ? "The host did not answer in time" : "The connection to the host failed",
  );
}
