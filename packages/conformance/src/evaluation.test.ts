import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readScenarios, runScenario } from "./scenario.fixture.ts";
import { type AssayServer, startServer } from "./server.fixture.ts";
import { STEPS, type World } from "./steps.fixture.ts";
import { type Connection, SUBJECTS, type Subject } from "./subject.fixture.ts";
import { readTestFlags } from "./test-flags.fixture.ts";

let server: AssayServer;
beforeAll(async () => {
  server = await startServer();
  for (const flag of readTestFlags()) {
    await server.admin.request("POST /feature-flags/", { body: { ...flag, client_side: true } });
  }
});
afterAll(() => server.close());

/** Scenarios with this tag need metadata that an administrator writes on a flag. Assay has none. */
const LEFT_OUT = "@metadata";
const CACHED = "@reason-codes-cached";

const features = ["evaluation.feature", "evaluation_v2.feature"].map((file) => [file, readScenarios(file)] as const);

/** Puts a provider into one of the initial states of scenarios. */
async function start(create: (connection: Connection) => Subject, state: string, tags: string[]): Promise<Subject> {
  let fault = state === "not ready" ? "hang" : state === "error" ? "fail" : "none";
  const subject = create({
    baseUrl: server.url,
    apiKey: state === "fatal" ? "asy_of_nobody" : server.apiKey,
    reasons: tags.includes(CACHED) ? "specification" : "evaluation",
    cacheTtlMs: state === "stale" ? 100 : 300_000,
    fetch(request) {
      if (fault === "hang") return new Promise(() => {});
      return fault === "fail" ? Promise.resolve(new Response("", { status: 500 })) : fetch(request);
    },
  });
  if (state !== "not ready") await subject.started.catch(() => {});
  if (state === "stale") {
    fault = "fail";
    await vi.waitFor(() => expect(subject.status()).toBe("STALE"));
  }
  return subject;
}

describe.each(Object.entries(SUBJECTS))("%s", (_, create) => {
  describe.each(features)("passes %s", (_, scenarios) => {
    const known = scenarios.filter(({ tags }) => !tags.includes(LEFT_OUT));
    test.each(known.map((scenario) => [scenario.title, scenario] as const))("%s", async (_, scenario) => {
      const world: World = { context: {}, hooks: [], heard: [], start: (state) => start(create, state, scenario.tags) };
      try {
        await runScenario(scenario, STEPS, world);
      } finally {
        await world.subject?.stop();
      }
    });
  });
});

test("at most one scenario is excluded", () => {
  const tags = features.flatMap(([, scenarios]) => scenarios.filter((scenario) => scenario.tags.includes(LEFT_OUT)));
  expect(tags).toHaveLength(1);
});
