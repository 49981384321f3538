import type { FastifyInstance } from "fastify";
import type { Assay } from "./create.ts";

/**
 * A Fastify plugin that serves Assay, for example `app.register(assayPlugin, { assay, prefix: "/flags" })`. Requests
 * reach Assay unparsed. Parsers of other routes are unaffected.
 */
export async function assayPlugin(app: FastifyInstance, options: { assay: Assay; prefix?: string }): Promise<void> {
  // The prefix of this and all enclosing registrations, which Fastify leaves in the URL.
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
