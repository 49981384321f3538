import { createServer, type RequestListener } from "node:http";
import fastify from "fastify";
import { H3, type H3Event, HTTPError } from "h3";
import { toNodeHandler } from "h3/node";
import { uuidv7 } from "uuidv7";

/** Answers one route: takes the parsed body, if there is one, and returns JSON as text. */
export interface Route {
  method: "GET" | "POST";
  path: string;
  answer(body: unknown): string;
}

/** Serves routes by a framework. Returns a listener for `node:http`. */
export type Framework = (routes: readonly Route[]) => RequestListener | Promise<RequestListener>;

export const JSON_TYPE = "application/json; charset=utf-8";

export const nodeHttp: Framework = (routes) => {
  const routeOf = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return (request, response) => {
    const { answer } = routeOf.get(`${request.method} ${request.url}`)!;
    const send = (text: string) => {
      response.writeHead(200, { "Content-Type": JSON_TYPE, "Content-Length": Buffer.byteLength(text) });
      response.end(text);
    };
    if (request.method === "GET") return send(answer(undefined));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => send(answer(JSON.parse(Buffer.concat(chunks).toString()))));
  };
};

export const h3: Framework = (routes) => {
  const app = new H3();
  for (const { method, path, answer } of routes) {
    app.on(method, path, async (event) => {
      event.res.headers.set("content-type", JSON_TYPE);
      return answer(method === "GET" ? undefined : await event.req.json());
    });
  }
  return toNodeHandler(app) as RequestListener;
};

/** The key that callers of {@link createChecks} send. */
export const FLOOR_KEY = `asy_${"0".repeat(18)}_${"k".repeat(43)}`;

/**
 * Creates what every answer of Assay needs besides its own work: it looks a key and its scope up, counts the use of the
 * key, makes an id and sets the headers.
 */
export function createChecks(): (event: H3Event) => void {
  const keys = new Map([[FLOOR_KEY, { id: uuidv7(), scopes: ["read", "write"] }]]);
  const uses = new Map<string, number>();
  return ({ req, res: { headers } }) => {
    const key = keys.get(req.headers.get("x-api-key") ?? "");
    if (!key?.scopes.includes("read")) throw new HTTPError({ status: 401 });
    uses.set(key.id, (uses.get(key.id) ?? 0) + 1);
    headers.set("x-request-id", uuidv7());
    headers.set("x-content-type-options", "nosniff");
    headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    headers.set("referrer-policy", "no-referrer");
    headers.set("cache-control", "no-store");
    headers.set("content-type", JSON_TYPE);
  };
}

export const checkedH3: Framework = (routes) => {
  const app = new H3();
  const check = createChecks();
  for (const { method, path, answer } of routes) {
    app.on(method, path, async (event) => {
      check(event);
      return answer(method === "GET" ? undefined : await event.req.json());
    });
  }
  return toNodeHandler(app) as RequestListener;
};

export const fastifyServer: Framework = async (routes) => {
  let listener: RequestListener | undefined;
  const app = fastify({
    serverFactory(handler) {
      listener = handler;
      return createServer(handler);
    },
  });
  for (const { method, path, answer } of routes) {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => reply.type(JSON_TYPE).send(answer(request.body)),
    });
  }
  await app.ready();
  return listener!;
};
