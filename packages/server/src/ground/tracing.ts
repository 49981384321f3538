import type * as Api from "@opentelemetry/api";

type Attributes = Record<string, string | number>;

/** An open span. */
export interface Span {
  set(attributes: Attributes): void;
  /** Renames the span. */
  name(name: string): void;
  /** Marks the span as failed. `type` is a word of few values, such as a status code or the name of an error. */
  fail(type: string): void;
}

/** Spans of OpenTelemetry. Without its API or an SDK, work runs without a span. */
export interface Tracing {
  /** Loads `@opentelemetry/api` if it is installed. */
  load(): Promise<void>;
  /** Whether the process has an SDK. */
  isActive(): boolean;
  /** Runs work in the span of a request, which continues the trace of its headers or of the host. */
  request<T>(name: string, headers: Headers, work: (span: Span) => Promise<T>): Promise<T>;
  /** Runs work in a span. It fails if the work rejects. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Like `span`, but only inside another span. */
  child<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Returns a function that runs work in the span that is active now. */
  capture(): <T>(work: () => T) => T;
}

const SCOPE = "@assay/server";
/** A variable, and marked so that bundlers skip it: a bundle must build without the package. */
const PACKAGE = "@opentelemetry/api";
const NO_SPAN: Span = { set() {}, name() {}, fail() {} };

const headerGetter: Api.TextMapGetter<Headers> = {
  keys: (headers) => [...headers.keys()],
  get: (headers, name) => headers.get(name) ?? undefined,
};

/** Creates spans with the tracer provider of the process. */
export function createTracing(): Tracing {
  let api: typeof Api | undefined;

  /** Returns a tracer; undefined while there is no SDK, so that requests do not pay for spans without effect. */
  function tracer(): Api.Tracer | undefined {
    const provider = api?.trace.getTracerProvider() as Partial<Api.ProxyTracerProvider> | undefined;
    return provider?.getDelegateTracer ? provider.getDelegateTracer(SCOPE) : provider?.getTracer?.(SCOPE);
  }

  /** Runs work in a new span. Call it only with a tracer. */
  async function within<T>(
    name: string,
    options: Api.SpanOptions,
    parent: Api.Context,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const { context, SpanStatusCode, trace } = api!;
    const span = tracer()!.startSpan(name, options, parent);
    const open: Span = {
      set: (attributes) => void span.setAttributes(attributes),
      name: (next) => void span.updateName(next),
      fail: (type) => void span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR }),
    };
    try {
      return await context.with(trace.setSpan(parent, span), () => work(open));
    } catch (error) {
      open.fail(error instanceof Error ? error.name : "_OTHER");
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    async load() {
      api = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ PACKAGE).catch(
        () => undefined,
      );
    },
    isActive: () => tracer() !== undefined,
    request(name, headers, work) {
      if (!api || !tracer()) return work(NO_SPAN);
      const active = api.context.active();
      // A host that traces its own requests has a span for this one.
      if (api.trace.getSpan(active)) return within(name, { kind: api.SpanKind.INTERNAL }, active, work);
      return within(name, { kind: api.SpanKind.SERVER }, api.propagation.extract(active, headers, headerGetter), work);
    },
    span(name, attributes, work) {
      return api && tracer() ? within(name, { attributes }, api.context.active(), work) : work();
    },
    child(name, attributes, work) {
      if (!api || !tracer() || !api.trace.getActiveSpan()) return work();
      return within(name, { attributes, kind: api.SpanKind.CLIENT }, api.context.active(), work);
    },
    capture() {
      if (!api || !tracer()) return (work) => work();
      const { context } = api;
      const active = context.active();
      return (work) => context.with(active, work);
    },
  };
}
