import { createHeldExperiments, type ExperimentDefinition, type HeldExperiments } from "@assay/core";
import { readCookies, toCookieText, toSetCookie } from "./cookie.ts";
import { createIdentities, type IdentityOptions } from "./identity.ts";
import { checkOptions, checkOverrides } from "./option.ts";
import type { EdgeOverrides } from "./overrides.ts";
import { createRouter, type Route, type Routes } from "./route.ts";
import { type DefinitionOptions, type EdgeContext, toSource } from "./source.ts";
import { type Arm, type TargetOptions, toArms, toLocation } from "./target.ts";

/** A user who was given an arm just now, by hash or by name: what an exposure event needs. */
export interface SplitUrlAssignment {
  experimentId: string;
  experimentKey: string;
  variantKey: string;
  userId: string | undefined;
  /** By name (an override, a rule, `included_users`), so not analysed as randomised. */
  forced: boolean;
}

export interface SplitUrlBehaviour extends IdentityOptions, TargetOptions {
  /** Which requests belong to which experiment. */
  routes: Routes;
  /** What targeting reads about a request. */
  attributes?: (request: Request) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /**
   * Users who take no part: `control` sends them to the control's URL, as the preview endpoint says; `pass` lets them
   * through to where they were going. Neither gives them the experiment's cookie.
   * @default "control"
   */
  ineligible?: "control" | "pass";
  /** Called with every user who is given an arm, once per cookie; what it returns is handed to `waitUntil`. */
  onAssign?: (assignment: SplitUrlAssignment, request: Request) => unknown;
  /**
   * Honours override tokens, for tests: `createOverrides({ secret })`. The arm they name is told to `onAssign` as forced,
   * and kept in no cookie. One that is not good is told to `onError` and ignored.
   */
  overrides?: EdgeOverrides;
  /** Something went wrong, here or in a function of these options; the request was passed through. */
  onError?: (error: unknown) => void;
}

export type SplitUrlOptions = SplitUrlBehaviour & DefinitionOptions<HeldExperiments>;

/** Answers what is not to be redirected: the origin's `fetch`, or the next handler of a framework. */
export type Next = (request: Request) => Response | Promise<Response>;

export interface SplitUrlHandler {
  /**
   * Answers requests that are to be redirected, and undefined for all others: other methods than GET and HEAD, other
   * pages, experiments that are not running, users who are on their URL already.
   */
  (request: Request, next?: undefined, context?: EdgeContext): Promise<Response | undefined>;
  /** The same with `next` for all others, so that their responses get the cookies as well. */
  (request: Request, next: Next, context?: EdgeContext): Promise<Response>;
}

const WORDS = {
  attributes: [],
  onAssign: [],
  onError: [],
  ineligible: ["control", "pass"],
  path: ["replace", "append"],
  query: ["keep", "drop"],
};

/** What is to be done with a request of a running experiment. */
interface Plan {
  /** Where to send it, null where it is already. */
  location: string | null;
  setCookies: string[];
}

/**
 * Creates the handler of split-URL experiments. Whatever happens, nobody is kept from the page: without definitions,
 * and where something throws, the request is passed through.
 * @example
 * const split = createSplitUrlHandler({ apiKey, baseUrl, routes: { "/landing": "landing-page" } });
 * export default { fetch: (request, env, ctx) => split(request, fetch, ctx) };
 * @throws OptionError where an option is not of its kind.
 */
export function createSplitUrlHandler(given: SplitUrlOptions): SplitUrlHandler {
  const options: SplitUrlOptions = Object(given);
  checkOptions({ ...options }, WORDS);
  checkOverrides(options.overrides);
  const route = createRouter(options.routes);
  const identities = createIdentities(options);
  const source = toSource(createHeldExperiments, options);

  async function plan(request: Request, context: EdgeContext | undefined): Promise<Plan | undefined> {
    if (request.method !== "GET" && request.method !== "HEAD") return undefined;
    const url = new URL(request.url);
    const found = await route(url, request);
    if (!found || (source.ready && !(await source.ready(context)))) return undefined;
    const experiment = findExperiment(source.engine, found);
    return experiment && planFor(experiment, { request, url, route: found, context });
  }

  async function planFor(experiment: ExperimentDefinition, asked: Asked): Promise<Plan | undefined> {
    const { request, url, route, context } = asked;
    const arms = toArms(experiment);
    const cookie = toCookieText(`exp_${experiment.key}`);
    const go = (arm: Arm, ...setCookies: (string | undefined)[]): Plan => ({
      location: toLocation(url, arm, arms, route.prefix, options),
      setCookies: setCookies.filter((line) => line !== undefined),
    });
    /** The host's business: its failure is told, and changes nothing for the user. */
    const tell = ({ key: variantKey }: Arm, userId: string | undefined, forced: boolean): void => {
      const { id: experimentId, key: experimentKey } = experiment;
      const assignment = { experimentId, experimentKey, variantKey, userId, forced };
      const told = (async () => options.onAssign?.(assignment, request))().catch(fail);
      if (options.onAssign) context?.waitUntil?.(told);
    };
    const forced = (await options.overrides?.read(request).catch(fail))?.arm(experiment);
    const named = arms.find(({ key }) => key === forced);
    if (named) {
      tell(named, await identities.read(request), true);
      return go(named);
    }
    const kept = findKept(experiment, arms, readCookies(request, cookie));
    if (kept) return go(kept);

    const { userId, setCookie } = await identities.identify(request);
    const assignment = source.engine.assign(experiment.key, userId ?? "", await options.attributes?.(request));
    const arm = arms.find(({ key }) => key === assignment?.variant_key);
    if (!assignment?.assigned) {
      if (arm && options.ineligible !== "pass") return go(arm, setCookie);
      return { location: null, setCookies: setCookie ? [setCookie] : [] };
    }
    if (!arm) return undefined;
    tell(arm, userId, assignment.forced);
    return go(arm, toSetCookie(cookie, toCookieText(arm.key)), setCookie);
  }

  function fail(error: unknown): undefined {
    options.onError?.(error);
    return undefined;
  }

  async function handle(request: Request, next?: Next, context?: EdgeContext): Promise<Response | undefined> {
    const planned = await plan(request, context).catch(fail);
    if (!planned) return next?.(request);
    const { location, setCookies } = planned;
    if (location === null) return next && withCookies(await next(request), setCookies);
    const headers = new Headers({ location, "cache-control": "no-store", vary: "Cookie" });
    for (const line of setCookies) headers.append("set-cookie", line);
    return new Response(null, { status: 302, headers });
  }

  // With `next` there is always a response.
  return handle as SplitUrlHandler;
}

/** A request of an experiment. */
interface Asked {
  request: Request;
  url: URL;
  route: Route;
  context: EdgeContext | undefined;
}

function findExperiment(engine: HeldExperiments, { experimentKey }: Route): ExperimentDefinition | undefined {
  const found = engine.definitions.experiments.find(({ key }) => key === experimentKey);
  return found?.experiment_type === "SPLIT_URL" && found.status === "ACTIVE" ? found : undefined;
}

/** The arm of the first cookie that names one, unless the experiment asks for everyone to be drawn anew. */
function findKept({ targeting_rules }: ExperimentDefinition, arms: readonly Arm[], values: string[]): Arm | undefined {
  if (targeting_rules?.sticky_assignment === false) return undefined;
  for (const value of values) {
    const arm = arms.find(({ key }) => toCookieText(key) === value);
    if (arm) return arm;
  }
  return undefined;
}

/** A copy of a response that caches keep apart by cookie; where it sets some, they do not keep it at all. */
function withCookies(response: Response, setCookies: readonly string[]): Response {
  // A switch of protocols, or an error: neither can be copied.
  if (response.status < 200) return response;
  const copy = new Response(response.body, response);
  if (!/(^|,)\s*(cookie|\*)\s*(,|$)/i.test(copy.headers.get("vary") ?? "")) copy.headers.append("vary", "Cookie");
  if (setCookies.length > 0) copy.headers.set("cache-control", "no-store");
  for (const line of setCookies) copy.headers.append("set-cookie", line);
  return copy;
}
