import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addSegments, BATCHES, toBatch } from "./batches.fixture.ts";
import { addFlags, EVALUATIONS } from "./evaluations.fixture.ts";
import { expectAnswer, MAX_BLOCKED_MS } from "./expectation.fixture.ts";
import { type HostileServer, startServer } from "./server.fixture.ts";
import { createWorld, type World } from "./world.fixture.ts";

let server: HostileServer;
let world: World;

beforeAll(async () => {
  server = await startServer();
  world = await createWorld(server);
  await addFlags(server, world);
  await addSegments(server, world);
}, 60_000);
afterAll(() => server.close());

describe("a CLIENT key", () => {
  test.each(EVALUATIONS)("that evaluates $name gets $status at once", async (one) => {
    await expectAnswer(server, world, one);
  });

  test("gets an error if patterns would take too many steps", async () => {
    const attributes = { a: Array.from({ length: 200 }, () => "a".repeat(4_096)) };
    const path = "/feature-flags/patterns/evaluate";
    const { text } = await server.send({
      method: "POST",
      path,
      body: { user_id: "u", attributes },
      headers: world.client,
    });
    expect(JSON.parse(text)).toMatchObject({ enabled: false, reason: "ERROR" });
  });
});

describe("a batch of the Model Context Protocol", () => {
  test("that is the first one loads the protocol library without blocking other requests", async () => {
    const { status, blocked } = await server.measure({
      method: "POST",
      path: "/mcp",
      headers: { ...world.viewer, accept: "application/json, text/event-stream" },
      body: [{ jsonrpc: "2.0", id: 1, method: "ping" }],
    });
    expect(status).toBe(200);
    expect(blocked).toBeLessThan(MAX_BLOCKED_MS);
  });

  test.each(BATCHES)("of $name gets $status at once", async (one) => {
    await expectAnswer(server, world, one);
  });

  test("of 40 calls is rejected as a whole", async () => {
    const { status, text, blocked } = await server.measure(toBatch(40)(world));
    expect([status, JSON.parse(text).error]).toEqual([
      400,
      { code: -32_600, message: "A batch has at most 20 messages, not 40" },
    ]);
    expect(blocked).toBeLessThan(MAX_BLOCKED_MS);
  });

  test("answers 10 MB and rejects the rest", async () => {
    const { text } = await server.send(toBatch(20)(world));
    const answers: { id: number; error?: { message: string } }[] = JSON.parse(text);
    expect(answers).toHaveLength(20);
    expect(answers.filter(({ error }) => !error)).toHaveLength(1);
    expect(answers.at(-1)!.error!.message).toContain("exceed 10485760 bytes");
  });
});
