import { createExperimentProgramEngine, type ExperimentProgramEngine } from "@assay/core";
import { checkOptions, FUNCTION, oneOf } from "@assay/sdk/internal";
import { readCookies, toSetCookie } from "./cookie.ts";
import { createUserIdReader } from "./identity.ts";
import { REQUEST_OPTIONS, type RequestOptions } from "./option.ts";
import { createRouter, type Routes } from "./route.ts";
import { type EdgeContext, type ProgramOptions, toSource } from "./source.ts";
import { type Arm, type TargetOptions, toArms, toLocation } from "./target.ts";

/** An assignment of a user to an arm: the data of an exposure event. */
export interface SplitUrlAssignment {
  experimentId: string;
  experimentKey: string;
  variantKey: string;
  userId: string | undefined;
  /**
   * Whether the arm was forced by an override, a rule or `included_users`, and therefore excluded from randomised
   * analysis.
   */
  forced: boolean;
}

/**
 * The options of split-URL experiments. If an override token forces an arm, `onAssign` receives it as forced, and no
 * cookie is set. Invalid tokens go to `onError` and are ignored. After any error, the request passes through.
 */
export interface SplitUrlBehaviour extends RequestOptions, TargetOptions {
  /** The experiment of each request. */
  routes: Routes;
  /**
   * What happens to users who are not in the experiment: `control` redirects them to the control's URL, like the
   * preview endpoint; `pass` passes their requests through. Neither sets the experiment's cookie.
   * @default "control"
   */
  ineligible?: "control" | "pass";
  /** Called for each user assigned to an arm, once per cookie. Its result goes to `waitUntil`. */
  onAssign?: (assignment: SplitUrlAssignment, request: Request) => unknown;
}

export type SplitUrlOptions = SplitUrlBehaviour & ProgramOptions<ExperimentProgramEngine>;

/** Handles requests without a redirect: the origin's `fetch`, or the next handler of a framework. */
export type Next = (request: Request) => Response | Promise<Response>;

export interface SplitUrlHandler {
  /**
   * Redirects requests. Returns undefined if there is nothing to redirect: methods other than GET and HEAD, other
   * pages, inactive experiments, and users who already are on their URL.
   */
  (request: Request, next?: undefined, context?: EdgeContext): Promise<Response | undefined>;
  /** Redirects requests, or calls `next`, so that those responses get the cookies too. */
  (request: Request, next: Next, context?: EdgeContext): Promise<Response>;
}

/** The decision for a request of a running experiment. */
interface Plan {
  /** The redirect's target; null if the request is already there. */
  location: string | null;
  setCookies: string[];
}

/**
 * Creates the handler of split-URL experiments. Users always reach the page: without a program, and after any error,
 * the request is passed through.
 * @example
 * const split = createSplitUrlHandler({ apiKey, baseUrl, routes: { "/landing": "landing-page" } });
 * export default { fetch: (request, env, ctx) => split(request, fetch, ctx) };
 * @throws OptionError if an option is invalid
 */
export function createSplitUrlHandler(input: SplitUrlOptions): SplitUrlHandler {
  const options: SplitUrlOptions = Object(input);
  const { anonymousCookie = "assay_id", overrides, onAssign } = options;
  checkOptions(options, {
    ...REQUEST_OPTIONS,
    onAssign: FUNCTION,
    ineligible: oneOf("control", "pass"),
    path: oneOf("replace", "append"),
    query: oneOf("keep", "drop"),
  });
  const findRoute = createRouter(options.routes);
  const readUserId = createUserIdReader(options);
  const source = toSource(createExperimentProgramEngine, options);
  const { engine } = source;

  async function plan(request: Request, context: EdgeContext | undefined): Promise<Plan | undefined> {
    if (request.method !== "GET" && request.method !== "HEAD") return undefined;
    const url = new URL(request.url);
    const route = await findRoute(url, request);
    if (!route || !(await source.ready(context))) return undefined;
    const { experimentKey, prefix } = route;
    const experiment = engine.definitions.experiments.find(({ key }) => key === experimentKey);
    if (experiment?.experiment_type !== "SPLIT_URL" || experiment.status !== "ACTIVE") return undefined;
    const arms = toArms(experiment, url);
    const setCookies: string[] = [];
    const findArm = (wanted: string | undefined) => arms.find(({ key }) => key === wanted);
    const go = (arm: Arm | undefined): Plan => ({
      location: arm ? toLocation(url, arm, arms, prefix, options) : null,
      setCookies,
    });
    /** Calls `onAssign`. Its failure is reported and does not affect the user. */
    const tell = ({ key: variantKey }: Arm, userId: string | undefined, forced: boolean): void => {
      const assignment = { experimentId: experiment.id, experimentKey, variantKey, userId, forced };
      const called = (async () => onAssign?.(assignment, request))().catch(fail);
      context?.waitUntil?.(called);
    };

    const forced = findArm((await overrides?.read(request).catch(fail))?.arm(experiment));
    if (forced) {
      tell(forced, await readUserId(request), true);
      return go(forced);
    }
    // Keys are slugs; keys in a program from elsewhere must not terminate a cookie.
    const cookie = `exp_${encodeURIComponent(experimentKey)}`;
    const toValue = ({ key }: Arm) => encodeURIComponent(key);
    if (experiment.sticky_assignment !== false) {
      const kept = readCookies(request, cookie).flatMap((value) => arms.filter((arm) => toValue(arm) === value));
      if (kept[0]) return go(kept[0]);
    }
    let userId = await readUserId(request);
    if (userId === undefined && anonymousCookie !== false) {
      userId = crypto.randomUUID();
      setCookies.push(toSetCookie(anonymousCookie, userId));
    }
    const assignment = engine.assign(experimentKey, userId ?? "", await options.attributes?.(request));
    const arm = findArm(assignment?.variant_key);
    if (!assignment?.assigned) return go(options.ineligible === "pass" ? undefined : arm);
    if (!arm) return undefined;
    tell(arm, userId, assignment.forced);
    setCookies.push(toSetCookie(cookie, toValue(arm)));
    return go(arm);
  }

  function fail(error: unknown): undefined {
    options.onError?.(error);
    return undefined;
  }

  async function handle(request: Request, next?: Next, context?: EdgeContext): Promise<Response | undefined> {
    const planned = await plan(request, context).catch(fail);
    if (!planned) return next?.(request);
    const { location, setCookies } = planned;
    const page = location === null ? await next?.(request) : new Response(null, { status: 302, headers: { location } });
    // A protocol switch, or an error: neither can be copied.
    if (!page || page.status < 200) return page;
    // Caches vary it by cookie; a response that sets cookies is not cached.
    const response = new Response(page.body, page);
    response.headers.append("vary", "Cookie");
    if (location !== null || setCookies.length > 0) response.headers.set("cache-control", "no-store");
    for (const line of setCookies) response.headers.append("set-cookie", line);
    return response;
  }

  // With `next` there is always a response.
  return handle as SplitUrlHandler;
}
