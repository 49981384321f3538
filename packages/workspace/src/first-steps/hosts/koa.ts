import type { Host } from "./host.ts";

export const koa: Host = { example: "koa", title: "Koa" };
