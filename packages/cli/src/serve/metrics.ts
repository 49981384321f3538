import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestListener } from "node:http";
import type { Assay } from "@assay/server";

/** Answers `GET /metrics` on its own port, with a token if there is one. */
export function metricsHandler(assay: Pick<Assay, "metrics">, token: string | undefined): RequestListener {
  return async (request, response) => {
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
    } else if (request.method !== "GET") {
      response.writeHead(405, { Allow: "GET" }).end();
    } else if (token !== undefined && !isSame(request.headers.authorization, `Bearer ${token}`)) {
      response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end();
    } else {
      const metrics = await assay.metrics();
      response.writeHead(200, Object.fromEntries(metrics.headers)).end(await metrics.text());
    }
  };
}

/** Compares hashes, so that the time does not depend on how much of a guess is right. */
function isSame(given: string | undefined, expected: string): boolean {
  return timingSafeEqual(hashOf(given ?? ""), hashOf(expected));
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
