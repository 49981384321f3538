import { PROGRAM_MEDIA_TYPE } from "@assay/contract";
import { createEngine, createProgramEngine, type Definitions, parseProgram } from "@assay/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { participationVectors } from "../../../../core/vectors/participation.ts";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";

const { definitions, cases } = participationVectors;

/** Evaluators hash holdouts and groups by id, so the server must use the ids of the vectors. */
let id: string | null = null;
let count = 0;
let server: TestServer;
let client: Awaited<ReturnType<TestServer["withKey"]>>;
const previews: Preview[] = [];
type Preview = { eligible: boolean; variant: string; url: string };

async function withId<T>(wanted: string, create: () => Promise<T>): Promise<T> {
  id = wanted;
  const created = await create();
  id = null;
  return created;
}

const previewBeta = () =>
  Promise.all(
    cases.map(({ user_id, attributes }) =>
      client.request("GET /experiments/{experiment_id}/split-url/preview", {
        params: { experiment_id: "beta" },
        query: { user_id, attributes },
      }),
    ),
  );

beforeAll(async () => {
  server = await createTestServer({
    id: () => id ?? `0190a1b2-1111-7000-8000-${String(++count).padStart(12, "0")}`,
  });
  const { admin } = server;
  client = await server.withKey(["read", "write"]);
  for (const { name, user_ids, when } of definitions.segments) {
    await admin.request("POST /segments", { body: { name, user_ids: user_ids ?? null, conditions: when ?? null } });
  }
  for (const { enabled: _, ...flag } of definitions.flags) {
    const body = { ...flag, name: flag.key, status: "ACTIVE", client_side: true } as const;
    await admin.request("POST /feature-flags/", { body: body as never });
  }
  const [group] = definitions.groups;
  await withId(group!.id, () => admin.request("POST /mutual-exclusion-groups", { body: { name: "group" } }));
  for (const { id: _, status: __, mutual_exclusion_group_id, variants, ...experiment } of definitions.experiments) {
    const isSplit = experiment.experiment_type === "SPLIT_URL";
    const split_url_config = { variants: variants.map(({ url, weight }) => ({ url: url!, weight })) };
    const body = { ...experiment, name: experiment.key, ...(isSplit ? { split_url_config } : { variants }) };
    await admin.request("POST /experiments/", { body: body as never });
    if (!mutual_exclusion_group_id) continue;
    const slot = group!.slots.find(({ experiment_key }) => experiment_key === experiment.key);
    const slot_percentage = slot ? (slot.slot_end - slot.slot_start) * 100 : 10;
    await admin.request("POST /mutual-exclusion-groups/{group_id}/experiments", {
      params: { group_id: group!.id },
      body: { experiment_id: experiment.key, slot_percentage: Number(slot_percentage.toFixed(4)) },
    });
  }
  const { holdout } = definitions;
  await withId(holdout!.id, () =>
    admin.request("POST /holdout", { body: { name: "holdout", percentage: holdout!.percentage } }),
  );
  // Also while it is a DRAFT: the preview must match the later assignment.
  previews.push(...(await previewBeta()));
  for (const { key, status } of definitions.experiments) {
    const params = { experiment_id: key };
    await admin.request("POST /experiments/{experiment_id}/start", { params });
    if (status === "PAUSED") await admin.request("POST /experiments/{experiment_id}/pause", { params });
  }
});
afterAll(() => server.assay.close());

const read = async (kind: "SERVER" | "CLIENT", accept: string): Promise<string> => {
  const { key } = await server.withKey(["read"], { kind });
  return (await server.send("GET", "/openfeature/flags", { headers: { "x-api-key": key, accept } })).text;
};
const served = async (kind: "SERVER" | "CLIENT"): Promise<Definitions> =>
  JSON.parse(await read(kind, "application/json"));

test("the definitions contain the holdout, the group's slots and the segments unchanged", async () => {
  const { holdout, groups, segments, experiments } = await served("SERVER");
  expect(holdout).toEqual(definitions.holdout);
  expect(groups).toEqual(definitions.groups);
  const strip = ({ segments }: Definitions) => segments.map(({ id: _, ...segment }) => segment);
  expect(strip({ segments } as Definitions)).toEqual(strip(definitions));
  expect(experiments.map(({ key, status }) => [key, status])).toEqual(
    definitions.experiments.map(({ key, status }) => [key, status]),
  );
});

test.each([
  ["SERVER", "definitions"],
  ["CLIENT", "definitions"],
  ["SERVER", "program"],
  ["CLIENT", "program"],
] as const)("an engine on the definitions of a %s key as %s agrees", async (kind, form) => {
  const own = await served(kind);
  const engine =
    form === "program" ? createProgramEngine(parseProgram(await read(kind, PROGRAM_MEDIA_TYPE))) : createEngine(own);
  const keys = new Set(own.experiments.map(({ key }) => key));
  expect(keys.has("gamma")).toBe(true);
  for (const { user_id, attributes, experiments, flags } of cases) {
    for (const [key, expected] of Object.entries(flags)) {
      const { value, variant, reason } = engine.evaluate(key, { ...attributes, targetingKey: user_id }, null);
      expect([value, variant, reason], `${key} for ${user_id}`).toEqual(expected);
    }
    for (const [key, expected] of Object.entries(experiments).filter(([key]) => keys.has(key))) {
      const { variant_key, reason } = engine.assign(key, user_id, attributes)!;
      expect([variant_key, reason], `${key} for ${user_id}`).toEqual(expected);
    }
  }
});

test("POST /tracking/assign agrees, with and without peek", async () => {
  for (const peek of [true, false]) {
    await Promise.all(
      cases.map(async ({ user_id, attributes, experiments }) => {
        for (const [experiment_key, expected] of Object.entries(experiments)) {
          const body = { experiment_key, user_id, attributes };
          const answer = await client.request("POST /tracking/assign", { query: { peek }, body });
          expect([answer.variant_key, answer.reason], `${experiment_key} for ${user_id}`).toEqual(expected);
        }
      }),
    );
  }
});

test("evaluation agrees: one flag, many at once, all of a user's, and OFREP", async () => {
  const questions = cases.flatMap(({ user_id, attributes, flags }) =>
    Object.entries(flags).map(([flagKey, expected]) => ({ flagKey, userId: user_id, attributes, expected })),
  );
  const body = questions.map(({ expected: _, ...question }) => question);
  const answers = await client.request("POST /openfeature/bulk-evaluate", { body });
  for (const [index, { flagKey, userId, expected }] of questions.entries()) {
    const { value, variant, reason } = answers[index]!;
    expect([value, variant, reason], `${flagKey} for ${userId}`).toEqual(expected);
  }
  for (const { user_id, attributes, flags } of cases) {
    const params = { params: { user_id }, query: { context: attributes } };
    const enabled = await client.request("GET /feature-flags/user/{user_id}", params);
    const { json } = await server.send("POST", "/ofrep/v1/evaluate/flags", {
      headers: { "x-api-key": client.key },
      body: { context: { ...attributes, targetingKey: user_id } },
    });
    for (const answer of json.flags) {
      const [value, variant, reason] = flags[answer.key]!;
      expect([answer.value, answer.variant ?? null, answer.metadata.evaluationReason]).toEqual([
        value,
        variant,
        reason,
      ]);
      expect(enabled[answer.key]).toBe(typeof value === "boolean" ? value : variant !== null);
    }
    expect(json.flags).toHaveLength(Object.keys(flags).length);
  }
  const [{ user_id, attributes, flags }] = cases as [(typeof cases)[number]];
  for (const [key, expected] of Object.entries(flags)) {
    const one = await client.request("POST /feature-flags/{key}/evaluate", {
      params: { key },
      body: { user_id, attributes },
    });
    expect([one.value, one.variant, one.reason]).toEqual(expected);
  }
});

test("the split-URL preview agrees, while the experiment runs and before", async () => {
  const running = await previewBeta();
  for (const [index, { user_id, experiments }] of cases.entries()) {
    const [variant, reason] = experiments.beta!;
    const expected = { variant, eligible: reason === "ASSIGNED", url: variant === "url_1" ? "/old" : "/new" };
    for (const preview of [previews[index], running[index]]) expect(preview, user_id).toMatchObject(expected);
  }
});
