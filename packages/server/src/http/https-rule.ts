import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { standardHeaders, toErrorResponse } from "./boundary.ts";
import type { Peer } from "./peer.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

const YEAR_SECONDS = 365 * 24 * 3600;
/** Health checks of load balancers mostly come without TLS. */
const HEALTH = /\/(?:healthz|readyz)\/?$/;

/** Rejects requests without TLS, except health checks, and sets HSTS. */
export function requireHttps(fetch: Fetch, peer: Peer, runtime: Runtime): Fetch {
  return async (request) => {
    if (peer.isSecure(request)) {
      const response = await fetch(request);
      response.headers.set("Strict-Transport-Security", `max-age=${YEAR_SECONDS}`);
      return response;
    }
    if (HEALTH.test(new URL(request.url).pathname)) return fetch(request);
    return toErrorResponse(new ApiError(403, "HTTPS required"), standardHeaders(runtime.id()), runtime.logger);
  };
}
