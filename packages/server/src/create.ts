import { contract, type TrackingEvent } from "@assay/contract";
import type { ReadonlyEngine } from "@assay/core";
import { type Context, createContext } from "./context.ts";
import { withUsage } from "./definitions/flag-usage.ts";
import type { EventAnswer } from "./events/ingest.ts";
import { createApp } from "./http/app.ts";
import { createBodies } from "./http/body.ts";
import { standardHeaders, toErrorResponse } from "./http/boundary.ts";
import { CONSOLE_PATH, mountConsole } from "./http/console.ts";
import { createCors } from "./http/cors.ts";
import { requireHttps } from "./http/https-rule.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createLimiter, DEFAULT_LIMITS } from "./http/limits.ts";
import { observeRequests } from "./http/observation.ts";
import { createOverrides } from "./http/overrides.ts";
import { createPeer } from "./http/peer.ts";
import { API_PREFIX, mountRoutes } from "./http/router.ts";
import { mountSystem } from "./http/system.ts";
import { createGuard } from "./identity/guard.ts";
import { createNodeHandler, type NodeHandler } from "./node.ts";
import { type AssayOptions, definedOnly } from "./options.ts";
import { handlers } from "./routes.ts";
import { type Composition, compose } from "./services.ts";

/** A running server, mounted in the server of the host. */
export interface Assay {
  /** Handles a web request. */
  fetch(request: Request): Promise<Response>;
  /** Handles a `node:http` request. Also an Express middleware. */
  node: NodeHandler;
  /** Evaluates in-process without HTTP. Sees every change at once. */
  engine: ReadonlyEngine;
  /**
   * Records one event in-process, like `POST /tracking/track`. Resolves once the event is durable.
   * @throws ApiError 422 if the event is invalid
   */
  track(event: TrackingEvent): Promise<EventAnswer>;
  /** Resolves when the server has loaded the data. Requests wait for it. Rejects if the store does not open. */
  ready: Promise<void>;
  /**
   * Returns the metrics of this process in the text format of Prometheus. They are for operators, so serve them where the
   * public cannot reach them. Rejects without the option `metrics`.
   */
  metrics(): Promise<Response>;
  /** Ends the live streams, so that the host can finish its requests before it closes. */
  endStreams(): void;
  /** Finishes work in progress and closes the store. */
  close(): Promise<void>;
}

/**
 * Creates a server on any storage.
 *
 * @example
 * const assay = createAssay({ storage: lmdbStore({ path: "data" }), admin: { username: "admin", password } });
 * createServer(assay.node).listen(4400);
 */
export function createAssay(options: AssayOptions = {}): Assay {
  return assembleAssay(createContext(options), options);
}

/** Creates the server on a context. */
export function assembleAssay(context: Context, options: AssayOptions): Assay {
  const base = (options.basePath ?? "").replace(/\/$/, "");
  const { runtime, store, announcements, audit } = context;
  const peer = createPeer(options.trustProxy);
  const cors = options.cors ? createCors(options.cors) : null;
  const bodies = createBodies(options.bodyDeadlineMs);
  const overrides = createOverrides(options.overrides, runtime);
  const idempotency = createIdempotency(store, runtime);
  const limits = options.rateLimit === false ? false : { ...DEFAULT_LIMITS, ...definedOnly(options.rateLimit ?? {}) };
  const namespace = options.namespace || "default";
  const limiter = createLimiter(limits, { runtime, store: options.rateLimitStore, namespace });
  let composed: Composition | undefined;

  async function start() {
    await context.open();
    composed = await compose(context, options, {
      allows: (...question) => guard.allows(...question),
      dispatch: (request) => app.fetch(request),
    });
    const { services, tokens } = composed;
    const { access } = context;
    const guard = createGuard({ ...services, access });
    const deps = { runtime, services, guard, limiter, peer, access, bodies, idempotency, overrides, cors };
    const app = createApp({
      onError: (error) => toErrorResponse(error, standardHeaders(runtime.id()), runtime.logger),
    });
    const home = options.console ? `${CONSOLE_PATH}/` : "/docs";
    mountSystem(app, base, { store, writes: context.writes, tokens, runtime, home });
    if (options.console) mountConsole(app, base, options.console, runtime);
    composed.mount(app, base, deps);
    mountRoutes(app, base, contract, handlers, deps);
    idempotency.start();
    await composed.start();
    return { services, answer: options.requireHttps ? requireHttps(app.fetch, peer, runtime) : app.fetch };
  }

  const started = start();
  /** Set after the start, so that later requests do not wait. */
  let answer: Awaited<typeof started>["answer"] | undefined;
  const ready = started.then((running) => {
    answer = running.answer;
  });
  ready.catch(() => {});

  const answerAll = async (request: Request): Promise<Response> => {
    try {
      return await (answer ?? (await started).answer)(request);
    } catch (error) {
      return toErrorResponse(error, standardHeaders(runtime.id()), runtime.logger);
    }
  };

  const fetch = observeRequests(answerAll, runtime, peer, options.accessLog);

  return {
    fetch,
    node: createNodeHandler(fetch, (path) => owns(base, path, options.console !== undefined)),
    engine: withUsage(context.engine, context.flagUsage, runtime.metrics),
    async track(event) {
      return (await started).services.tracking.track(event);
    },
    ready,
    async metrics() {
      const { text, contentType } = await runtime.metrics.collect();
      return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
    },
    endStreams() {
      announcements.close();
      audit.feed.close();
    },
    async close() {
      announcements.close();
      await ready.catch(() => {});
      idempotency.close();
      await composed?.close();
      await context.close();
    },
  };
}

const SYSTEM_PATHS = [
  "/healthz",
  "/readyz",
  "/.well-known/jwks.json",
  "/openapi.json",
  "/docs",
  "/oidc/login",
  "/oidc/callback",
  "/openfeature/v0/manifest",
];

/** Whether Assay serves a path. As a middleware it passes other paths to the host. */
function owns(base: string, path: string, hasConsole: boolean): boolean {
  if (!path.startsWith(base)) return false;
  const own = path.slice(base.length);
  if (hasConsole && (own === CONSOLE_PATH || own.startsWith(`${CONSOLE_PATH}/`))) return true;
  return (
    own === API_PREFIX || own.startsWith(`${API_PREFIX}/`) || own.startsWith("/ofrep/") || SYSTEM_PATHS.includes(own)
  );
}
