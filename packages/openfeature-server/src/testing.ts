import type { Definitions } from "@assay/core";
import { createFlagSet, type FlagInTest, type FlagSet, type ProviderOptions, type TrackingEvent } from "@assay/sdk";
import { AssayServerProvider } from "./provider.ts";

export type { FlagInTest } from "@assay/sdk";

/** Options of a provider for tests. */
export interface AssayTestProviderOptions extends ProviderOptions {
  /** Segments, experiments and other definitions that a test needs. */
  definitions?: Partial<Omit<Definitions, "flags">>;
  /** Milliseconds since the epoch, for time rules. @default Date.now */
  now?: () => number;
}

/**
 * A provider for unit tests. It evaluates in-memory flags like the real provider, without a server, requests or timers.
 * @example
 * const flags = new AssayTestProvider({ "new-checkout": true, theme: "dark" });
 * await OpenFeature.setProviderAndWait(flags);
 * flags.set("new-checkout", false);
 */
export class AssayTestProvider extends AssayServerProvider {
  /** The exposures and events of `track` so far, oldest first. */
  readonly tracked: TrackingEvent[];
  readonly #flags: FlagSet;

  constructor(flags: Readonly<Record<string, FlagInTest>> = {}, options: AssayTestProviderOptions = {}) {
    const { definitions, now, ...rest } = options;
    const set = createFlagSet(flags, definitions, { now });
    const tracked: TrackingEvent[] = [];
    super({ ...rest, engine: set.engine, track: (event) => tracked.push(event) });
    this.tracked = tracked;
    this.#flags = set;
  }

  /** Adds or replaces a flag and emits PROVIDER_CONFIGURATION_CHANGED for it and the flags that depend on it. */
  set(key: string, flag: FlagInTest): void {
    this.#flags.set(key, flag);
  }

  /** Removes a flag. Evaluating it then returns FLAG_NOT_FOUND. */
  remove(key: string): void {
    this.#flags.remove(key);
  }
}
