import type { FastifyInstance } from "fastify";
import type { Assay } from "./create.ts";

/**
 * A Fastify plugin that serves Assay, for example `app.register(assayPlugin, { assay, prefix: "/flags" })`. Requests go
 * to Assay unparsed; Fastify's parsers elsewhere stay as they are.
 */
export async function assayPlugin(app: FastifyInstance, options: { assay: Assay; prefix?: string }): Promise<void> {
  const prefix = (options.prefix ?? "").replace(/\/$/, "");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  app.all("/*", (request, reply) => {
    reply.hijack();
    request.raw.url = (request.raw.url ?? "/").slice(prefix.length) || "/";
    options.assay.node(request.raw, reply.raw);
  });
}
