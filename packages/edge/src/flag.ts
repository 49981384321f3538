import {
  createFlagProgramEngine,
  type EvaluationResult,
  type FlagProgramEngine,
  fingerprint,
  type JsonValue,
} from "@assay/core";
import { checkOptions, readOption, toOfrepAnswer } from "@assay/sdk/internal";
import { decode } from "./cookie.ts";
import { readContext, toJson } from "./evaluation-request.ts";
import { createUserIdReader } from "./identity.ts";
import { REQUEST_OPTIONS, type RequestOptions } from "./option.ts";
import { trimSlash } from "./route.ts";
import { type EdgeContext, type ProgramOptions, toSource } from "./source.ts";

export interface FlagBehaviour extends RequestOptions {
  /** Keys of the flags that requests may evaluate; `all` only if all clients may know all flags. */
  flags: readonly string[] | "all";
  /**
   * The base path of `/evaluate/flags` and `/evaluate/flags/{key}`.
   * @default "/ofrep/v1"
   */
  path?: string;
}

export type FlagHandlerOptions = FlagBehaviour & ProgramOptions<FlagProgramEngine>;

export interface FlagHandler {
  /**
   * Handles the two evaluation endpoints of the OpenFeature Remote Evaluation Protocol. Returns undefined for other
   * paths.
   */
  (request: Request, context?: EdgeContext): Promise<Response | undefined>;
  /** Evaluates one flag for the user of the request, whether or not `flags` lists it. Never rejects. */
  evaluate(
    request: Request,
    flagKey: string,
    defaultValue: JsonValue,
    context?: EdgeContext,
  ): Promise<EvaluationResult>;
}

/**
 * Creates the handler that evaluates flags at the edge. The user is the context's `targetingKey`, else the user of the
 * request, as in `createSplitUrlHandler`. Attributes of the option `attributes` override those of the request's body.
 * @example
 * const flags = createFlagHandler({ apiKey, baseUrl, flags: ["new-checkout"] });
 * export default { fetch: async (request, env, ctx) => (await flags(request, ctx)) ?? fetch(request) };
 * @throws OptionError if an option is invalid
 */
export function createFlagHandler(input: FlagHandlerOptions): FlagHandler {
  const options: FlagHandlerOptions = Object(input);
  const { flags, path = "/ofrep/v1", overrides, onError } = options;
  checkOptions(options, {
    ...REQUEST_OPTIONS,
    path: ["a path", (path) => typeof path === "string" && path.startsWith("/")],
  });
  const areKeys = Array.isArray(flags) && flags.every((key) => typeof key === "string");
  readOption("flags", '"all" or a list of flag keys', () => flags === "all" || areKeys);
  const endpoint = `${trimSlash(path)}/evaluate/flags`;
  const listed = new Set<string>(flags);
  const readUserId = createUserIdReader(options);
  const source = toSource(createFlagProgramEngine, options);
  const { engine } = source;

  /** Prepares evaluation for one request, from its user, attributes and overrides. */
  async function prepare(request: Request, input: Record<string, unknown>) {
    const targetingKey = (input.targetingKey as string | undefined) ?? (await readUserId(request));
    const context = { ...input, ...(await options.attributes?.(request)), targetingKey };
    const forced = await overrides?.read(request);
    return (key: string, defaultValue: JsonValue): EvaluationResult => {
      const result = engine.evaluate(key, context, defaultValue);
      return forced?.flag(engine.definitions, key, result) ?? result;
    };
  }

  /** Evaluates one flag, or all flags if the key is undefined. */
  async function answer(request: Request, key: string | undefined, context?: EdgeContext): Promise<Response> {
    const refuse = (status: number, errorCode: string, errorDetails: string) =>
      toJson(status, { key, errorCode, errorDetails });
    if (request.method !== "POST") return toJson(405, { errorDetails: "Only POST" }, { allow: "POST" });
    const input = await readContext(request);
    if (Array.isArray(input)) return refuse(...input);
    if (!(await source.ready(context))) return toJson(503, { errorDetails: "No program yet" }, { "retry-after": "1" });

    const evaluate = await prepare(request, input);
    const { definitions } = engine;
    const answers = definitions.flags
      .filter((flag) => (key ?? flag.key) === flag.key && (flags === "all" || listed.has(flag.key)))
      .map((flag) => toOfrepAnswer(evaluate(flag.key, null), flag, definitions.flag_set_id));
    if (key !== undefined) {
      const [single] = answers;
      // A flag that is not listed answers like a missing one.
      if (!single) return refuse(404, "FLAG_NOT_FOUND", `No flag ${JSON.stringify(key)}`);
      return toJson(single.errorCode ? 400 : 200, single);
    }
    const body = JSON.stringify({ flags: answers });
    const etag = `"${fingerprint(body, "")}"`;
    const headers = { "content-type": "application/json", "cache-control": "no-cache", etag };
    // Its quotes prevent it from being part of another.
    const isKnown = request.headers.get("if-none-match")?.includes(etag);
    return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
  }

  async function handle(request: Request, context?: EdgeContext): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    if (!`${pathname}/`.startsWith(`${endpoint}/`)) return undefined;
    try {
      return await answer(request, decode(pathname.slice(endpoint.length + 1)) || undefined, context);
    } catch (error) {
      const { name, message } = Object(error) as Error;
      if (name === "OverrideError") return toJson(400, { errorCode: "GENERAL", errorDetails: message });
      onError?.(error);
      return toJson(500, { errorDetails: "Internal error" });
    }
  }

  return Object.assign(handle, {
    async evaluate(request: Request, flagKey: string, defaultValue: JsonValue, context?: EdgeContext) {
      try {
        await source.ready(context);
        return (await prepare(request, {}))(flagKey, defaultValue);
      } catch (error) {
        onError?.(error);
        return engine.evaluate(flagKey, {}, defaultValue);
      }
    },
  });
}
