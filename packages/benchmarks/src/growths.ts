import { connections } from "./growth/connections.ts";
import { events, users } from "./growth/events.ts";
import { experiments } from "./growth/experiments.ts";
import { allFlags, oneOfFlags } from "./growth/flags.ts";
import type { Growth } from "./growth/growth.ts";
import { clickhouse, memory } from "./growth/memory.ts";
import { readers } from "./growth/readers.ts";

/** Every question about growth, in the order of the page. */
export const growths: readonly Growth[] = [
  oneOfFlags,
  allFlags,
  events,
  users,
  memory,
  clickhouse,
  connections,
  readers,
  experiments,
];
