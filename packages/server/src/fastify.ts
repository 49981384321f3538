import type { FastifyInstance } from "fastify";
import type { Assay } from "./create.ts";

/**
 * A Fastify plugin that serves Assay, for example `app.register(assayPlugin, { assay, prefix: "/flags" })`. Requests go
 * to Assay unparsed; Fastify's parsers elsewhere stay as they are.
 */
export async function assayPlugin(app: FastifyInstance, options: { assay: Assay; prefix?: string }): Promise<void> {
  // The prefix of this registration and of all around it, which Fastify leaves in the URL.
  const prefix = app.prefix.replace(/\/$/, "");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  app.all("/*", (request, reply) => {
    reply.hijack();
    const rest = (request.raw.url ?? "/").slice(prefix.length);
    request.raw.url = rest.startsWith("/") ? rest : `/${rest}`;
    options.assay.node(request.raw, reply.raw);
  });
}
