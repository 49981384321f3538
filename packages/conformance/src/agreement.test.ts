import { createFlagHandler } from "@assay/edge";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bucketingVectors } from "../../core/vectors/bucketing.ts";
import { type AssayServer, startServer } from "./server.fixture.ts";
import { SUBJECTS } from "./subject.fixture.ts";

const SET = 2;
const OUTSIDE = -1;
const { weightSets, rollouts } = bucketingVectors;
// Keys and user ids that the API accepts. The tests of each evaluator cover other texts and weights.
const isFlagKey = (key: string) => /^(?!__proto__$)[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/.test(key);
const isUserId = (id: string) => id.length >= 1 && id.length <= 1024;
const cases = bucketingVectors.cases.filter(({ key, userId }) => isFlagKey(key) && isUserId(userId));
const keys = [...new Set(cases.map(({ key }) => key))];

interface Answers {
  flags: { key: string; value?: number }[];
}

let server: AssayServer;
beforeAll(async () => {
  server = await startServer();
  const variants = weightSets[SET]!.map((weight, value) => ({ key: `v${value}`, weight, value }));
  for (const key of keys) {
    const body = { key, name: key, status: "ACTIVE", variants, client_side: true } as const;
    await server.admin.request("POST /feature-flags/", { body });
  }
});
afterAll(() => server.close());

/** Evaluates through a provider with its SDK. */
async function askProvider(name: string): Promise<unknown[]> {
  const fetch = (request: Request) => server.assay.fetch(request);
  const { apiKey, url: baseUrl } = server;
  const subject = SUBJECTS[name]!({ apiKey, baseUrl, fetch, reasons: "evaluation", cacheTtlMs: 300_000 });
  await subject.started;
  const answers: unknown[] = [];
  for (const { key, userId } of cases) {
    answers.push((await subject.evaluate("Number", key, OUTSIDE, { targetingKey: userId })).value);
  }
  await subject.stop();
  return answers;
}

/** Evaluates through the remote evaluation protocol. */
async function askOfrep(answer: (request: Request) => Promise<Response | undefined>): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const { key, userId } of cases) {
    const body = JSON.stringify({ context: { targetingKey: userId } });
    const headers = { "x-api-key": server.apiKey, "content-type": "application/json" };
    const url = `http://assay.test/ofrep/v1/evaluate/flags/${key}`;
    const response = await answer(new Request(url, { method: "POST", headers, body }));
    answers.push(((await response!.json()) as Answers["flags"][number]).value ?? OUTSIDE);
  }
  return answers;
}

async function askInBulk(): Promise<unknown[]> {
  const headers = { "x-api-key": server.apiKey, "content-type": "application/json" };
  const body = JSON.stringify(cases.map(({ key, userId }) => ({ flagKey: key, userId })));
  const url = "http://assay.test/api/v1/openfeature/bulk-evaluate";
  const response = await server.assay.fetch(new Request(url, { method: "POST", headers, body }));
  return ((await response.json()) as { value: number | null }[]).map(({ value }) => value ?? OUTSIDE);
}

test.each([25, 50, 100])(
  "every evaluator gives every user of the vectors the same variant at %d percent",
  async (rollout) => {
    expect(cases.length).toBeGreaterThan(400);
    for (const id of keys) {
      const body = { rollout_percentage: rollout };
      await server.admin.request("PATCH /feature-flags/{id}/rollout", { params: { id }, body });
    }
    const expected = cases.map(({ variants }) => variants[SET]![rollouts.indexOf(rollout)]);
    const { engine } = server.assay;
    const inProcess = cases.map(
      ({ key, userId }) => engine.evaluate(key, { targetingKey: userId }, OUTSIDE).value ?? OUTSIDE,
    );
    const edge = createFlagHandler({
      apiKey: server.serverKey,
      fetch: (request) => server.assay.fetch(request),
      flags: "all",
    });
    const answers: Record<string, unknown[]> = {
      engine: inProcess,
      "bulk-evaluate": await askInBulk(),
      OFREP: await askOfrep((request) => server.assay.fetch(request)),
      edge: await askOfrep((request) => edge(request)),
    };
    for (const name of Object.keys(SUBJECTS)) answers[name] = await askProvider(name);
    for (const [name, given] of Object.entries(answers)) expect(given, name).toEqual(expected);
  },
);

test.each(["missing", "__proto__", "constructor", "toString", "a/b", "%2F"])(
  "to every evaluator the flag %s, which is not there, is FLAG_NOT_FOUND",
  async (flagKey) => {
    const headers = { "x-api-key": server.serverKey, "content-type": "application/json" };
    const post = async (answer: (request: Request) => Promise<Response | undefined>, path: string, body: unknown) => {
      const request = new Request(`http://assay.test${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return (await (await answer(request))!.json()) as { errorCode?: string }[] & { errorCode?: string };
    };
    const ask = (request: Request) => server.assay.fetch(request);
    const options = { apiKey: server.serverKey, fetch: ask, flags: "all" as const };
    const ofrep = `/ofrep/v1/evaluate/flags/${encodeURIComponent(flagKey)}`;
    const question = { flagKey, userId: "ada" };
    const answers = {
      engine: server.assay.engine.evaluate(flagKey, { targetingKey: "ada" }, "default").error_code,
      evaluate: (await post(ask, "/api/v1/openfeature/evaluate", question)).errorCode,
      "bulk-evaluate": (await post(ask, "/api/v1/openfeature/bulk-evaluate", [question]))[0]?.errorCode,
      OFREP: (await post(ask, ofrep, { context: {} })).errorCode,
      edge: (await post(createFlagHandler(options), ofrep, { context: {} })).errorCode,
    };
    expect(new Set(Object.values(answers)), JSON.stringify(answers)).toEqual(new Set(["FLAG_NOT_FOUND"]));
  },
);
