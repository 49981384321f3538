import type { RequestArguments, RequestOptions, Route } from "./route.ts";

// These types name the nearest routes when TypeScript refuses a route. They cost nothing at run time, and TypeScript
// computes them for refused calls only.

/**
 * The routes nearest to a string, for the message of the compiler: those with the same path or a slash more; otherwise,
 * of the routes that begin with the longest common prefix, those that end with the longest common suffix.
 * @example
 * type Suggested = NearestRoute<"GET /feature-flag/">; // "GET /feature-flags/"
 */
export type NearestRoute<S extends string> = string extends S
  ? Route
  : [SamePath<S>] extends [never]
    ? Extract<Reversed<SharingPrefix<Reversed<S>, Reversed<SharingPrefix<S, Route>>>>, Route>
    : Extract<Route, SamePath<S>>;

type SamePath<S extends string> = Extract<
  Route,
  `${string} ${S extends `${string} ${infer Path}` ? Path : S}` | `${S}/`
>;

/** Of some strings, those that begin with the longest prefix of S that any of them begins with. */
type SharingPrefix<
  S extends string,
  All extends string,
  Prefix extends string = "",
> = S extends `${infer Head}${infer Tail}`
  ? [Extract<All, `${Prefix}${Head}${string}`>] extends [never]
    ? All
    : SharingPrefix<Tail, Extract<All, `${Prefix}${Head}${string}`>, `${Prefix}${Head}`>
  : All;

type Reversed<S extends string, Rest extends string = ""> = S extends `${infer Head}${infer Tail}`
  ? Reversed<Tail, `${Head}${Rest}`>
  : Rest;

/** A route as it is, and the nearest routes in place of any other string. */
export type RouteOrNearest<R extends string> = R extends Route ? R : NoInfer<NearestRoute<R>>;

/**
 * The options of the overload that refuses other strings. For a route, their number fits no call, so that TypeScript
 * reports only what the other overload says; without options, it is that of the other overload.
 */
export type MisspeltArguments<R extends string, Options extends unknown[]> = [R] extends [Route]
  ? [Route] extends [R]
    ? [options?: RequestOptions<R>]
    : Options extends []
      ? RequestArguments<R>
      : [never, never, never]
  : Options;
