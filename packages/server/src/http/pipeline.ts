import type { Route } from "@assay/contract";
import type { Overrides } from "@assay/core/overrides";
import * as z from "zod";
import { type Awaitable, andThen, orElse } from "../ground/awaitable.ts";
import { ApiError, invalid } from "../ground/errors.ts";
import type { Guard } from "../identity/guard.ts";
import type { Services } from "../services.ts";
import { preferredOver } from "./accept.ts";
import { emptyResponse, jsonResponse, toErrorResponse } from "./boundary.ts";
import type { Cors } from "./cors.ts";
import { type Admitted, type Entry, type EntryDeps, enter, type Incoming } from "./enter.ts";
import { cacheHeaders, etagOf, isFresh, versionAskedFor } from "./etag.ts";
import { parseAnswer } from "./finite.ts";
import type { Call } from "./handler.ts";
import type { Idempotency } from "./idempotency.ts";
import { nameIgnored } from "./ignored-fields.ts";
import type { Body } from "./prepared-response.ts";
import { serializeWithin } from "./response-limit.ts";
import { createSharedWriter, SharedAnswer } from "./shared-answer.ts";
import { ignoredFields, validate } from "./validate.ts";

/** Dependencies of the request pipeline. */
export interface PipelineDeps extends EntryDeps {
  services: Services;
  guard: Guard;
  idempotency: Idempotency;
  /** Overrides from a signed token. @throws ApiError 400 for an invalid token */
  overrides: (request: Request) => Awaitable<Overrides | null>;
  /** Null if CORS is off. */
  cors: Cors | null;
}

/** The response body of a stored value, and its ETag once a response needed it. */
interface Prepared {
  body: Body;
  etag: string | undefined;
}

/** The length from which the body of a stored value is kept as bytes. A shorter text is sent faster with its headers. */
const BYTES_FROM = 8_192;

/** One endpoint. It never rejects. */
export type Endpoint = (incoming: Incoming) => Awaitable<Response>;

type AnyHandler = (call: Call) => unknown;

/** Without `no-transform`, compression in front of the server (in Next.js, in Express) would hold back events. */
const UNCHANGED = { "Cache-Control": "no-store, no-transform" };

/** {@link enter} -> validate -> handler -> response schema -> JSON */
export function createEndpoint(
  route: Route,
  handler: AnyHandler,
  deps: PipelineDeps,
  isCrossOrigin: boolean,
): Endpoint {
  const { base, runtime, services, guard, access, bodies, idempotency, overrides, peer } = deps;
  const success = route.status ?? 200;
  const isSignIn = route.limit === "auth";
  const isRepeatable = success === 201 || route.idempotent === true;
  const isCached = route.cache === "definitions" || route.cache === "results";
  const parameters = Object.keys(route.query?.shape ?? {});
  const isPaged = parameters.includes("skip") || parameters.includes("page");
  const mediaTypes = Object.keys(route.representations ?? {});
  const isStream = route.produces?.includes("text/event-stream") === true;
  const caching = isStream ? UNCHANGED : cacheHeaders(route.cache, mediaTypes.length > 0);
  // Most requests have no query, so their defaults are parsed once.
  const withoutQuery = route.query?.safeParse({}).data;
  // Stored values are replaced, never mutated, so the text of an object can be reused.
  const prepared = new WeakMap<object, Prepared | ApiError>();
  const writeShared = route.response && createSharedWriter(route.response, parse);
  const isList = mayBeList(route.response);

  const entry: Entry = {
    limit: route.limit,
    reads: route.action === "READ",
    cors: isCrossOrigin ? deps.cors : null,
    admit: ({ request }, actor) => guard.admit(request, route, actor),
    ...(isSignIn && { readFirst: (request: Request) => bodies.value(request, route) }),
    answer(exchange) {
      const { request } = exchange;
      if (isSignIn || request.method === "GET") return repeatOrPerform(exchange);
      return andThen<unknown, Response>(route.raw ? bodies.bytes(request) : bodies.value(request, route), (body) => {
        exchange.body = body;
        return repeatOrPerform(exchange);
      });
    },
  };

  return (incoming) => enter(incoming, entry, deps);

  function repeatOrPerform(exchange: Admitted): Awaitable<Response> {
    const key = isRepeatable ? exchange.request.headers.get("idempotency-key") : null;
    return key === null ? perform(exchange) : performOnce(key, exchange);
  }

  function perform(exchange: Admitted): Awaitable<Response> {
    const accept = mediaTypes.length > 0 ? exchange.request.headers.get("accept") : null;
    const representation = accept === null ? undefined : preferredOver(accept, mediaTypes);
    return orElse(
      () => {
        const call = toCall(exchange, representation);
        // From here on only the handler holds the body. The garbage collector would copy a batch of events again and
        // again while its handler waits for the disk.
        exchange.body = undefined;
        return andThen(handler(call), (value) => respond(exchange, value, representation));
      },
      (error) => {
        access.denied(exchange.caller, route.operationId, error);
        throw error;
      },
    );
  }

  /** Like `perform`, for requests with an `Idempotency-Key`. Keeps the response. */
  async function performOnce(key: string, exchange: Admitted): Promise<Response> {
    const { request, url, caller, body, headers } = exchange;
    const { method } = request;
    const repeatable = { key, caller, method, path: url.pathname + url.search, body, once: route.once };
    const response = await idempotency.answer(repeatable, async () =>
      orElse(
        () => perform(exchange),
        (error) => toErrorResponse(error, headers, runtime.logger, undefined, base),
      ),
    );
    // Stored responses lack the headers of this request, such as its id and the remaining limit.
    return withHeaders(response, headers);
  }

  function toCall({ body, headers, caller, request, url, params }: Admitted, representation?: string): Call {
    const path = decodeParams(params);
    const call = {
      params: route.params ? validate(route.params, path, "path") : path,
      query: queryOf(url),
      body: route.body ? validate(route.body, body, "body") : undefined,
      caller,
      services,
      request,
      ifVersion: request.method === "GET" ? undefined : versionAskedFor(request),
      change: (action: string, reason?: string) => ({ actor: caller.actor, caller, action, reason }),
      isSecure: () => peer.isSecure(request),
      headers,
      representation,
      forced: () => overrides(request),
    };
    if (isStream) Object.assign(call, { readmit: async () => guard.admit(request, route, caller.actor) });
    if (route.body && body !== undefined) nameIgnored(ignoredFields(route.body, body), route, request, headers);
    return call as Call;
  }

  function queryOf(url: URL): unknown {
    if (!route.query) return {};
    if (url.search === "" && withoutQuery) return { ...withoutQuery };
    return validate(route.query, Object.fromEntries(url.searchParams), "query");
  }

  function respond(exchange: Admitted, value: unknown, representation?: string): Awaitable<Response> {
    const { url, headers } = exchange;
    Object.assign(headers, caching);
    if (value instanceof Response) return withHeaders(value, headers);
    if (!route.response) return emptyResponse(success, headers);
    const total = isList ? totalOf(value, isPaged) : undefined;
    if (total !== undefined) headers["X-Total-Count"] ??= String(total);
    // Other representations are large and written by one function. Their tests check the contract.
    const body = serialize(representation === undefined ? route.response : undefined, value, url, headers);
    return andThen(body, (written) => toResponse(exchange, value, written, representation));
  }

  function toResponse({ request, headers }: Admitted, value: unknown, body: Body, representation?: string): Response {
    if (isCached) {
      const etag = headers.ETag ?? tagOnce(value as object, body);
      headers.ETag = etag;
      if (isFresh(request, etag)) return emptyResponse(304, headers);
    }
    if (route.signed) headers["X-Audit-Signature"] = services.compliance.sign(String(body));
    return jsonResponse(success, body, headers, representation);
  }

  function parse(schema: z.ZodType, part: unknown): unknown {
    return parseAnswer(schema, part, (numbers) =>
      runtime.logger.warn("A response contained numbers that are not finite", {
        operation: route.operationId,
        numbers,
      }),
    );
  }

  /** Serializes through the response schema, so that only fields of the contract are sent. */
  function serialize(
    schema: z.ZodType | undefined,
    value: unknown,
    url: URL,
    headers: Record<string, string>,
  ): Awaitable<Body> {
    if (value instanceof SharedAnswer && writeShared) return writeShared(value);
    const cached = isCached ? prepared.get(value as object) : undefined;
    if (cached instanceof ApiError) throw cached;
    if (cached) return cached.body;
    if (isCached) return serializeOnce(schema, value as object, url, headers);
    return andThen(serializeWithin(schema, value, url, isPaged ? parameters : null, { parse }), ({ text, link }) => {
      if (link !== undefined) headers.Link = link;
      return text;
    });
  }

  /** Serializes a stored value and keeps its body. Keeps the error too, because measuring a large response takes time. */
  function serializeOnce(
    schema: z.ZodType | undefined,
    value: object,
    url: URL,
    headers: Record<string, string>,
  ): Awaitable<Body> {
    return orElse(
      () =>
        andThen(serializeWithin(schema, value, url, isPaged ? parameters : null, { parse }), ({ text, link }) => {
          const body = text.length < BYTES_FROM ? text : Buffer.from(text);
          if (link !== undefined) headers.Link = link;
          else prepared.set(value, { body, etag: undefined });
          return body;
        }),
      (error) => {
        if (error instanceof ApiError) prepared.set(value, error);
        throw error;
      },
    );
  }

  /** Returns the ETag of a body. Hashes the body of a stored value once. */
  function tagOnce(value: object, body: Body): string {
    const cached = prepared.get(value);
    if (!cached || cached instanceof ApiError) return etagOf(value, body);
    cached.etag ??= etagOf(value, body);
    return cached.etag;
  }
}

/** Whether an answer may be a list, or have `items`. Most are one resource, and need no look at each answer. */
function mayBeList(schema: z.ZodType | undefined): boolean {
  return !(schema instanceof z.ZodObject) || "items" in schema.shape;
}

/** Returns the number of all items of a list: the `total` of a page, or the length of a list without pages. */
function totalOf(value: unknown, isPaged: boolean): number | undefined {
  if (Array.isArray(value)) return isPaged ? undefined : value.length;
  const { items, total } = Object(value) as { items?: unknown; total?: unknown };
  return Array.isArray(items) && typeof total === "number" ? total : undefined;
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

function decodeParams(params: Record<string, string>): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const name in params) decoded[name] = decodeParam(name, params[name]!);
  return decoded;
}

function decodeParam(name: string, value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    throw invalid(["path", name], "Not valid percent-encoding");
  }
}
