import { clickhouseEvents } from "@assay/clickhouse";
import { createAssay } from "@assay/server";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { createStorage } from "unstorage";

const storage = createStorage();

// Options of docs/clickhouse.md, type-checked here.
export function eventsInClickHouse(password: string) {
  const url = "http://clickhouse.example.org:8123";
  const log = { level: ClickHouseLogLevel.OFF }; // The log of the client contains statements, and so ids of users.
  const client = createClient({ url, username: "assay", password, database: "assay", log });
  const assay = createAssay({ storage, events: clickhouseEvents({ client }) });
  return assay;
}
