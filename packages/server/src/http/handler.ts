import type { Area, Route, RouteKey } from "@assay/contract";
import type { Overrides } from "@assay/core/overrides";
import type { z } from "zod";
import type { Awaitable } from "../ground/awaitable.ts";
import type { Caller } from "../model/caller.ts";
import type { Services } from "../services.ts";
import type { Change } from "../storage/change.ts";
import type { SharedAnswer } from "./shared-answer.ts";

type Parsed<T, Fallback> = T extends z.ZodType ? z.output<T> : Fallback;

/** One validated request to a route, as handlers see it. */
export type Call<R extends Route = Route> = ValidatedCall<
  Parsed<R["params"], Record<string, string>>,
  Parsed<R["query"], Record<string, never>>,
  Parsed<R["body"], undefined>
> & {
  /** The negotiated media type of the `representations` of the route. Undefined for its `response`. */
  representation: Representations<R> | undefined;
};

type Representations<R extends Route> = R extends { representations: infer T } ? keyof T : undefined;

export interface ValidatedCall<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  caller: Caller;
  services: Services;
  request: Request;
  /** From `If-Match`. */
  ifVersion: number | undefined;
  /** The audit note of a write by this caller. */
  change(action: string, reason?: string): Change;
  /** Whether the request came over TLS, as far as trusted proxies say. */
  isSecure(): boolean;
  /** Response headers besides the standard ones. */
  headers: Record<string, string>;
  /** Overrides from a signed token, or null if there are none. @throws ApiError 400 for an invalid token */
  forced: () => Awaitable<Overrides | null>;
  /** Streams only. Checks whether the caller still has access, and rejects with the refusal if not. */
  readmit?: () => Promise<Caller>;
}

type Answer<R extends Route> = Main<R> | (R extends { representations: infer T } ? z.output<T[keyof T]> : never);

type Main<R extends Route> = R extends { produces: readonly string[] }
  ? Response
  : R["response"] extends z.ZodType
    ? Whole<z.input<R["response"]>>
    : // biome-ignore lint/suspicious/noConfusingVoidType: what a 204 handler returns is not used, so a service may return nothing
      void;

type Whole<T> = T | (T extends object ? SharedAnswer<T> : never);

/** A handler for each route of an area: at most ten lines from request to service. */
export type Handlers<A extends Area> = {
  [K in keyof A & RouteKey]: (call: Call<A[K]>) => Answer<A[K]> | Promise<Answer<A[K]>>;
};

/** Declares the handlers of one area, without side effects. A missing or unknown key is a type error. */
export function defineHandlers<A extends Area>(handlers: Handlers<A>): Handlers<A> {
  return handlers;
}
