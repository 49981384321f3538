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
import { createWebSession, type EvaluationParts, type WebSession } from "./session.ts";

/** A provider over a session in a page; what all providers for browsers are. */
export abstract class WebProvider implements Provider {
  readonly metadata = { name: "assay" } as const;
  readonly runsOn = "client";
  /** The SDK names no domain with a new context; where answers are for one context, each domain needs its provider. */
  readonly domainScoped: boolean;
  readonly events = new OpenFeatureEventEmitter();
  readonly #session: WebSession<ErrorCode>;
  readonly #hooks: Hook[];

  /** @throws OptionError where an option is missing or not of its kind. */
  constructor(given: AssayWebProviderOptions, localParts?: EvaluationParts) {
    const options: AssayWebProviderOptions = Object(given);
    const session = createWebSession(
      options,
      ErrorCode,
      (event, details) => this.events.emit(ProviderEvents[event], details),
      localParts,
    );
    this.#session = session;
    this.domainScoped = !localParts || options.evaluation === "remote";
    this.#hooks = [{ after: ({ flagKey, context }, { variant }) => session.expose(flagKey, variant, context) }];
  }

  /** Records exposures; none while no experiment runs on a flag, so that evaluations then cost nothing more. */
  get hooks(): Hook[] {
    return this.#session.exposes() ? this.#hooks : [];
  }

  /**
   * Fetches what to answer from; with `bootstrap`, or something in the storage, there is nothing to wait for.
   * @throws ProviderFatalError where the API key is rejected. After any other error fetching goes on in the
   * background, and READY is emitted once it works.
   */
  async initialize(context: EvaluationContext = {}, domain?: string): Promise<void> {
    try {
      await this.#session.open(context, domain);
    } catch (error) {
      const { fatal, message } = error as ConnectionError;
      throw fatal ? new ProviderFatalError(message) : new GeneralError(message, { cause: error });
    }
  }

  /** Done at once where flags are evaluated here; else resolves with the answers for the newest context. */
  onContextChange(_: EvaluationContext, context: EvaluationContext): Promise<void> | undefined {
    return this.#session.changeContext(context);
  }

  resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext) {
    return this.#session.resolve(flagKey, defaultValue, context, "boolean");
  }

  resolveStringEvaluation(flagKey: string, defaultValue: string, context: EvaluationContext) {
    return this.#session.resolve(flagKey, defaultValue, context, "string");
  }

  resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext) {
    return this.#session.resolve(flagKey, defaultValue, context, "number");
  }

  resolveObjectEvaluation<T extends JsonValue>(flagKey: string, defaultValue: T, context: EvaluationContext) {
    return this.#session.resolve(flagKey, defaultValue, context, "object");
  }

  /** Queues a tracking event for the context's targeting key; it is sent in the background. */
  track(name: string, context: EvaluationContext, details?: TrackingEventDetails): void {
    this.#session.track(name, context, details);
  }

  /** Sends what was tracked and stops fetching. May be called again; the provider may be set again after it. */
  onClose(): Promise<void> {
    return this.#session.close();
  }
}
