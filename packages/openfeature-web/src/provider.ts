import type { ConnectionError } from "@assay/sdk";
import {
  ErrorCode,
  type EvaluationContext,
  GeneralError,
  type Hook,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  type TrackingEventDetails,
} from "@openfeature/web-sdk";
import type { AssayWebProviderOptions } from "./option.ts";
import type { WebProviderCore } from "./page-core.ts";
import type { createRemoteCore } from "./remote-core.ts";

/** A provider in a page; the base of all providers for browsers. */
export abstract class WebProvider implements Provider {
  readonly metadata = { name: "assay" } as const;
  readonly runsOn = "client";
  /**
   * Whether each domain needs its own provider: if results are for one context, because the SDK does not pass the
   * domain with a new context.
   */
  readonly domainScoped: boolean;
  readonly events = new OpenFeatureEventEmitter();
  readonly #core: WebProviderCore<ErrorCode>;
  readonly #hooks: Hook[];

  /** @throws OptionError if an option is missing or invalid */
  constructor(options: AssayWebProviderOptions, createCore: typeof createRemoteCore, domainScoped: boolean) {
    const core = createCore(Object(options), ErrorCode, (event, details) =>
      this.events.emit(ProviderEvents[event], details),
    );
    this.#core = core;
    this.domainScoped = domainScoped;
    this.#hooks = [{ after: ({ flagKey, context }, { variant }) => core.expose(flagKey, variant, context) }];
  }

  /**
   * The hooks that record exposures. Empty while no experiment runs on a flag, so that evaluations then have no extra
   * cost.
   */
  get hooks(): Hook[] {
    return this.#core.exposes() ? this.#hooks : [];
  }

  /**
   * Fetches the program or the results. With `bootstrap`, or stored flags, it resolves immediately.
   * @throws ProviderFatalError if the server rejects the API key. After any other error, fetching continues in the
   * background, and the provider emits READY once it succeeds.
   */
  async initialize(context: EvaluationContext = {}, domain?: string): Promise<void> {
    try {
      await this.#core.open(context, domain);
    } catch (error) {
      const { fatal, message } = error as ConnectionError;
      throw fatal ? new ProviderFatalError(message) : new GeneralError(message, { cause: error });
    }
  }

  /**
   * Changes the context: synchronously if the page evaluates flags, otherwise with the server's results for the newest
   * context.
   */
  onContextChange(_: EvaluationContext, context: EvaluationContext): Promise<void> | undefined {
    return this.#core.changeContext(context);
  }

  resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext) {
    return this.#core.resolve(flagKey, defaultValue, context, "boolean");
  }

  resolveStringEvaluation(flagKey: string, defaultValue: string, context: EvaluationContext) {
    return this.#core.resolve(flagKey, defaultValue, context, "string");
  }

  resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext) {
    return this.#core.resolve(flagKey, defaultValue, context, "number");
  }

  resolveObjectEvaluation<T extends JsonValue>(flagKey: string, defaultValue: T, context: EvaluationContext) {
    return this.#core.resolve(flagKey, defaultValue, context, "object");
  }

  /** Queues a tracking event for the context's targeting key; it is sent in the background. */
  track(name: string, context: EvaluationContext, details?: TrackingEventDetails): void {
    this.#core.track(name, context, details);
  }

  /** Sends tracked events and stops fetching. May be called repeatedly; the provider can be used again afterwards. */
  onClose(): Promise<void> {
    return this.#core.close();
  }
}
