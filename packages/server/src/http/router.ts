import { type Area, parseRouteKey, type Route, type RouteKey } from "@assay/contract";
import type { EventHandler, H3 } from "h3";
import { needsCredentials } from "../identity/guard.ts";
import { standardHeaders, toErrorResponse } from "./boundary.ts";
import { isCrossOrigin } from "./cors.ts";
import { ApiError, notFound } from "./errors.ts";
import { actorOf, createEndpoint, type Endpoint, type PipelineDeps } from "./pipeline.ts";

/** One path of the contract, with all its methods. */
interface Path {
  pattern: RegExp;
  isCrossOrigin: boolean;
  methods: Map<string, { route: Route; endpoint: Endpoint }>;
}

export const API_PREFIX = "/api/v1";

/** Mounts every route of the contract under `/api/v1` of an h3 app; each answers with and without a trailing slash. */
export function mountRoutes(
  app: H3,
  base: string,
  contract: Area,
  handlers: Record<string, unknown>,
  deps: PipelineDeps,
): void {
  const paths = new Map<string, Path>();
  for (const [key, route] of Object.entries(contract) as [RouteKey, Route][]) {
    const [method, path] = parseRouteKey(key);
    const crossOrigin = isCrossOrigin(path, route.client);
    const endpoint = createEndpoint(route, handlers[key] as never, deps, crossOrigin);
    const full = `${base}${API_PREFIX}${path.replace(/\/$/, "")}`;
    app.on(method, full.replace(/\{(\w+)\}/g, ":$1"), toHandler(endpoint));
    if (!paths.has(full)) {
      paths.set(full, { pattern: toPattern(full), isCrossOrigin: crossOrigin, methods: new Map() });
    }
    paths.get(full)!.methods.set(method, { route, endpoint });
  }
  app.all("/**", toHandler(createFallback([...paths.values()], deps)));
}

function toHandler(endpoint: Endpoint): EventHandler {
  return (event) => endpoint({ request: event.req, url: event.url, params: event.context.params ?? {} });
}

function toPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return new RegExp(`^${escaped}/?$`);
}

/** Unknown paths are 404, known paths with a wrong method 405 (credentials first), HEAD is GET without its body. */
function createFallback(paths: Path[], { guard, runtime, peer, cors }: PipelineDeps): Endpoint {
  return async ({ request, url }) => {
    const actor = actorOf(request, runtime, peer);
    const headers = standardHeaders(actor.request_id!);
    try {
      const path = paths.find(({ pattern }) => pattern.test(url.pathname));
      if (!path) throw notFound();
      const preflight = path.isCrossOrigin && cors?.preflight(request, [...path.methods.keys()], headers);
      if (preflight) return preflight;
      const get = path.methods.get("GET");
      if (request.method === "HEAD" && get) {
        const response = await get.endpoint({ request, url, params: { ...path.pattern.exec(url.pathname)?.groups } });
        // A stream would otherwise wait for a reader that never comes.
        await response.body?.cancel();
        return new Response(null, response);
      }
      const routes = [...path.methods.values()].map(({ route }) => route.auth);
      const closed = routes.filter(needsCredentials);
      if (closed.length === routes.length) {
        const isForUsers = closed.some(({ user, superuser }) => user || superuser);
        const isForKeys = closed.some(({ key }) => key);
        await guard.identify(
          request,
          { ...(isForUsers ? { user: true } : {}), ...(isForKeys ? { key: "read" } : {}) },
          actor,
        );
      }
      throw new ApiError(405, "Method not allowed", { Allow: [...path.methods.keys()].sort().join(", ") });
    } catch (error) {
      return toErrorResponse(error, headers, runtime.logger);
    }
  };
}
