import { gzipSync } from "node:zlib";
import type { H3, H3Event } from "h3-v2";
import Negotiator from "negotiator";
import { notFound } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { standardHeaders, toErrorResponse } from "./boundary.ts";
import { requestIdOf } from "./enter.ts";

/** The files of the console by their path, such as `index.html`, as `consoleAssets` of `@assay/console` has them. */
export type ConsoleAssets = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

export const CONSOLE_PATH = "/console";

/** The names of these files contain a hash of their content. */
const HASHED = /^assets\//;

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** Allows only the scripts and styles of the console, and requests to this server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "require-trusted-types-for 'script'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface ServedFile {
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

/**
 * Mounts the console under `/console`. Its page refers to its files and to the API by relative paths, so that it also
 * works under a prefix that the host removes.
 */
export function mountConsole(app: H3, base: string, assets: ConsoleAssets, runtime: Runtime): void {
  const root = `${base}${CONSOLE_PATH}`;
  const zipped = new Map<string, Uint8Array<ArrayBuffer>>();

  function serve(path: string, request: Request): ServedFile {
    const depth = path.split("/").length - 1;
    const isPage = !assets.has(path) || path === "index.html";
    if (isPage && (HASHED.test(path) || !assets.has("index.html"))) throw notFound();
    const name = isPage ? "index.html" : path;
    const body = isPage ? toPage(assets.get(name)!, depth) : assets.get(name)!;
    const headers: Record<string, string> = {
      "Content-Type": TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      "Content-Security-Policy": POLICY,
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cache-Control": HASHED.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
      Vary: "Accept-Encoding",
    };
    if (isPage || !acceptsGzip(request)) return { body, headers };
    let small = zipped.get(name);
    if (!small) {
      small = gzipSync(body);
      zipped.set(name, small);
    }
    return { body: small, headers: { ...headers, "Content-Encoding": "gzip" } };
  }

  const answer = ({ req, url }: H3Event): Response => {
    const headers = standardHeaders(requestIdOf(req, runtime));
    // The router takes a path with and without its last slash for the same.
    if (url.pathname === root)
      return new Response(null, { status: 302, headers: { ...headers, Location: "console/" } });
    try {
      const file = serve(url.pathname.slice(root.length + 1), req);
      return new Response(file.body, { headers: { ...headers, ...file.headers } });
    } catch (error) {
      return toErrorResponse(error, headers, runtime.logger);
    }
  };
  for (const path of [root, `${root}/**`]) {
    app.get(path, answer);
    app.on("HEAD", path, (event) => new Response(null, answer(event)));
  }
}

/** Returns the page for a path that is so many folders below the console: its relative paths lead up to it. */
function toPage(html: Uint8Array, depth: number): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(html);
  return new TextEncoder().encode(text.replaceAll('="./', `="./${"../".repeat(depth)}`));
}

function acceptsGzip(request: Request): boolean {
  const negotiator = new Negotiator({ headers: { "accept-encoding": request.headers.get("accept-encoding") ?? "" } });
  return negotiator.encoding(["gzip", "identity"]) === "gzip";
}
