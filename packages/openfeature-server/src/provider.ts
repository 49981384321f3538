import {
  type ConnectionError,
  createServerProviderCore,
  type EmbeddedProviderOptions,
  type RemoteProviderOptions,
  type ServerProviderCore,
} from "@assay/sdk";
import {
  ErrorCode,
  type EvaluationContext,
  GeneralError,
  type Hook,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderFatalError,
  ServerProviderEvents,
  type TrackingEventDetails,
} from "@openfeature/server-sdk";

export type AssayServerProviderOptions = RemoteProviderOptions | EmbeddedProviderOptions;

/**
 * The OpenFeature provider for servers: definitions are fetched once and kept fresh in the background, and flags are
 * evaluated in this process. Reasons are CACHED, STATIC while expired definitions are fetched again, DEFAULT for a
 * missing flag and ERROR, or with `reasons: "evaluation"` OpenFeature's own; `flagMetadata` has both. Evaluations of
 * flags that an experiment runs on are recorded as exposures.
 * @example
 * await OpenFeature.setProviderAndWait(new AssayServerProvider({ apiKey: process.env.ASSAY_API_KEY }));
 */
export class AssayServerProvider implements Provider {
  readonly metadata = { name: "assay" } as const;
  readonly runsOn = "server";
  readonly events = new OpenFeatureEventEmitter();
  readonly #core: ServerProviderCore<ErrorCode>;
  readonly #hooks: Hook[];

  /** @throws OptionError if an option is missing or invalid */
  constructor(options: AssayServerProviderOptions) {
    const core = createServerProviderCore(options, ErrorCode, (event, details) =>
      this.events.emit(ServerProviderEvents[event], details),
    );
    this.#core = core;
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
   * Fetches the definitions. With `bootstrap` or `engine` it resolves immediately.
   * @throws ProviderFatalError if the server rejects the API key. After any other error, fetching continues in the
   * background, and the provider emits READY once it succeeds.
   */
  async initialize(): Promise<void> {
    try {
      await this.#core.open();
    } catch (error) {
      const { fatal, message } = error as ConnectionError;
      throw fatal ? new ProviderFatalError(message) : new GeneralError(message, { cause: error });
    }
  }

  async resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext) {
    return this.#core.resolve(flagKey, defaultValue, context, "boolean");
  }

  async resolveStringEvaluation(flagKey: string, defaultValue: string, context: EvaluationContext) {
    return this.#core.resolve(flagKey, defaultValue, context, "string");
  }

  async resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext) {
    return this.#core.resolve(flagKey, defaultValue, context, "number");
  }

  async resolveObjectEvaluation<T extends JsonValue>(flagKey: string, defaultValue: T, context: EvaluationContext) {
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
