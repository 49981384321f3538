import type { Engine } from "@assay/core";
import {
  type ConnectionError,
  createDefinitionSource,
  createEventQueue,
  type DefinitionSource,
  type DefinitionSourceOptions,
  type EventQueue,
  OptionError,
  type TrackingEvent,
} from "@assay/core/definitions";
import {
  type EvaluationContext,
  GeneralError,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderFatalError,
  type ResolutionDetails,
  ServerProviderEvents,
  type TrackingEventDetails,
} from "@openfeature/server-sdk";
import { createResolve, type Resolve } from "./resolution.ts";
import { toTrackingEvent } from "./tracking.ts";

/** Options of a provider that fetches its definitions over HTTP. */
export interface RemoteOptions extends DefinitionSourceOptions {
  /** Tracking events were lost: refused by the server, too many, or without a targeting key. */
  onDrop?: (count: number, reason: Error) => void;
}

/** Options of a provider over an engine in the same process: no HTTP, no timers. */
export interface EmbeddedOptions {
  engine: Engine;
  /** Takes the tracking events; without it they are dropped. */
  track?: (event: TrackingEvent) => void;
}

export type AssayServerProviderOptions = RemoteOptions | EmbeddedOptions;

/**
 * The OpenFeature provider for servers: definitions are fetched once and kept fresh in the background, flags are
 * evaluated in this process. Reasons are CACHED, STATIC while expired definitions are fetched anew, DEFAULT for a
 * missing flag and ERROR; the evaluator's own reason is in `flagMetadata.reason`, beside `rule_id` and `version`.
 * @example
 * await OpenFeature.setProviderAndWait(new AssayServerProvider({ apiKey: process.env.ASSAY_API_KEY }));
 */
export class AssayServerProvider implements Provider {
  readonly metadata = { name: "assay" } as const;
  readonly runsOn = "server";
  readonly events = new OpenFeatureEventEmitter();
  readonly #engine: Engine;
  readonly #resolve: Resolve;
  readonly #source: DefinitionSource | undefined;
  readonly #queue: EventQueue | undefined;
  readonly #track: (event: TrackingEvent) => void;
  readonly #onDrop: RemoteOptions["onDrop"];
  #unsubscribe: (() => void) | undefined;
  #isStale = false;

  /** @throws OptionError where an option is missing or not of its kind. */
  constructor(options: AssayServerProviderOptions) {
    if ("engine" in Object(options)) {
      const { engine, track = () => {} } = options as EmbeddedOptions;
      if (typeof engine?.evaluate !== "function") throw new OptionError("engine", "an engine of @assay/core");
      this.#engine = engine;
      this.#track = track;
    } else {
      const remote = Object(options) as RemoteOptions;
      const source = createDefinitionSource(remote, {
        onError: (error) => this.#goStale(error),
        onRecover: () => this.#recover(),
      });
      const queue = createEventQueue(remote);
      this.#source = source;
      this.#engine = source.engine;
      this.#queue = queue;
      this.#track = (event) => queue.push(event);
      this.#onDrop = remote.onDrop;
    }
    this.#resolve = createResolve(this.#engine);
  }

  /**
   * Fetches the definitions; with `bootstrap` or `engine` there is nothing to wait for.
   * @throws ProviderFatalError where the API key is rejected. After any other error fetching goes on in the
   * background, and READY is emitted once it works.
   */
  async initialize(): Promise<void> {
    try {
      await this.#source?.open();
    } catch (error) {
      const { fatal, message } = error as ConnectionError;
      throw fatal ? new ProviderFatalError(message) : new GeneralError(message, { cause: error });
    }
    this.#subscribe();
  }

  resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext) {
    return this.#answer(flagKey, defaultValue, context, "boolean");
  }

  resolveStringEvaluation(flagKey: string, defaultValue: string, context: EvaluationContext) {
    return this.#answer(flagKey, defaultValue, context, "string");
  }

  resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext) {
    return this.#answer(flagKey, defaultValue, context, "number");
  }

  resolveObjectEvaluation<T extends JsonValue>(flagKey: string, defaultValue: T, context: EvaluationContext) {
    return this.#answer(flagKey, defaultValue, context, "object");
  }

  /** Queues a tracking event for the context's targeting key; it is sent in the background. */
  track(name: string, context: EvaluationContext, details: TrackingEventDetails = {}): void {
    const event = toTrackingEvent(name, context, details);
    if (event) this.#track(event);
    else this.#onDrop?.(1, new Error(`Event ${JSON.stringify(name)} has no targeting key`));
  }

  /** Sends what was tracked and stops fetching. May be called again; the provider may be set again after it. */
  async onClose(): Promise<void> {
    this.#source?.close();
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#isStale = false;
    await this.#queue?.close();
  }

  #answer<T extends JsonValue>(
    flagKey: string,
    defaultValue: T,
    context: EvaluationContext,
    kind: Parameters<Resolve>[3],
  ): Promise<ResolutionDetails<T>> {
    const freshness = this.#source?.freshness() ?? "CACHED";
    return Promise.resolve(this.#resolve(flagKey, defaultValue, context, kind, freshness));
  }

  /** From here on a change is one; the first definitions are none. */
  #subscribe(): void {
    this.#unsubscribe ??= this.#engine.onChange(({ flags }) => {
      if (flags.length > 0) this.events.emit(ServerProviderEvents.ConfigurationChanged, { flagsChanged: flags });
    });
  }

  /** Told once, however long it lasts; before the first definitions `initialize` tells it. */
  #goStale(error: ConnectionError): void {
    if (!this.#source?.isReady || this.#isStale) return;
    this.#isStale = true;
    this.events.emit(ServerProviderEvents.Stale, { message: error.message });
  }

  #recover(): void {
    this.#isStale = false;
    this.#subscribe();
    this.events.emit(ServerProviderEvents.Ready, { message: "Definitions are fresh again" });
  }
}
