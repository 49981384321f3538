import { type Area, contract, parseRouteKey, pathParams, type Route, type RouteKey } from "@assay/contract";
import fc from "fast-check";
import { toArbitrary } from "./arbitrary.fixture.ts";
import { toParameter } from "./parameter.fixture.ts";
import type { Pool } from "./pool.fixture.ts";

/** Logging out would end the session of all requests. */
const LEFT_OUT: RouteKey[] = ["POST /auth/logout"];
const routes = (Object.entries(contract as Area) as [RouteKey, Route][]).filter(
  ([key, { produces }]) => !LEFT_OUT.includes(key) && !produces,
);
/** Deletes are rare, so that resources remain; calculations are frequent, because they are the most error-prone. */
const weighted = routes.map(([key, route]) => ({
  arbitrary: fc.constant({ key, route }),
  weight: /^DELETE|archive|cancel/.test(key) ? 1 : /results|interactions|tracking|bandit|^.*\/ai/.test(key) ? 15 : 5,
}));

/** A request as data, so that a failure shows it. */
export interface FuzzedRequest {
  method: string;
  path: string;
  route: Route;
  body: unknown;
}

/** Generates requests to all routes, which refer to what earlier responses named. */
export function toRequests(pool: Pool): fc.Arbitrary<FuzzedRequest> {
  const parts = new Map(
    routes.map(([key, { query, body, documentedBody = body }]) => [
      key,
      {
        query: query ? fc.oneof(fc.constant({}), toArbitrary(query, pool)) : fc.constant({}),
        body: documentedBody ? toArbitrary(documentedBody, pool) : fc.constant(undefined),
      },
    ]),
  );
  return fc.oneof(...weighted).chain(({ key, route }) => {
    const [method, path] = parseRouteKey(key);
    const names = pathParams(path);
    const params = fc.tuple(...names.map((name) => toParameter(name, path, route, pool)));
    return fc.record({ ...parts.get(key)!, params }).map(({ query, body, params }) => {
      const filled = names.reduce((text, name, index) => text.replace(`{${name}}`, toSegment(params[index]!)), path);
      const pairs = Object.entries(Object(query)).filter(([, value]) => value !== undefined);
      const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]));
      return { method, path: `${filled}?${search}`, route, body: method === "GET" ? undefined : body };
    });
  });
}

/**
 * Encodes a text as a path segment. Replaces empty text, `.` and `..`, which would make another path, and lone
 * surrogates, which no path can contain.
 */
function toSegment(text: string): string {
  return encodeURIComponent(
    Buffer.from(text)
      .toString()
      .replace(/^\.{0,2}$/, "x"),
  );
}
