import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createTestServer } from "../../testing.fixture.ts";
import { openAiModel } from "./language-model.ts";

const SECRET = "sk-a-secret-of-the-host";
const TEXT = "A larger button, for readers who hesitate";
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Starts an HTTP server that responds like a chat-completions API. */
async function startModel(answer: (body: Record<string, unknown>, response: ServerResponse) => void) {
  const prompts: { headers: IncomingMessage["headers"]; body: Record<string, unknown>; url: string | undefined }[] = [];
  const http = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    prompts.push({ headers: request.headers, body, url: request.url });
    answer(body, response);
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const logged: string[] = [];
  const log = (message: string, fields: object = {}) => void logged.push(JSON.stringify({ message, ...fields }));
  const server = await createTestServer({
    logger: { info: log, warn: log, error: log },
    languageModel: openAiModel({
      baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1/`,
      apiKey: SECRET,
      model: "test-model",
      timeoutMs: 300,
    }),
  });
  closers.push(
    () => server.assay.close(),
    () => http.closeAllConnections(),
    () => new Promise((resolve) => http.close(resolve)),
  );
  return {
    prompts,
    logged,
    server,
    design: (more: object = {}) => server.admin.request("POST /ai/design", { body: { description: TEXT, ...more } }),
  };
}

function says(content: unknown) {
  return (_body: unknown, response: ServerResponse) => {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        choices: [{ message: { content: typeof content === "string" ? content : JSON.stringify(content) } }],
      }),
    );
  };
}

const GOOD = {
  name: "Larger button",
  description: TEXT,
  hypothesis: "If the button is larger, more readers order.",
  experiment_type: "AB_TEST",
  variants: ["control", "large", "huge"].map((key, index) => ({
    key,
    name: key,
    weight: [0.34, 0.33, 0.33][index],
    is_control: index === 0,
  })),
  metrics: [
    { id: "order", name: "Order", event_type: "order", kind: "CONVERSION", direction: "INCREASE", role: "PRIMARY" },
  ],
  alpha: 0.05,
  rationale: ["Readers hesitate at small buttons."],
  baseline_rate: 0.25,
  mde: 0.04,
};

describe("a design by a language model", () => {
  test("is used if it is valid; the server computes its sample size", async () => {
    const { prompts, design, server } = await startModel(says(GOOD));
    const designed = await design({ daily_users: 900 });
    expect(designed).toMatchObject({
      source: "LANGUAGE_MODEL",
      template_id: null,
      name: GOOD.name,
      rationale: GOOD.rationale,
    });
    const size = await server.admin.request("GET /ai/sample-size", {
      query: { baseline_rate: 0.25, mde: 0.04, weights: "34,33,33", daily_users: 900 },
    });
    expect(designed.sample_size).toEqual(size);
    expect(await server.admin.request("POST /experiments/", { body: designed as never })).toMatchObject({
      planned_sample_size: size.total,
    });
    expect(prompts[0]).toMatchObject({
      url: "/v1/chat/completions",
      headers: { authorization: `Bearer ${SECRET}` },
      body: { model: "test-model" },
    });
    expect(JSON.stringify(prompts[0]!.body)).toContain(TEXT);
  });

  test("keeps the caller's own numbers", async () => {
    const { design } = await startModel(says(GOOD));
    expect((await design({ baseline_rate: 0.5, mde: 0.1 })).sample_size).toMatchObject({
      baseline: 0.5,
      relative_effect: expect.closeTo(0.1, 9),
    });
  });
});

describe("the built-in design is the fallback", () => {
  test.each<[string, (body: Record<string, unknown>, response: ServerResponse) => void]>([
    ["if the response is not JSON", says("I would try a larger button!")],
    ["if a field is missing", says({ ...GOOD, metrics: undefined })],
    ["if a field has another type", says({ ...GOOD, rationale: "because" })],
    [
      "if the API would reject it: weights",
      says({ ...GOOD, variants: GOOD.variants.map((one) => ({ ...one, weight: 0.9 })) }),
    ],
    [
      "if the API would reject it: two metrics of one id",
      says({ ...GOOD, metrics: [...GOOD.metrics, ...GOOD.metrics] }),
    ],
    ["if the rates are invalid", says({ ...GOOD, baseline_rate: 0.9, mde: 0.9 })],
    ["if there are no choices", (_body, response) => response.end('{"choices":[]}')],
    ["if the server fails", (_body, response) => response.writeHead(500).end("{}")],
    ["if the key is rejected", (_body, response) => response.writeHead(401).end('{"error":"bad key"}')],
    ["if the connection breaks", (_body, response) => response.destroy()],
    ["if there is no response", () => {}],
  ])("%s", async (_case, answer) => {
    const { design, logged, server } = await startModel(answer);
    const designed = await design();
    expect(designed).toMatchObject({ source: "BUILT_IN", template_id: "call-to-action" });
    expect(designed.rationale.at(-1)).toMatch(/no usable design/);
    expect(await server.admin.request("POST /experiments/", { body: designed as never })).toMatchObject({
      status: "DRAFT",
    });
    const warnings = logged.filter((line) => line.includes("language model"));
    expect(warnings).toHaveLength(1);
    expect(logged.join()).not.toContain(SECRET);
    expect(warnings.join()).not.toContain("hesitate");
  });
});
