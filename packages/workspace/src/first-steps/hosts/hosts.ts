import { astro } from "./astro.ts";
import { bun } from "./bun.ts";
import { cloudflareWorkers } from "./cloudflare-workers.ts";
import { deno } from "./deno.ts";
import { hono } from "./hono.ts";
import type { Host } from "./host.ts";
import { koa } from "./koa.ts";
import { next } from "./next.ts";
import { nitro } from "./nitro.ts";
import { nuxt } from "./nuxt.ts";
import { reactRouter } from "./react-router.ts";
import { sveltekit } from "./sveltekit.ts";

/** The hosts whose examples are checked, each in its own file. */
export const HOSTS: Host[] = [
  hono,
  koa,
  next,
  nitro,
  nuxt,
  sveltekit,
  reactRouter,
  astro,
  bun,
  deno,
  cloudflareWorkers,
];
