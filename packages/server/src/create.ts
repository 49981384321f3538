import type { TrackingEvent } from "@assay/contract";
import type { ReadonlyEngine } from "@assay/core";
import { type Context, createContexts } from "./context.ts";
import { createEnvironment, type Environment } from "./environment.ts";
import type { EventAnswer } from "./events/ingest.ts";
import { type Awaitable, orElse } from "./ground/awaitable.ts";
import { createBodies } from "./http/body.ts";
import { standardHeaders, toErrorResponse } from "./http/boundary.ts";
import { CONSOLE_PATH } from "./http/console.ts";
import { createCors } from "./http/cors.ts";
import { requestIdOf } from "./http/enter.ts";
import { chooseEnvironment } from "./http/environment-choice.ts";
import { requireHttps } from "./http/https-rule.ts";
import { createLimiter, DEFAULT_LIMITS } from "./http/limits.ts";
import { observeRequests } from "./http/observation.ts";
import { createOverrides } from "./http/overrides.ts";
import { createPeer } from "./http/peer.ts";
import { API_PREFIX } from "./http/router.ts";
import { createNodeHandler, type NodeHandler } from "./node.ts";
import { type AssayOptions, definedOnly } from "./options.ts";

/** What an environment offers in this process. */
export interface EnvironmentParts {
  /** Evaluates in-process without HTTP. Sees every change at once. */
  engine: ReadonlyEngine;
  /**
   * Records one event in-process, like `POST /tracking/track`. Resolves once the event is durable.
   * @throws ApiError 422 if the event is invalid
   */
  track(event: TrackingEvent): Promise<EventAnswer>;
}

/** A running server, mounted in the server of the host. `engine` and `track` are those of the first environment. */
export interface Assay extends EnvironmentParts {
  /** Handles a web request. */
  fetch(request: Request): Promise<Response>;
  /** Handles a `node:http` request; the promise resolves after the response. Also an Express middleware. */
  node: NodeHandler;
  /** Returns the parts of one of the option `environments`. @throws TypeError for another name */
  environment(name: string): EnvironmentParts;
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
  return assembleAssay(createContexts(options), options);
}

/** Creates the server on the contexts of its environments. */
export function assembleAssay(contexts: [Context, ...Context[]], options: AssayOptions): Assay {
  const base = (options.basePath ?? "").replace(/\/$/, "");
  const [{ runtime }] = contexts;
  const peer = createPeer(options.trustProxy);
  const limits = options.rateLimit === false ? false : { ...DEFAULT_LIMITS, ...definedOnly(options.rateLimit ?? {}) };
  const namespace = options.namespace || "default";
  const failure = () => contexts.map(({ writes }) => writes.failure()).find((reason) => reason !== null) ?? null;
  const server = {
    base,
    peer,
    failure,
    cors: options.cors ? createCors(options.cors) : null,
    bodies: createBodies(options.bodyDeadlineMs),
    overrides: createOverrides(options.overrides, runtime),
    limiter: createLimiter(limits, { runtime, store: options.rateLimitStore, namespace }),
  };
  const first = createEnvironment(contexts[0], options, server);
  const others = contexts.slice(1).map((context) => createEnvironment(context, options, server, first));
  const environments = [first, ...others] as const;
  const choose = chooseEnvironment([first, ...others]);
  runtime.metrics.watch({
    streams: () => ({
      definitions: sum(contexts.map(({ announcements }) => announcements.count)),
      audit: sum(contexts.map(({ audit }) => audit.feed.count)),
    }),
    isWritable: () => failure() === null,
    // Without a namespace, the first environment counts the records of the whole store.
    damagedRecords: () =>
      sum((options.namespace ? contexts : contexts.slice(0, 1)).map((one) => one.store.quarantined().length)),
  });

  async function start() {
    for (const context of contexts) await context.open();
    for (const environment of environments) await environment.start();
    return options.requireHttps ? requireHttps(choose, peer, runtime) : choose;
  }

  const started = start();
  /** Set after the start, so that later requests do not wait. */
  let answer: Awaited<typeof started> | undefined;
  const ready = started.then((running) => {
    answer = running;
  });
  ready.catch(() => {});

  const answerAll = (request: Request): Awaitable<Response> =>
    orElse(
      () => (answer ? answer(request) : started.then((running) => running(request))),
      (error) => toErrorResponse(error, standardHeaders(requestIdOf(request, runtime)), runtime.logger),
    );

  const respond = observeRequests(answerAll, runtime, peer, options.accessLog);
  const partsOf = (environment: Environment): EnvironmentParts => ({
    engine: environment.engine,
    async track(event) {
      await started;
      return environment.composed!.services.tracking.track(event);
    },
  });

  return {
    fetch: async (request) => respond(request),
    node: createNodeHandler(respond, (path) => owns(base, path, options.console !== undefined)),
    ...partsOf(first),
    environment(name) {
      const found = environments.find((one) => one.name === name);
      if (!found) throw new TypeError(`There is no environment "${name}"`);
      return partsOf(found);
    },
    ready,
    async metrics() {
      const { text, contentType } = await runtime.metrics.collect();
      return new Response(text, { headers: { "Content-Type": contentType, "Cache-Control": "no-store" } });
    },
    endStreams() {
      for (const environment of environments) environment.endStreams();
    },
    async close() {
      for (const environment of environments) environment.endStreams();
      await ready.catch(() => {});
      for (const environment of environments.toReversed()) await environment.close();
    },
  };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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
  const own = path.slice(base.length).replace(/\/$/, "");
  if (hasConsole && (own === CONSOLE_PATH || own.startsWith(`${CONSOLE_PATH}/`))) return true;
  return (
    own === API_PREFIX || own.startsWith(`${API_PREFIX}/`) || own.startsWith("/ofrep/") || SYSTEM_PATHS.includes(own)
  );
}
