import { contract, type OpenApiDocument, toOpenApi } from "@assay/contract";
import type { Store } from "@assay/store";
import type { H3 } from "h3";
import type { Runtime } from "../ground/runtime.ts";
import type { TokenSigner } from "../identity/tokens.ts";
import { describeUnavailable, type WriteWatch } from "../storage/write-watch.ts";
import { docsPage } from "./docs-page.ts";
import { requestIdOf } from "./enter.ts";

/** Allows only the inline style of the page. */
const PAGE = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/**
 * Mounts the routes outside `/api/v1`: health, keys, the OpenAPI document and its page.
 * `/` redirects to `home`.
 */
export function mountSystem(
  app: H3,
  base: string,
  deps: { store: Store; writes: Pick<WriteWatch, "failure">; tokens: TokenSigner; runtime: Runtime; home: string },
): void {
  let document: OpenApiDocument | undefined;
  const openApi = () => {
    document ??= { ...toOpenApi(contract), servers: [{ url: `${base}/api/v1` }] };
    return document;
  };
  const pages: Record<string, () => Response | Promise<Response>> = {
    "/": () => new Response(null, { status: 302, headers: { Location: `${base}${deps.home}` } }),
    "/healthz": () => json(200, { status: "ok" }),
    "/readyz": () => readiness(deps),
    "/.well-known/jwks.json": () => json(200, deps.tokens.jwks()),
    "/openapi.json": () => json(200, openApi()),
    "/docs": () =>
      new Response(docsPage(openApi()), { headers: { ...PAGE, "Content-Type": "text/html; charset=utf-8" } }),
  };
  for (const [path, answer] of Object.entries(pages)) {
    app.get(`${base}${path}`, async ({ req }) => {
      const response = await answer();
      response.headers.set("X-Request-Id", requestIdOf(req, deps.runtime));
      return response;
    });
  }
}

/** Ready while the store reads and writes. Lists quarantined damaged records, which do not make the server unready. */
async function readiness({ store, writes }: { store: Store; writes: Pick<WriteWatch, "failure"> }): Promise<Response> {
  const quarantined = store.quarantined().map(({ key, reason }) => ({ key, reason }));
  const reason = writes.failure() ?? (await store.get("readyz").then(() => null, describeUnavailable));
  if (reason === null) return json(200, { status: "ready", store: store.name, quarantined });
  return json(503, { status: "unavailable", store: store.name, reason, quarantined }, { "Retry-After": "5" });
}

function json(status: number, value: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: {
      ...headers,
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
