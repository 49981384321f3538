import { setTimeout } from "node:timers/promises";
import { memoryStore, type Store, StoreUnavailable } from "@assay/store";
import { context, propagation, type TextMapPropagator, TraceFlags, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { createTestServer, ORIGIN, refusal, type TestServer } from "../testing.fixture.ts";

const exporter = new InMemorySpanExporter();
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN_ID = "b7ad6b7169203331";

/** W3C trace context, as far as this test needs it. */
const propagator: TextMapPropagator = {
  inject() {},
  fields: () => ["traceparent"],
  extract(parent, carrier, getter) {
    const [, traceId, spanId] = String(getter.get(carrier, "traceparent") ?? "").split("-");
    if (!traceId || !spanId) return parent;
    return trace.setSpanContext(parent, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
  },
};

let server: TestServer;

beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(propagator);
});
afterEach(async () => {
  await server.assay.close();
  exporter.reset();
});
afterAll(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

async function started(options: Parameters<typeof createTestServer>[0] = {}): Promise<TestServer> {
  server = await createTestServer(options);
  exporter.reset();
  return server;
}

const spans = (name: string): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name);

test("a request is a server span with its route, and continues the trace of its sender", async () => {
  const { assay } = await started();
  const headers = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` };
  await assay.fetch(new Request(`${ORIGIN}/api/v1/feature-flags/secret-launch?user=ada`, { headers }));
  const [span] = spans("GET /api/v1/feature-flags/:id");
  expect(span!.kind).toBe(1);
  expect(span!.attributes).toEqual({
    "http.request.method": "GET",
    "http.route": "/api/v1/feature-flags/:id",
    "http.response.status_code": 401,
  });
  expect(span!.spanContext().traceId).toBe(TRACE_ID);
  expect(span!.parentSpanContext?.spanId).toBe(SPAN_ID);
  expect(span!.status.code).toBe(0);
});

test("the span of a host is the parent, and the server's is an internal one", async () => {
  const { assay } = await started();
  await trace.getTracer("host").startActiveSpan("GET /assay", async (host) => {
    await assay.fetch(new Request(`${ORIGIN}/healthz`));
    host.end();
  });
  const [span] = spans("GET /healthz");
  const [host] = spans("GET /assay");
  expect(span!.kind).toBe(0);
  expect(span!.parentSpanContext?.spanId).toBe(host!.spanContext().spanId);
});

const commitsOf = (request: ReadableSpan | undefined) =>
  spans("store batch").filter(({ parentSpanContext }) => parentSpanContext?.spanId === request?.spanContext().spanId);

test("commits are spans inside the request that made them", async () => {
  const { admin } = await started();
  await admin.request("POST /feature-flags/", { body: { key: "f", name: "F" } });
  const [commit] = commitsOf(spans("POST /api/v1/feature-flags")[0]);
  expect(commit!.kind).toBe(2);
  expect(commit!.attributes).toEqual({
    "db.system.name": "memory",
    "db.operation.name": "batch",
    "db.operation.batch.size": expect.any(Number),
  });
});

test("events that wait for the commit of others have their own commit in their own trace", async () => {
  const inner = memoryStore();
  let hold = () => {};
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const batch: Store["batch"] = async (operations) => {
    const isOfEvents = operations.some(
      (operation) => operation.type === "append" && operation.journal === EVENTS_JOURNAL,
    );
    if (isOfEvents) {
      hold();
      await released;
    }
    return inner.batch(operations);
  };
  const { withKey } = await started({ storage: { ...inner, batch } });
  const app = await withKey(["write"]);
  const track = (event_id: string) =>
    app.request("POST /tracking/track", { body: { user_id: "ada", event_type: "purchase", event_id } });
  const sending = [track("one")];
  await held;
  sending.push(track("two"));
  await setTimeout(20);
  release();
  await Promise.all(sending);
  const requests = spans("POST /api/v1/tracking/track");
  expect(requests).toHaveLength(2);
  expect(requests.filter((request) => commitsOf(request).length === 0)).toEqual([]);
});

test("a request that fails because of the server marks its span as failed", async () => {
  const inner = memoryStore();
  let isBroken = false;
  const batch: Store["batch"] = (operations) =>
    isBroken ? Promise.reject(new StoreUnavailable("broken")) : inner.batch(operations);
  const { admin } = await started({ storage: { ...inner, batch } });
  await admin.request("GET /users/me");
  isBroken = true;
  expect((await refusal(admin.request("POST /feature-flags/", { body: { key: "f", name: "F" } }))).status).toBe(503);
  isBroken = false;
  const [failed] = spans("POST /api/v1/feature-flags");
  expect([failed?.status.code, failed?.attributes["error.type"]]).toEqual([2, "503"]);
  const [commit] = commitsOf(failed);
  expect([commit?.status.code, commit?.attributes["error.type"]]).toEqual([2, "StoreUnavailable"]);
});

test("each run of a job is a span", async () => {
  const { runJob } = await started();
  await runJob("rollout-advance");
  expect(spans("job rollout-advance").map(({ attributes }) => attributes)).toEqual([
    { "assay.job": "rollout-advance" },
  ]);
});
