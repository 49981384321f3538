import type { Assignment, Engine, EngineOptions, Outline } from "@assay/core";
import type { ApiRequest } from "./connection.ts";

/** The fields of flags and experiments that a provider uses. */
export interface ProviderOutline {
  flag_set_id?: string | undefined;
  flags: Pick<Outline["flags"][number], "key" | "version" | "metadata" | "bucket_by">[];
  experiments: Pick<Outline["experiments"][number], "id" | "key" | "status" | "feature_flag_key">[];
}

/** The parts of an engine that a provider uses. */
export interface ProviderEngine extends Pick<Engine, "evaluate"> {
  readonly definitions: ProviderOutline;
  /** Returns the arm of a user; null without such an experiment. */
  assign(...user: Parameters<Engine["assign"]>): Pick<Assignment, "variant_key" | "assigned" | "forced"> | null;
}

/** An engine whose definitions can be replaced. */
export interface UpdatableEngine<D> {
  readonly definitions: D;
  update(definitions: D): unknown;
}

/** A format in which the server serves flags: definitions, a program, or the answers for one context. */
export interface Format<D extends ProviderOutline, E extends UpdatableEngine<D> = UpdatableEngine<D>> {
  /** The definitions before the first response. */
  empty: D;
  createEngine(definitions: D, options: EngineOptions): E;
  /** Returns the request for the flags; `announced` is the version that a stream has announced. */
  toRequest(announced?: string): ApiRequest;
  /** Parses a response body, as text or as parsed JSON. @throws if it is invalid */
  parse(body: unknown): D;
  /**
   * Removes from a response body what must not be stored.
   * @default the body itself
   */
  redact?(body: string): string;
  /** A description of a valid `bootstrap`, for error messages. */
  bootstrap: string;
  /** Whether the ETag does not begin with the version that streams announce. */
  opaqueEtag?: boolean;
}
