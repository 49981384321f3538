import type { Area, Route, RouteKey } from "@assay/contract";
import type { Overrides } from "@assay/core/overrides";
import type { z } from "zod";
import type { Caller } from "../model/caller.ts";
import type { Services } from "../services.ts";
import type { Change } from "../storage/change.ts";

type Parsed<T, Fallback> = T extends z.ZodType ? z.output<T> : Fallback;

/** One validated request to a route, as its handler sees it. */
export type Call<R extends Route = Route> = ValidatedCall<
  Parsed<R["params"], Record<string, string>>,
  Parsed<R["query"], Record<string, never>>,
  Parsed<R["body"], undefined>
> & {
  /** The media type of the route's `representations` that is to be answered; undefined for its `response`. */
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
  /** The audit note of a write: this caller, this action. */
  change(action: string, reason?: string): Change;
  /** Response headers beside the standard ones. */
  headers: Record<string, string>;
  /** What the request forces by a signed token; null where nothing. @throws ApiError 400 for one that is not good */
  forced: () => Promise<Overrides | null>;
  /** On streams only: whether the caller may still listen. Rejects with the refusal. */
  readmit?: () => Promise<Caller>;
}

type Answer<R extends Route> = Main<R> | (R extends { representations: infer T } ? z.output<T[keyof T]> : never);

type Main<R extends Route> = R extends { produces: readonly string[] }
  ? Response
  : R["response"] extends z.ZodType
    ? z.input<R["response"]>
    : // biome-ignore lint/suspicious/noConfusingVoidType: what a 204 handler returns is not used, so a service may return nothing
      void;

/** A handler per route of an area: at most ten lines from request to service. */
export type Handlers<A extends Area> = {
  [K in keyof A & RouteKey]: (call: Call<A[K]>) => Answer<A[K]> | Promise<Answer<A[K]>>;
};

/** Declares the handlers of one area; inert. A missing or unknown key is a type error. */
export function defineHandlers<A extends Area>(handlers: Handlers<A>): Handlers<A> {
  return handlers;
}
