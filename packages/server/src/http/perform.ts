import { contract, type Route, type RouteKey } from "@assay/contract";
import type { Caller } from "../model/caller.ts";
import type { Change } from "../storage/change.ts";
import type { Call } from "./handler.ts";
import { nameIgnored } from "./ignored-fields.ts";
import { ignoredFields, validate } from "./validate.ts";

/** A change that a handler performs outside a request to its route. */
export interface Performance {
  params: Record<string, string>;
  body: unknown;
  caller: Caller;
  change(action: string, reason?: string): Change;
  ifVersion?: number | undefined;
  /** The request that asks for it, and the headers of its response. */
  request: Request;
  headers: Record<string, string>;
}

/** Calls the handler of a route. The caller checks the rights to the route. @throws ApiError like the route */
export type Perform = (key: RouteKey, performance: Performance) => Promise<void>;

/** @param services those of the environment, once they exist */
export function createPerform(handlers: object, services: () => Call["services"]): Perform {
  return async (key, { params, body, request, headers, ...rest }) => {
    const route: Route = contract[key as keyof typeof contract];
    const call = {
      ...rest,
      request,
      headers,
      services: services(),
      params: route.params ? validate(route.params, params, "path") : params,
      query: {},
      body: route.body ? validate(route.body, body, "body") : undefined,
      representation: undefined,
      isSecure: () => true,
      forced: () => null,
    };
    if (route.body && body !== undefined) nameIgnored(ignoredFields(route.body, body), route, request, headers);
    const handler = (handlers as Record<string, (call: Call) => unknown>)[key]!;
    await handler(call as Call);
  };
}
