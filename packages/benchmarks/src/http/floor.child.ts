/**
 * A floor in a separate process: `FRAMEWORK [parse | validate]` answers what it is sent at first, with nothing around it.
 * Those with the checks also check their answers.
 */
import { contract } from "@assay/contract";
import type { z } from "zod";
import { importPeer } from "../peers/installed.ts";
import { CASES } from "./cases.ts";
import { checkedH3, FLOOR_KEY, type Framework, fastifyServer, h3, nodeHttp, type Route } from "./frameworks.ts";
import { serve } from "./serve.ts";

/** Answers of the real server, by name of the case. */
export type Samples = Record<string, string>;

const frameworks: Record<string, () => Framework | Promise<Framework>> = {
  "node:http": () => nodeHttp,
  h3: () => h3,
  "h3, with the checks": () => checkedH3,
  "h3, with the checks, durable": async () => (await import("../ingestion/durable-floor.ts")).durableH3,
  Fastify: () => fastifyServer,
  Hono: async () => ((await importPeer("http/hono.ts")) as { hono: Framework }).hono,
};

process.once("disconnect", () => process.exit(0));
const [name = "", depth] = process.argv.slice(2);
const samples = await new Promise<Samples>((resolve) => process.once("message", resolve as never));
const schemas = contract as unknown as Record<string, { body?: z.ZodType; response?: z.ZodType }>;
const routes = CASES.filter((one) => one.name in samples).map((one): Route => {
  const { method, path, route } = one;
  const text = samples[one.name]!;
  if (method === "GET") return { method, path, answer: () => text };
  const value: unknown = JSON.parse(text);
  const schema = depth === "parse" || route === undefined ? undefined : schemas[route]?.body;
  const answered = name.includes("with the checks") && route !== undefined ? schemas[route]?.response : undefined;
  return {
    method,
    path,
    answer(body) {
      schema?.parse(body);
      return JSON.stringify(answered ? answered.parse(value) : value);
    },
  };
});
serve(await (await frameworks[name]!())(routes), { "x-api-key": FLOOR_KEY });
