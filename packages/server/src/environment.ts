import { join } from "node:path";
import { contract } from "@assay/contract";
import type { ReadonlyEngine } from "@assay/core";
import type { AreaInput } from "./area.ts";
import type { Context } from "./context.ts";
import { withUsage } from "./definitions/flag-usage.ts";
import type { Awaitable } from "./ground/awaitable.ts";
import { createApp } from "./http/app.ts";
import { standardHeaders, toErrorResponse } from "./http/boundary.ts";
import { CONSOLE_PATH, mountConsole } from "./http/console.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createPerform } from "./http/perform.ts";
import type { PipelineDeps } from "./http/pipeline.ts";
import { mountRoutes } from "./http/router.ts";
import { mountHealth, mountNoApi, mountSystem } from "./http/system.ts";
import { createGuard } from "./identity/guard.ts";
import type { AssayOptions } from "./options.ts";
import { handlers } from "./routes.ts";
import { type Composition, compose } from "./services.ts";

/** One environment of a server: the whole API over its own data. The users are those of the first environment. */
export interface Environment {
  name: string;
  engine: ReadonlyEngine;
  /** What {@link start} has created. */
  readonly composed: Composition | undefined;
  /** Starts the environment; call it for the first one first. */
  start(): Promise<void>;
  /** Handles a request, once the environment has started. */
  answer(request: Request): Awaitable<Response>;
  /** Whether a request that names no environment belongs to this one. */
  claims(request: Request): boolean;
  /** Applies the changes of other nodes. */
  catchUp(): Promise<void>;
  /** Ends the live streams. */
  endStreams(): void;
  /** Finishes work in progress. The first environment closes the store. */
  close(): Promise<void>;
}

/** What the environments of a server have in common. */
export interface ServerParts extends Pick<PipelineDeps, "limiter" | "peer" | "bodies" | "overrides" | "cors"> {
  base: string;
  /** Why writes to the store fail in an environment; null while they succeed. */
  failure(): string | null;
}

/** @param home the first environment; undefined for the first itself */
export function createEnvironment(
  context: Context,
  options: AssayOptions,
  { base, failure, ...server }: ServerParts,
  home?: Environment,
): Environment {
  const { runtime, store, announcements, audit, access, collections, environment } = context;
  const idempotency = createIdempotency(store, runtime);
  let composed: Composition | undefined;
  let app: ReturnType<typeof createApp> | undefined;

  return {
    name: environment.name,
    engine: withUsage(context.engine, context.flagUsage, runtime.metrics),
    get composed() {
      return composed;
    },
    async start() {
      const own = home ? optionsBeside(options, environment.name) : options;
      const api: AreaInput["api"] = {
        allows: (...question) => guard.allows(...question),
        dispatch: (request) => routes.fetch(request),
        perform: createPerform(handlers, () => composed!.services),
      };
      composed = await compose(context, own, api, home?.composed);
      const { services, tokens } = composed;
      const guard = createGuard({ ...services, access });
      const deps = { ...server, base, runtime, services, guard, access, idempotency };
      const routes = createApp({
        onError: (error) => toErrorResponse(error, standardHeaders(runtime.id()), runtime.logger),
      });
      const landing = options.console ? `${CONSOLE_PATH}/` : "/docs";
      const copyStatus = context.analysis.status;
      const roles = [...context.roles];
      mountHealth(routes, base, { store, roles, writes: { failure }, copyStatus, runtime });
      if (context.roles.has("api")) {
        mountSystem(routes, base, { tokens, runtime, home: landing });
        if (options.console) mountConsole(routes, base, options.console, runtime);
        composed.mount(routes, base, deps);
        mountRoutes(routes, base, contract, handlers, deps);
      } else mountNoApi(routes);
      idempotency.start();
      await composed.start();
      app = routes;
    },
    answer: (request) => app!.fetch(request),
    claims: (request) => composed?.claims(request) ?? false,
    catchUp: collections.catchUp,
    endStreams() {
      announcements.close();
      audit.feed.close();
    },
    async close() {
      announcements.close();
      idempotency.close();
      await composed?.close();
      await context.close();
    },
  };
}

/** Returns the options of an environment beside the first one, which alone has users and the exports directory itself. */
function optionsBeside(options: AssayOptions, name: string): AssayOptions {
  const { admin: _admin, identity: _identity, exports, ...rest } = options;
  return { ...rest, ...(exports && { exports: { ...exports, directory: join(exports.directory, name) } }) };
}
