import { contract, type OpenApiDocument, toOpenApi } from "@assay/contract";
import type { Store } from "@assay/store";
import type { H3 } from "h3-v2";
import type { CopyStatus } from "../analysis/shipper.ts";
import { type Runtime, timestampOf } from "../ground/runtime.ts";
import type { ServerRole } from "../ground/server-role.ts";
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

/** Mounts `/healthz` and `/readyz`. */
export function mountHealth(app: H3, base: string, deps: Readiness & { runtime: Runtime }): void {
  mountPages(app, base, deps.runtime, {
    "/healthz": () => json(200, { status: "ok" }),
    "/readyz": () => readiness(deps),
  });
}

/** Answers everything else on a server without the role `api`. */
export function mountNoApi(app: H3): void {
  const detail = 'This server does not have the role "api"; it serves /healthz and /readyz';
  app.all("/**", () => json(404, { detail }));
}

/**
 * Mounts the routes outside `/api/v1`: keys, the OpenAPI document and its page.
 * `/` redirects to `home`.
 */
export function mountSystem(
  app: H3,
  base: string,
  deps: { tokens: TokenSigner; runtime: Runtime; home: string },
): void {
  let document: OpenApiDocument | undefined;
  const openApi = () => {
    document ??= { ...toOpenApi(contract), servers: [{ url: `${base}/api/v1` }] };
    return document;
  };
  mountPages(app, base, deps.runtime, {
    "/": () => new Response(null, { status: 302, headers: { Location: `${base}${deps.home}` } }),
    "/.well-known/jwks.json": () => json(200, deps.tokens.jwks()),
    "/openapi.json": () => json(200, openApi()),
    "/docs": () =>
      new Response(docsPage(openApi()), { headers: { ...PAGE, "Content-Type": "text/html; charset=utf-8" } }),
  });
}

function mountPages(
  app: H3,
  base: string,
  runtime: Runtime,
  pages: Record<string, () => Response | Promise<Response>>,
): void {
  for (const [path, answer] of Object.entries(pages)) {
    app.get(`${base}${path}`, async ({ req }) => {
      const response = await answer();
      response.headers.set("X-Request-Id", requestIdOf(req, runtime));
      return response;
    });
  }
}

/** What decides whether the server is ready. */
interface Readiness {
  store: Store;
  roles: readonly ServerRole[];
  writes: Pick<WriteWatch, "failure">;
  /** Returns the state of the copy of the events in an engine; null without an engine. */
  copyStatus(): Promise<CopyStatus | null>;
}

/**
 * Ready while the store reads and writes. Lists quarantined damaged records, and how far an engine has the events; neither
 * makes the server unready.
 */
async function readiness({ store, roles, writes, copyStatus }: Readiness): Promise<Response> {
  const quarantined = store.quarantined().map(({ key, reason }) => ({ key, reason }));
  const reason = writes.failure() ?? (await store.get("readyz").then(() => null, describeUnavailable));
  const copy = await copyStatus();
  const events = copy && { events: { ...copy, completeUntil: undefined, complete_until: toTime(copy.completeUntil) } };
  const body = { store: store.name, roles, quarantined, ...events };
  if (reason === null) return json(200, { status: "ready", ...body });
  return json(503, { status: "unavailable", reason, ...body }, { "Retry-After": "5" });
}

const toTime = (milliseconds: number | null) => (milliseconds === null ? null : timestampOf(milliseconds));

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
