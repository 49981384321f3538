import { isIP, Socket } from "node:net";
import type { Client, DatabaseError } from "pg";
import { standardDialect } from "../sql/dialect.ts";
import { addressOf, networkFailure } from "./address.ts";
import {
  type EngineSettings,
  loadDriver,
  type WarehouseEngine,
  WarehouseFailure,
  type WarehouseSession,
} from "./engine.ts";

const CONNECT_MS = 5000;
/** Milliseconds to wait beyond the server's timeout before the network counts as failed. */
const GRACE_MS = 5000;

/** Creates the PostgreSQL engine. `isAllowed` decides which addresses connections may go to. */
export function createPostgresEngine(isAllowed: (host: string, address: string) => boolean): WarehouseEngine {
  return {
    type: "POSTGRES",
    dialect: standardDialect,
    schemaOf: ({ schema }) => schema ?? "public",
    async open(settings) {
      const { default: pg } = await loadDriver<typeof import("pg")>("pg");
      // Connects to the checked address, because a second lookup could return another one.
      const address = await addressOf(settings.host ?? "", isAllowed);
      const socket = new Socket();
      const client = new pg.Client({ ...clientConfig(settings), host: address, stream: () => socket });
      // The next query reports a connection lost between queries.
      client.on("error", () => {});
      try {
        await client.connect();
        await begin(client, settings);
      } catch (error) {
        await client.end().catch(() => {});
        throw toFailure(error, settings);
      }
      return toSession(client, socket, settings);
    },
  };
}

function clientConfig({ host, port, database, username, password, ssl, timeoutMs }: EngineSettings) {
  const name = host ?? "";
  const servername = isIP(name) === 0 ? { servername: name } : {};
  return {
    port: port ?? 5432,
    database: database ?? "",
    user: username ?? "",
    // A function, because an empty password would be replaced from the environment of the server.
    password: () => password ?? "",
    ssl: ssl === "DISABLE" ? false : { rejectUnauthorized: ssl === "VERIFY", host: name, ...servername },
    application_name: "assay",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: timeoutMs + GRACE_MS,
  };
}

async function begin(client: Client, { schema, timeoutMs }: EngineSettings): Promise<void> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query(
    [
      `SET LOCAL statement_timeout = ${timeoutMs}`,
      `SET LOCAL lock_timeout = ${timeoutMs}`,
      "SET LOCAL TimeZone = 'UTC'",
      "SET LOCAL standard_conforming_strings = on",
      // PostgreSQL takes the results of common table expressions for small, and would then loop over one for each row of
      // the other, and compile for longer than it runs.
      "SET LOCAL enable_nestloop = off",
      "SET LOCAL jit = off",
      // From PostgreSQL 14 on, the server notices within a second that the client is gone.
      `SELECT set_config('client_connection_check_interval', '1s', true) WHERE current_setting('server_version_num')::int >= 140000`,
      ...(schema === null ? [] : [`SET LOCAL search_path = ${standardDialect.identifier(schema)}`]),
    ].join("; "),
  );
}

function toSession(client: Client, socket: Socket, settings: EngineSettings): WarehouseSession {
  return {
    async query(text) {
      try {
        // The extended protocol accepts only one statement.
        const { rows } = await client.query({ text, queryMode: "extended" } as { text: string });
        return rows;
      } catch (error) {
        throw toFailure(error, settings);
      }
    },
    async close() {
      await client.end().catch(() => {});
    },
    abandon: () => void socket.destroy(),
  };
}

const STATES: Record<string, string> = {
  "28P01": "The username or password is wrong",
  "28000": "The user may not connect",
  "3D000": "The database does not exist",
  "25006": "The session is read-only",
  "57014": "The query took too long",
  "42501": "The user may not read that",
};

/** Messages about names and syntax are public. Others may contain data, so the failure shows only their code. */
function toFailure(error: unknown, { timeoutMs }: EngineSettings): WarehouseFailure {
  if (error instanceof WarehouseFailure) return error;
  const { code = "", message = "" } = error as Partial<DatabaseError>;
  if (code in STATES)
    return new WarehouseFailure(`${STATES[code]}${code === "57014" ? ` (${timeoutMs / 1000} s)` : ""}`);
  const network = networkFailure(code);
  if (network) return network;
  if (code.startsWith("22")) return new WarehouseFailure(`A value does not have the type of its column (${code})`);
  if (/^42[A-Z0-9]{3}$/.test(code)) return new WarehouseFailure(`The query cannot be run: ${message}`);
  if (/^[0-9A-Z]{5}$/.test(code)) return new WarehouseFailure(`The warehouse refused (${code})`);
  if (message.includes("does not support SSL")) {
    return new WarehouseFailure("The host does not offer TLS; options.ssl DISABLE connects without");
  }
  return new WarehouseFailure(
    /time-?out/i.test(message) ? "The host did not answer in time" : "The connection to the host failed",
  );
}
