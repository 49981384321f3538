import { createEngine } from "@assay/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
  const create = (body: object) =>
    server.admin.request("POST /feature-flags/", { body: { status: "ACTIVE", ...body } as never });
  await create({ key: "plain", name: "Plain" });
  await create({
    key: "colour",
    name: "Colour",
    variants: [
      { key: "red", weight: 50, value: "#f00" },
      { key: "blue", weight: 50, value: "#00f" },
    ],
  });
});
afterEach(() => server.assay.close());

test("definitions have the five specified fields and evaluate the same elsewhere", async () => {
  const client = await server.withKey(["read"]);
  const definitions = await client.request("GET /openfeature/flags");
  expect(definitions.flags.find(({ key }) => key === "colour")).toMatchObject({
    key: "colour",
    enabled: true,
    rollout_percentage: 100,
    variants: [
      { key: "red", weight: 50, value: "#f00" },
      { key: "blue", weight: 50, value: "#00f" },
    ],
    rules: [],
  });
  const engine = createEngine(definitions as never);
  for (let index = 0; index < 100; index++) {
    const context = { targetingKey: `user-${index}` };
    expect(engine.evaluate("colour", context, null)).toEqual(server.assay.engine.evaluate("colour", context, null));
  }
});

test("evaluates one flag to value, variant, reason and key", async () => {
  const client = await server.withKey(["read"]);
  const answer = await client.request("POST /openfeature/evaluate", {
    body: { flagKey: "plain", userId: "u", attributes: {} },
  });
  expect(answer).toEqual({ value: true, variant: "on", reason: "STATIC", flagKey: "plain" });
});

test("a missing flag is an answer, not an error", async () => {
  const client = await server.withKey(["read"]);
  const answer = await client.request("POST /openfeature/evaluate", { body: { flagKey: "nope", userId: "u" } });
  expect(answer).toEqual({
    value: null,
    variant: null,
    reason: "DEFAULT",
    flagKey: "nope",
    errorCode: "FLAG_NOT_FOUND",
  });
});

test("bulk evaluation answers in order, the same as single evaluations", async () => {
  const client = await server.withKey(["read"]);
  const questions = Array.from({ length: 40 }, (_, index) => ({
    flagKey: ["plain", "colour", "nope"][index % 3]!,
    userId: `u${index}`,
  }));
  const answers = await client.request("POST /openfeature/bulk-evaluate", { body: questions });
  for (const [index, question] of questions.entries()) {
    expect(answers[index]).toEqual(await client.request("POST /openfeature/evaluate", { body: question }));
  }
  const tooMany = Array.from({ length: 1001 }, () => ({ flagKey: "plain", userId: "u" }));
  expect(await refusal(client.request("POST /openfeature/bulk-evaluate", { body: tooMany }))).toMatchObject({
    status: 422,
  });
});
