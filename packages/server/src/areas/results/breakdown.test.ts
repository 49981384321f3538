import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusal } from "../../testing.fixture.ts";
import { type AnalysisServer, createAnalysisServer, isClean } from "./analyses.fixture.ts";

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

describe("breakdown", () => {
  test.each([
    [{}, "dimension"],
    [{ dimension: "" }, "dimension"],
    [{ dimension: "plan", metric_id: "none" }, "metric_id"],
    [{ dimension: "plan", base_alpha: 0 }, "base_alpha"],
    [{ dimension: "plan", base_alpha: 1 }, "base_alpha"],
  ])("rejects %j", async (query, parameter) => {
    await server.create();
    const { status, issues } = await refusal(server.breakdown(query));
    expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["query", parameter]]);
  });

  test("tests each segment at the corrected level, and does not count segments that it cannot test", async () => {
    await server.create();
    await server.report([
      ...server.users(99, { a: 0.2, b: 0.4 }),
      {
        event_type: "exposure",
        user_id: "lonely",
        experiment_id: "x",
        variant_id: "a",
        event_metadata: { plan: "gold" },
      },
      { event_type: "exposure", user_id: "silent", experiment_id: "x", variant_id: "a" },
    ]);
    const answer = await server.breakdown({ dimension: "plan", metric_id: "Bought" });
    expect(answer).toMatchObject({ dimension: "plan", base_alpha: 0.05, corrected_alpha: 0.025, comparisons: 2 });
    expect(
      answer.segments.map(({ segment, n_control, n_treatment, status }) => [segment, n_control, n_treatment, status]),
    ).toEqual([
      ["free", 66, 66, "OK"],
      ["pro", 33, 33, "OK"],
      ["(unknown)", 1, 0, "INSUFFICIENT_DATA"],
      ["gold", 1, 0, "INSUFFICIENT_DATA"],
    ]);
    const [free] = answer.segments;
    expect(free!.adjusted_p_value).toBeCloseTo(Math.min(1, 2 * free!.p_value!), 12);
    expect(answer.heterogeneity).toMatchObject([{ metric_id: "bought", variant: "b", df: 1 }]);
    isClean(answer);
  });

  test("knows the attributes of the assignment", async () => {
    await server.create();
    for (let index = 0; index < 20; index++) {
      await server.key.request("POST /tracking/assign", {
        body: {
          experiment_key: "x",
          user_id: `u${index}`,
          attributes: { country: index % 2 ? "DE" : "FR", tags: ["x"] },
        },
      });
    }
    const { segments } = await server.breakdown({ dimension: "country", metric_id: "bought" });
    expect(segments.map(({ segment, n_control, n_treatment }) => [segment, n_control + n_treatment])).toEqual([
      ["DE", 10],
      ["FR", 10],
    ]);
    expect((await server.breakdown({ dimension: "tags", metric_id: "bought" })).segments[0]!.segment).toBe("(unknown)");
  });

  test("uses the first exposure, and forgets the attributes that only an erased user had", async () => {
    await server.create();
    const exposed = { event_type: "exposure", experiment_id: "x", variant_id: "a" };
    await server.report([
      { ...exposed, user_id: "u", event_metadata: { plan: "trial" }, timestamp: server.at(-5) },
      { ...exposed, user_id: "u", event_metadata: { plan: "paid" } },
    ]);
    const names = async () => (await server.breakdown({ dimension: "plan", metric_id: "bought" })).segments;
    expect((await names()).map(({ segment }) => segment)).toEqual(["trial"]);
    await server.admin.request("DELETE /tracking/users/{user_id}", { params: { user_id: "u" } });
    expect(await names()).toEqual([]);
  });
});
