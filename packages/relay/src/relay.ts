import type { IncomingMessage, ServerResponse } from "node:http";
import { CurrentApiKey } from "@assay/contract";
import type { ConnectionError } from "@assay/sdk";
import { createTimer } from "@assay/sdk/internal";
import { H3, HTTPError, handleCors } from "h3-v2";
import { toNodeHandler } from "srvx/node";
import { openAccess } from "./access.ts";
import { openBuffer } from "./buffer/buffer.ts";
import { createDelivery } from "./buffer/delivery.ts";
import { takeDirectory } from "./ground/directory.ts";
import { type RelayOptions, readSettings, type Settings } from "./ground/option.ts";
import { Refusal, unavailable } from "./ground/refusal.ts";
import { connectAs, detailOf, parse } from "./ground/upstream.ts";
import { healthOf } from "./health.ts";
import { json, mountRoutes } from "./routes.ts";
import { createStreams } from "./stream.ts";
import { createView } from "./view.ts";

/** A running relay, mounted in the server of the host. */
export interface Relay {
  /** Handles a web request. */
  fetch(request: Request): Promise<Response>;
  /** Handles a `node:http` request. */
  node: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Resolves when the relay has definitions. Rejects with an `Error` that says what to do if the upstream refuses a key,
   * if it does not respond and the directory has no definitions, or if the directory cannot be used.
   */
  ready: Promise<void>;
  /** Ends the live streams, so that the host can finish its requests before it closes. */
  endStreams(): void;
  /** Stops. Events that the upstream does not have stay in the directory, for the next start. */
  close(): Promise<void>;
}

/** How long after a change the definitions of CLIENT keys are fetched again, in case another node responded at first. */
const NODES_AGREE_MS = 1_500;

/**
 * Creates a relay: it evaluates flags, serves definitions and streams changes with what it has from its upstream, and
 * keeps events until the upstream has them. It needs no store.
 * @example
 * const relay = createRelay({ upstream: "https://flags.example.org", apiKey, clientKey, directory: "/var/lib/relay" });
 * await relay.ready;
 * createServer(relay.node).listen(4400);
 * @throws OptionError if an option is missing or invalid
 */
export function createRelay(options: RelayOptions): Relay {
  const settings = readSettings(options);
  // Checks the address and the key at once.
  const connection = connectAs(settings, settings.apiKey, null);
  if (settings.clientKey !== undefined) connectAs(settings, settings.clientKey, null);
  let running: Awaited<ReturnType<typeof start>> | undefined;

  async function start() {
    const directory = await takeDirectory(settings.directory);
    try {
      await requireKey(settings, "apiKey", settings.apiKey, "SERVER");
      if (settings.clientKey !== undefined) await requireKey(settings, "clientKey", settings.clientKey, "CLIENT");
      const view = (apiKey: string, file: string, streaming: boolean) =>
        createView(settings, directory, { apiKey, file, streaming });
      const server = view(settings.apiKey, "definitions.json", true);
      const { clientKey } = settings;
      const client = clientKey === undefined ? undefined : view(clientKey, "client-definitions.json", false);
      await openOr(() => server.open());
      if (client) await openOr(() => client.open());
      const access = await openAccess(directory, settings);
      const streams = createStreams(access, settings.maxStreams);
      const wake = () => delivery.wake();
      const buffer = await openBuffer(directory, settings.maxBufferBytes, settings.logger, wake);
      const delivery = createDelivery(settings, connection, buffer);
      const again = createTimer();
      server.onChange((version, change) => {
        streams.announce(server, version, change);
        client?.refresh();
        again.set(NODES_AGREE_MS, () => client?.refresh());
      });
      if (client) client.onChange((version, change) => streams.announce(client, version, change));
      delivery.wake();
      const deps = { access, server, client, streams, buffer, delivery, now: settings.now };
      return { ...deps, directory, app: createApp(settings, deps), again };
    } catch (error) {
      await directory.release();
      throw error;
    }
  }

  const started = start();
  const ready = started.then((parts) => {
    running = parts;
  });
  ready.catch(() => {});

  async function fetch(request: Request): Promise<Response> {
    if (!running) {
      if (new URL(request.url).pathname === "/healthz") return json(200, { status: "ok" });
      return toErrorResponse(unavailable("The relay is starting", 1), settings);
    }
    return running.app.fetch(request);
  }

  return {
    fetch,
    node: toNodeHandler(fetch) as Relay["node"],
    ready,
    endStreams: () => running?.streams.close(),
    async close() {
      await ready.catch(() => {});
      if (!running) return;
      const { server, client, access, streams, buffer, delivery, directory, again } = running;
      again.clear();
      streams.close();
      await delivery.close();
      await buffer.close();
      await Promise.all([server.close(), client?.close(), access.close()]);
      await directory.release();
    },
  };
}

type AppDeps = Parameters<typeof mountRoutes>[1] & Parameters<typeof healthOf>[0];

function createApp(settings: Settings, deps: AppDeps): H3 {
  const app = new H3({ silent: true, onError: (error) => toErrorResponse(error.cause ?? error, settings) });
  const { cors } = settings;
  if (cors) {
    const origin = cors.origins.includes("*") ? "*" : cors.origins;
    app.use((event) => {
      const answer = handleCors(event, { origin, methods: "*", allowHeaders: "*", exposeHeaders: "*", preflight: {} });
      return answer === false ? undefined : answer;
    });
  }
  app.get("/healthz", () => json(200, { status: "ok" }));
  app.get("/readyz", () => json(200, healthOf(deps)));
  mountRoutes(app, deps);
  app.all("/**", () => {
    throw new Refusal(404, "A relay does not serve this path; send the request to its server");
  });
  return app;
}

/** Checks a key of the relay. If the upstream does not respond, the relay starts with what it has. */
async function requireKey(settings: Settings, option: string, key: string, kind: CurrentApiKey["kind"]): Promise<void> {
  const response = await connectAs(settings, key, null)
    .request({ path: "/api-keys/current", headers: {} })
    .catch(() => undefined);
  if (!response || response.status >= 500 || response.status === 429) return;
  const detail = detailOf(response);
  if (detail !== undefined && (response.status === 401 || response.status === 403)) {
    throw new Error(`${option}: the upstream refuses this key: ${detail}`);
  }
  const answer = CurrentApiKey.safeParse(response.status === 200 ? parse(response.text) : undefined);
  if (!answer.success) {
    throw new Error(
      `upstream: this address answers ${response.status}, and not as an Assay server that supports relays`,
    );
  }
  if (answer.data.kind !== kind) throw new Error(`${option} must be a ${kind} key, not a ${answer.data.kind} key`);
  if (kind === "SERVER" && !answer.data.scopes.includes("write")) throw new Error(`${option} needs the scope write`);
}

async function openOr(open: () => Promise<void>): Promise<void> {
  try {
    await open();
  } catch (error) {
    const { message } = error as ConnectionError;
    throw new Error(`${message}, and the directory has no definitions of an earlier run`, { cause: error });
  }
}

function toErrorResponse(error: unknown, { logger }: Settings): Response {
  if (error instanceof Refusal) return json(error.status, { detail: error.detail }, error.headers);
  if (error instanceof RangeError) return json(400, { detail: "Request body nests too deep" });
  if (HTTPError.isError(error) && error.status < 500) return json(error.status, { detail: error.message });
  logger.warn(`Unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return json(500, { detail: "Internal server error" });
}
