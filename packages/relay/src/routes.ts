import { contract, PROGRAM_MEDIA_TYPE } from "@assay/contract";
import type { EvaluationContext } from "@assay/core";
import type { H3, H3Event } from "h3-v2";
import Negotiator from "negotiator";
import type { z } from "zod";
import type { Access, Credentials } from "./access.ts";
import { readBody } from "./body.ts";
import { BufferFull, type EventBuffer } from "./buffer/buffer.ts";
import type { Sender } from "./buffer/record.ts";
import { answerAllOfrep, answerOfrep, answerOpenFeature, ask, OfrepRefusal, readContext } from "./evaluation.ts";
import { Refusal, unavailable } from "./ground/refusal.ts";
import { readEvent, readEvents, toIssues } from "./intake.ts";
import type { Streams } from "./stream.ts";
import type { View } from "./view.ts";

export interface RouteDeps {
  access: Access;
  /** What SERVER keys see. */
  server: View;
  /** What CLIENT keys see; undefined without the option `clientKey`. */
  client: View | undefined;
  streams: Streams;
  buffer: EventBuffer;
  now: () => number;
}

const API = "/api/v1";
const STANDARD = { "X-Content-Type-Options": "nosniff" };
const CACHED = { "Cache-Control": "private, max-age=3600", Vary: "Authorization, X-API-Key, Origin, Accept" };
/** Seconds after which senders may send events again that found no room. */
const FULL_RETRY = 30;

/** Mounts what the relay serves: the routes of the contract with the same bodies, and OFREP. */
export function mountRoutes(app: H3, deps: RouteDeps): void {
  const { access, streams, buffer, now } = deps;

  /** Returns what the key of a request sees. @throws Refusal 401, 403, 503 */
  async function viewOf(credentials: Credentials): Promise<View> {
    const { kind } = await access.admit(credentials, "read");
    if (kind === "SERVER") return deps.server;
    if (deps.client) return deps.client;
    throw new Refusal(403, "This relay has no clientKey, so it evaluates flags for SERVER keys only");
  }

  async function questioned<T extends z.ZodType>(event: H3Event, schema: T): Promise<[View, z.output<T>]> {
    const view = await viewOf(credentialsOf(event.req));
    return [view, validate(schema, await readBody(event.req))];
  }

  app.get(`${API}/api-keys/current`, async ({ req }) => json(200, await access.admit(credentialsOf(req), "read")));

  app.get(`${API}/openfeature/flags`, async ({ req }) => {
    const view = await viewOf(credentialsOf(req));
    const accept = req.headers.get("accept") ?? "";
    const [type] = new Negotiator({ headers: { accept } }).mediaTypes(["application/json", PROGRAM_MEDIA_TYPE]);
    const isProgram = type === PROGRAM_MEDIA_TYPE;
    const { text, etag } = view.document(isProgram);
    return conditional(req, text, { ...CACHED, ETag: etag, ...(isProgram && { "Content-Type": PROGRAM_MEDIA_TYPE }) });
  });

  app.get(`${API}/openfeature/stream`, async ({ req }) => {
    const credentials = credentialsOf(req);
    return streams.open(await viewOf(credentials), credentials, req.headers.get("last-event-id"));
  });

  app.post(`${API}/openfeature/evaluate`, async (event) => {
    const [view, question] = await questioned(event, contract["POST /openfeature/evaluate"].body);
    return json(200, answerOpenFeature(view, question));
  });

  app.post(`${API}/openfeature/bulk-evaluate`, async (event) => {
    const [view, questions] = await questioned(event, contract["POST /openfeature/bulk-evaluate"].body);
    return json(
      200,
      questions.map((question) => answerOpenFeature(view, question)),
    );
  });

  app.post(`${API}/feature-flags/:key/evaluate`, async (event) => {
    const route = contract["POST /feature-flags/{key}/evaluate"];
    const [view, { user_id, attributes }] = await questioned(event, route.body);
    const key = decodeURIComponent(event.context.params!.key!);
    const { explain } = validate(route.query, Object.fromEntries(event.url.searchParams), "query");
    const result = ask(view, key, { ...attributes, targetingKey: user_id } as EvaluationContext, explain);
    if (!result) throw new Refusal(404, "Resource not found");
    // The API does not report it.
    const { forced: _forced, ...answer } = result;
    return json(200, { ...answer, key });
  });

  /** Keeps the events of a request. @throws Refusal 503 without room for them */
  async function keep(at: number, sender: Sender | null, events: object[]): Promise<void> {
    try {
      await buffer.append({ at, sender, events });
    } catch (error) {
      const reason = error instanceof BufferFull ? "The event buffer is full" : "The event buffer cannot be written";
      throw unavailable(`${reason}; send the events again later`, FULL_RETRY);
    }
  }

  async function receive(event: H3Event, isBulk: boolean) {
    const credentials = credentialsOf(event.req);
    const { kind, id, allowed_origins } = await access.admit(credentials, "write");
    const body = await readBody(event.req, isBulk);
    const idempotencyKey = event.req.headers.get("idempotency-key");
    const at = now();
    const receipt = { at, repeatable: idempotencyKey === null ? null : `${id} ${idempotencyKey}` };
    // Without other origins, all events of a key fit one request.
    const origin = allowed_origins.length > 0 ? credentials.origin : null;
    const sender = kind === "CLIENT" ? { key: credentials.key, origin } : null;
    const store = (events: object[]) => keep(at, sender, events);
    return { body, receipt, store };
  }

  app.post(`${API}/tracking/track`, async (event) => {
    const { body, receipt, store } = await receive(event, false);
    const tracked = readEvent(body, receipt);
    await store([tracked]);
    return json(201, { event_id: tracked.event_id, duplicate: false });
  });

  app.post(`${API}/tracking/events`, async (event) => {
    const { body, receipt, store } = await receive(event, true);
    const { events, errors } = readEvents(body, receipt);
    await store(events);
    const rejected = new Set(errors.map(({ index }) => index)).size;
    return json(201, { accepted: events.length, duplicates: 0, rejected, errors });
  });

  for (const prefix of ["", API]) {
    app.post(`${prefix}/ofrep/v1/evaluate/flags`, (event) =>
      ofrep(undefined, async () => {
        const view = await viewOf(credentialsOf(event.req, true));
        const { text, etag } = answerAllOfrep(view, readContext(await readBody(event.req)));
        return conditional(event.req, text, { "Cache-Control": "no-store", ETag: etag });
      }),
    );
    app.post(`${prefix}/ofrep/v1/evaluate/flags/:key`, (event) => {
      const key = decodeURIComponent(event.context.params!.key!);
      return ofrep(key, async () => {
        const view = await viewOf(credentialsOf(event.req, true));
        const { status, body } = answerOfrep(view, key, readContext(await readBody(event.req)));
        return json(status, body);
      });
    });
  }
}

/** Answers refusals in the form of the protocol. */
async function ofrep(key: string | undefined, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const code = error instanceof OfrepRefusal ? error.code : error.status === 400 ? "PARSE_ERROR" : undefined;
    return json(error.status, { key, errorCode: code, errorDetails: error.message }, error.headers);
  }
}

/** @param isBearer whether the key may also be a bearer token @throws Refusal 401 */
function credentialsOf({ headers }: Request, isBearer = false): Credentials {
  const [, token] = (isBearer && /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")) || [];
  const key = headers.get("x-api-key") ?? token;
  if (!key) throw new Refusal(401, "Not authenticated", { "WWW-Authenticate": "Bearer" });
  return { key, origin: headers.get("origin") };
}

/** @throws Refusal 422 */
function validate<T extends z.ZodType>(schema: T, value: unknown, place = "body"): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Refusal(422, toIssues(parsed.error, [place]));
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...STANDARD, "Cache-Control": "no-store", ...headers } });
}

/** Creates a JSON response, or a 304 if the client has it. Proxies weaken the ETags of compressed responses. */
function conditional(request: Request, text: string, headers: Record<string, string>): Response {
  const opaque = (tag = "") => tag.trim().replace(/^W\//, "");
  const known = request.headers.get("if-none-match")?.split(",").map(opaque) ?? [];
  if (known.includes("*") || known.includes(opaque(headers.ETag))) return new Response(null, { status: 304, headers });
  return new Response(text, {
    headers: { ...STANDARD, "Content-Type": "application/json; charset=utf-8", ...headers },
  });
}
