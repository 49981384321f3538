import { PROGRAM_MEDIA_TYPE } from "@assay/contract";
import { createProgramEngine, parseProgram } from "@assay/core";
import { expect, test } from "vitest";
import { bucketingVectors } from "../../../../core/vectors/bucketing.ts";
import { createTestServer } from "../../testing.fixture.ts";

const { weightSets, rollouts } = bucketingVectors;
// Only flag keys and user ids the API accepts. The tests of the engine cover the rest.
const isFlagKey = (key: string) => /^(?!__proto__$)[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/.test(key);
const isUserId = (id: string) => id.length >= 1 && id.length <= 1024;
const cases = bucketingVectors.cases.filter(({ key, userId }) => isFlagKey(key) && isUserId(userId));
const keys = [...new Set(cases.map(({ key }) => key))];

test.each(weightSets.map((weights, set) => [weights, set] as const))(
  "every bucketing vector gives the same in the API and in the program, with the weights %j",
  async (weights, set) => {
    expect(cases.length).toBeGreaterThan(400);
    const server = await createTestServer();
    const client = await server.withKey(["read", "write"]);
    const variants = weights.map((weight, value) => ({ key: `v${value}`, weight, value }));
    for (const key of keys) {
      await server.admin.request("POST /feature-flags/", { body: { key, name: key, status: "ACTIVE", variants } });
    }
    for (const [at, rollout_percentage] of rollouts.entries()) {
      for (const id of keys) {
        await client.request("PATCH /feature-flags/{id}/rollout", { params: { id }, body: { rollout_percentage } });
      }
      const questions = cases.map(({ key, userId }) => ({ flagKey: key, userId }));
      const answers = await client.request("POST /openfeature/bulk-evaluate", { body: questions });
      const headers = { "x-api-key": client.key, accept: PROGRAM_MEDIA_TYPE };
      const { text } = await server.send("GET", "/openfeature/flags", { headers });
      const engine = createProgramEngine(parseProgram(text));
      for (const [index, { name, key, userId, variants: expected }] of cases.entries()) {
        expect(answers[index]!.value ?? -1, name).toBe(expected[set]![at]);
        expect(engine.evaluate(key, { targetingKey: userId }, null).value ?? -1, name).toBe(expected[set]![at]);
      }
    }
    await server.assay.close();
  },
);
