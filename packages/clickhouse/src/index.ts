export { type ClickhouseEventsOptions, clickhouseEvents } from "./clickhouse-events.ts";
