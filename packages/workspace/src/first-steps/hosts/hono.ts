import type { Host } from "./host.ts";

export const hono: Host = { example: "hono", title: "Hono" };
