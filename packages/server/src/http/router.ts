import { type Area, parseRouteKey, type Route, type RouteKey } from "@assay/contract";
import type { EventHandler, H3 } from "h3-v2";
import { addRoute, createRouter, findRoute, type RouterContext } from "rou3";
import { ApiError, notFound } from "../ground/errors.ts";
import { needsCredentials } from "../identity/guard.ts";
import { ANY_PATH } from "./app.ts";
import { standardHeaders, toErrorResponse } from "./boundary.ts";
import { isCrossOrigin } from "./cors.ts";
import { actorOf } from "./enter.ts";
import { observationOf } from "./observation.ts";
import { createEndpoint, type Endpoint, type PipelineDeps } from "./pipeline.ts";

/** A route of the contract and its endpoint. */
interface MountedRoute {
  route: Route;
  pattern: string;
  endpoint: Endpoint;
  isCrossOrigin: boolean;
}

type Routes = RouterContext<MountedRoute>;

const METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT"] as const;

export const API_PREFIX = "/api/v1";

/** Mounts every route of the contract under `/api/v1` of an h3 app, with and without trailing slash. */
export function mountRoutes(
  app: H3,
  base: string,
  contract: Area,
  handlers: Record<string, unknown>,
  deps: PipelineDeps,
): void {
  const routes: Routes = createRouter();
  for (const [key, route] of Object.entries(contract) as [RouteKey, Route][]) {
    const [method, path] = parseRouteKey(key);
    const crossOrigin = isCrossOrigin(path, route.client);
    const endpoint = createEndpoint(route, handlers[key] as never, deps, crossOrigin);
    const pattern = `${base}${API_PREFIX}${path.replace(/\/$/, "")}`.replace(/\{(\w+)\}/g, ":$1");
    app.on(method, pattern, toHandler(endpoint));
    addRoute(routes, method, pattern, { route, pattern, endpoint, isCrossOrigin: crossOrigin });
  }
  app.all(ANY_PATH, toHandler(createFallback(routes, deps)));
}

function toHandler(endpoint: Endpoint): EventHandler {
  return (event) => endpoint({ request: event.req, url: event.url, params: event.context.params ?? {} });
}

/**
 * Unknown paths are 404. Known paths with a wrong method are 405, after the credential check. HEAD is GET without a
 * body.
 */
function createFallback(routes: Routes, { base, guard, runtime, peer, cors }: PipelineDeps): Endpoint {
  return async ({ request, url }) => {
    const actor = actorOf(request, runtime, peer);
    const headers = standardHeaders(actor.request_id!);
    try {
      // A path may match several patterns, as `/users/me` matches `/users/{user_id}`, so each method is looked up.
      const allowed = METHODS.filter((method) => findRoute(routes, method, url.pathname));
      const mounted = allowed.map((method) => findRoute(routes, method, url.pathname)!.data);
      if (mounted.length === 0) throw notFound();
      const preflight = mounted.some((one) => one.isCrossOrigin) && cors?.preflight(request, allowed, headers);
      if (preflight) return preflight;
      const get = findRoute(routes, "GET", url.pathname);
      if (request.method === "HEAD" && get) {
        const observation = observationOf(request);
        if (observation) observation.route = get.data.pattern;
        const response = await get.data.endpoint({ request, url, params: { ...get.params } });
        // HEAD has no reader, so cancel the stream.
        await response.body?.cancel();
        return new Response(null, response);
      }
      const closed = mounted.map(({ route }) => route.auth).filter(needsCredentials);
      if (closed.length === mounted.length) {
        const isForUsers = closed.some(({ user }) => user);
        const isForKeys = closed.some(({ key }) => key);
        await guard.identify(
          request,
          { ...(isForUsers ? { user: true } : {}), ...(isForKeys ? { key: "read" } : {}) },
          actor,
        );
      }
      throw new ApiError(405, "Method not allowed", { Allow: allowed.join(", ") });
    } catch (error) {
      return toErrorResponse(error, headers, runtime.logger, undefined, base);
    }
  };
}
