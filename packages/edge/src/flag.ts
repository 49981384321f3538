import { createHeldFlags, type EvaluationResult, type HeldFlags, type JsonValue } from "@assay/core";
import { requireOption } from "@assay/core/definitions";
import { decode } from "./cookie.ts";
import { createIdentities, type IdentityOptions } from "./identity.ts";
import { type OfrepAnswer, readContext, toJson, toOfrepAnswer } from "./ofrep.ts";
import { checkOptions, checkOverrides } from "./option.ts";
import type { EdgeOverrides, Forced } from "./overrides.ts";
import { trimSlash } from "./route.ts";
import { type DefinitionOptions, type EdgeContext, toSource } from "./source.ts";

export interface FlagBehaviour extends IdentityOptions {
  /** Keys of the flags that requests may ask for; `all` where everyone who reaches the handler may know all. */
  flags: readonly string[] | "all";
  /**
   * The path that `/evaluate/flags` and `/evaluate/flags/{key}` lie below.
   * @default "/ofrep/v1"
   */
  path?: string;
  /** What is known here about a request (its country, say); goes before what the request's body says. */
  attributes?: (request: Request) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Honours override tokens, for tests: `createOverrides({ secret })`. */
  overrides?: EdgeOverrides;
  /** Something went wrong, here or in a function of these options. */
  onError?: (error: unknown) => void;
}

export type FlagHandlerOptions = FlagBehaviour & DefinitionOptions<HeldFlags>;

export interface FlagHandler {
  /** Answers the two evaluation endpoints of the OpenFeature Remote Evaluation Protocol; undefined for other paths. */
  (request: Request, context?: EdgeContext): Promise<Response | undefined>;
  /** Evaluates one flag, listed or not, for whoever sent the request. Never rejects. */
  evaluate(
    request: Request,
    flagKey: string,
    defaultValue: JsonValue,
    context?: EdgeContext,
  ): Promise<EvaluationResult>;
}

/**
 * Creates the handler that evaluates flags at the edge. The user is the context's `targetingKey`, else whoever the
 * request says, as in `createSplitUrlHandler`.
 * @example
 * const flags = createFlagHandler({ apiKey, baseUrl, flags: ["new-checkout"] });
 * export default { fetch: async (request, env, ctx) => (await flags(request, ctx)) ?? fetch(request) };
 * @throws OptionError where an option is not of its kind.
 */
export function createFlagHandler(given: FlagHandlerOptions): FlagHandler {
  const options: FlagHandlerOptions = Object(given);
  checkOptions({ ...options }, { attributes: [], onError: [] });
  checkOverrides(options.overrides);
  const { flags, path = "/ofrep/v1" } = options;
  const areKeys = Array.isArray(flags) && flags.every((key) => typeof key === "string");
  requireOption(flags === "all" || areKeys, "flags", '"all" or a list of flag keys');
  requireOption(typeof path === "string" && path.startsWith("/"), "path", "a path");
  const endpoint = `${trimSlash(path)}/evaluate/flags`;
  const allowed = flags === "all" ? undefined : new Set<string>(flags);
  const isAllowed = (key: string) => allowed?.has(key) ?? true;
  const identities = createIdentities(options);
  const source = toSource(createHeldFlags, options);
  const { engine } = source;
  const isReady = async (context: EdgeContext | undefined) => !source.ready || source.ready(context);

  /** Who asks, and what is known of them: here before what they say themselves. */
  async function contextOf(request: Request, said: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const targetingKey = said.targetingKey ?? (await identities.read(request));
    return { ...said, ...(await options.attributes?.(request)), targetingKey };
  }

  function evaluate(key: string, context: Record<string, unknown>, forced: Forced | null | undefined): OfrepAnswer {
    // A flag that may not be known answers as one that is not there.
    if (!isAllowed(key)) return { key, errorCode: "FLAG_NOT_FOUND", errorDetails: `No flag ${JSON.stringify(key)}` };
    const { definitions } = engine;
    const flag = definitions.flags.find((each) => each.key === key);
    const result = engine.evaluate(key, context, null, { bucket: false });
    return toOfrepAnswer(key, forced?.flag(definitions, key, result) ?? result, flag, definitions.flag_set_id);
  }

  async function answer(
    request: Request,
    key: string | undefined,
    context: EdgeContext | undefined,
  ): Promise<Response> {
    if (request.method !== "POST") return toJson(405, { errorDetails: "Only POST" }, { allow: "POST" });
    const said = await readContext(request, (status, errorCode, errorDetails) =>
      toJson(status, { key, errorCode, errorDetails }),
    );
    if (said instanceof Response) return said;
    if (!(await isReady(context))) return toJson(503, { errorDetails: "No definitions yet" }, { "retry-after": "1" });
    const merged = await contextOf(request, said);
    const forced = await options.overrides?.read(request);
    if (key !== undefined) {
      const single = evaluate(key, merged, forced);
      return toJson(single.errorCode === "FLAG_NOT_FOUND" ? 404 : single.errorCode ? 400 : 200, single);
    }
    const keys = engine.definitions.flags.map((flag) => flag.key).filter(isAllowed);
    return toBulk(request, JSON.stringify({ flags: keys.map((each) => evaluate(each, merged, forced)) }));
  }

  async function handle(request: Request, context?: EdgeContext): Promise<Response | undefined> {
    try {
      const { pathname } = new URL(request.url);
      if (pathname === endpoint) return await answer(request, undefined, context);
      if (!pathname.startsWith(`${endpoint}/`)) return undefined;
      return await answer(request, decode(pathname.slice(endpoint.length + 1)), context);
    } catch (error) {
      if (error instanceof Error && error.name === "OverrideError") {
        return toJson(400, { errorCode: "GENERAL", errorDetails: error.message });
      }
      options.onError?.(error);
      return toJson(500, { errorDetails: "Internal error" });
    }
  }

  return Object.assign(handle, {
    async evaluate(request: Request, flagKey: string, defaultValue: JsonValue, context?: EdgeContext) {
      try {
        await isReady(context);
        const result = engine.evaluate(flagKey, await contextOf(request), defaultValue);
        return (await options.overrides?.read(request))?.flag(engine.definitions, flagKey, result) ?? result;
      } catch (error) {
        options.onError?.(error);
        return engine.evaluate(flagKey, {}, defaultValue);
      }
    },
  });
}

/** The answer for all flags, or that nothing has changed since the caller's last one. */
async function toBulk(request: Request, body: string): Promise<Response> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body)));
  const etag = `"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
  const headers = { "content-type": "application/json", "cache-control": "no-cache", etag };
  // Its quotes keep it from being a part of another.
  const isKnown = request.headers.get("if-none-match")?.includes(etag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}
