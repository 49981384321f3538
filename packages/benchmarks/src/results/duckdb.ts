import { createClient } from "@assay/client";
import { DuckDBInstance } from "@duckdb/node-api";
import { ADMIN } from "../http/cases.ts";
import { METRICS } from "./analyst.ts";
import type { ParquetFolder } from "./parquet.ts";

/** Returns the statements by which Assay computes the same in a warehouse, and the users of each arm that they find. */
export async function warehouseSql({ path }: ParquetFolder): Promise<{ statements: string[]; users: number[] }> {
  // Loaded only here, because the rest of the group needs no server.
  const { createAssay } = await import("@assay/server");
  const assay = createAssay({ admin: ADMIN, rateLimit: false, jobs: false, warehouse: { directories: [path] } });
  await assay.ready;
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => assay.fetch(new Request(input, init));
  const admin = createClient({ baseUrl: "http://assay.test", fetch: fetch as typeof globalThis.fetch, ...ADMIN });
  await admin.request("POST /experiments/", {
    body: {
      key: "checkout",
      name: "Checkout",
      status: "ACTIVE",
      variants: [{ key: "control" }, { key: "treatment" }],
      metrics: METRICS.map((metric) => ({ ...metric })),
    },
  });
  const { id } = await admin.request("POST /warehouse/connections", {
    body: { name: "Parquet", type: "DUCKDB", database: path },
  });
  const sync = await admin.request("POST /warehouse/sync/{experiment_id}", {
    params: { experiment_id: "checkout" },
    body: {
      connection_id: id,
      assignments_table: "exposures",
      events_table: "outcomes",
      columns: {
        assignments: { timestamp: "seen_at", experiment: "experiment" },
        events: { timestamp: "happened_at", value: "amount" },
      },
    },
  });
  await assay.close();
  if (sync.status !== "SUCCEEDED") throw new Error(`The warehouse failed: ${sync.error}`);
  const statements = sync.generated_sql.split(/;\n+/).filter((text) => text.trim() !== "");
  return { statements, users: sync.variants.map(({ users }) => users) };
}

/** Opens DuckDB over the Parquet files of a folder. `run` answers the statements with so many threads. */
export async function openDuckDb({ path }: ParquetFolder, threads: number) {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(threads) });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  for (const table of ["exposures", "outcomes"]) {
    await connection.run(`CREATE VIEW ${table} AS SELECT * FROM read_parquet('${path}/${table}.parquet')`);
  }
  return {
    async run(statements: readonly string[]) {
      for (const statement of statements) await connection.runAndReadAll(statement);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
