import { expect, it } from "vitest";
import { createTestServer, refusal } from "../../testing.fixture.ts";

it("runs an experiment from assignment and events to results over HTTP only", async () => {
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
  expect(erased).toMatchObject({ erased_events: 2, erased_assignments: 1 });
  const rejected = await server.send("POST", "/tracking/events", {
    body: [{ event_type: "a" }],
    headers: { "x-api-key": writer.key },
  });
  expect(rejected).toMatchObject({ status: 422, json: { detail: [{ loc: ["body", 0, "user_id"] }] } });
  await server.assay.close();
});

it("exports a user in linked parts of less than 10 MB", async () => {
  const server = await createTestServer();
  const writer = await server.withKey(["write"]);
  const event = { event_type: "visit", user_id: "ada", event_metadata: { text: "x".repeat(4000) } };
  const body = Array.from({ length: 240 }, (_, value) => ({ ...event, value }));
  for (let batch = 0; batch < 10; batch++) await writer.request("POST /tracking/events", { body });
  const params = { user_id: "ada" };
  const first = await server.admin.raw("GET /tracking/users/{user_id}", { params });
  const after = first.data.next!;
  expect(first.headers.get("link")).toBe(`</api/v1/tracking/users/ada?after=${after}>; rel="next"`);
  const last = await server.admin.raw("GET /tracking/users/{user_id}", { params, query: { after } });
  expect([last.data.next, last.headers.get("link")]).toEqual([null, null]);
  const values = [...first.data.events, ...last.data.events].map(({ value }) => value);
  expect(values).toEqual(Array.from({ length: 10 }, () => body.map(({ value }) => value)).flat());
  const malformed = server.admin.request("GET /tracking/users/{user_id}", { params, query: { after: "x" } });
  expect(await refusal(malformed)).toMatchObject({ status: 422, issues: [{ loc: ["query", "after"] }] });
  await server.assay.close();
});
