import { expect, it } from "vitest";
import { createTestServer } from "../../testing.fixture.ts";

it("takes an experiment from assignment over events to results, through HTTP alone", async () => {
  const server = await createTestServer();
  const variants = [{ key: "control" }, { key: "treatment" }];
  const body = { key: "checkout", name: "Checkout", status: "ACTIVE" as const, variants };
  const experiment = await server.admin.request("POST /experiments/", { body });
  const writer = await server.withKey(["write"]);
  const reader = await server.withKey(["read"]);
  for (let index = 0; index < 20; index++) {
    const user_id = `user ${index}/ä`;
    const assigned = await writer.request("POST /tracking/assign", { body: { experiment_key: "checkout", user_id } });
    expect(assigned).toMatchObject({ experiment_id: experiment.id, assigned: true, reason: "ASSIGNED" });
    if (index % 2)
      await writer.request("POST /tracking/track", { body: { event_type: "PURCHASE", user_id, value: 9 } });
  }
  const params = { experiment_id: "checkout" };
  const results = await reader.request("GET /results/{experiment_id}", { params });
  expect(results.sample_size.control + results.sample_size.treatment).toBe(20);
  expect(results.metrics.map(({ name }) => name)).toEqual(["PURCHASE", "PURCHASE_value"]);
  expect(await reader.request("GET /experiments/{experiment_id}/results", { params })).toEqual(results);
  const user = { user_id: "user 1/ä" };
  expect(await reader.request("GET /tracking/assignments/{user_id}", { params: user })).toHaveLength(1);
  const person = await server.admin.request("GET /tracking/users/{user_id}", { params: user });
  expect(person.events).toHaveLength(2);
  const erased = await server.admin.request("DELETE /tracking/users/{user_id}", { params: user });
  expect(erased).toEqual({ erased_events: 2, erased_assignments: 1 });
  const rejected = await server.send("POST", "/tracking/events", {
    body: [{ event_type: "a" }],
    headers: { "x-api-key": writer.key },
  });
  expect(rejected).toMatchObject({ status: 422, json: { detail: [{ loc: ["body", 0, "user_id"] }] } });
  await server.assay.close();
});
