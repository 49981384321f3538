import type { KeptEvent } from "@assay/analysis";
import { describe, expect, it } from "vitest";
import { readEvents } from "../../analysis/stored-events.fixture.ts";
import { isApiError } from "../../ground/errors.ts";
import { AUDIT_JOURNAL } from "../../storage/collection.ts";
import { parseBytes } from "../../storage/json.ts";
import { ANALYST, BY, createTracking, HOUR, NOON } from "./tracking.fixture.ts";

const status = (expected: number) => (error: unknown) => isApiError(error) && error.status === expected;

describe("events", () => {
  it("store the valid ones of a batch and report each invalid one with its index", async () => {
    const app = await createTracking();
    const answer = await app.tracking.events([
      { event_type: "a", user_id: "u" },
      { event_type: "", user_id: "u" },
      { event_type: "a", user_id: "u", timestamp: "2020-01-01" },
      "nonsense",
    ]);
    expect(answer).toMatchObject({ accepted: 1, duplicates: 0, rejected: 3 });
    expect(answer.errors.map(({ index, loc }) => [index, loc])).toEqual([
      [1, ["body", 1, "event_type"]],
      [2, ["body", 2, "timestamp"]],
      [3, ["body", 3]],
    ]);
  });

  it("are a 422 if a single one is invalid, with its path", async () => {
    const app = await createTracking();
    const late = { event_type: "a", user_id: "u", timestamp: new Date(NOON + 2 * HOUR).toISOString() };
    await expect(app.tracking.track(late)).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ["body", "timestamp"], type: "timestamp_too_late" }],
    });
  });

  it("happen at most an hour ahead and 90 days back, to the millisecond, and are stored with their time", async () => {
    const app = await createTracking();
    const at = (offset: number) => ({
      event_type: "a",
      user_id: "u",
      timestamp: new Date(NOON + offset).toISOString(),
    });
    const inside = [HOUR, -90 * 24 * HOUR];
    for (const offset of inside) await app.tracking.track(at(offset));
    expect(await app.tracking.events(inside.map(at))).toMatchObject({ accepted: 2, rejected: 0 });
    const stored: number[] = [];
    for await (const events of readEvents(app.store)) stored.push(...events.map(({ timestamp }) => timestamp - NOON));
    expect(stored).toEqual([...inside, ...inside]);
    for (const offset of [HOUR + 1, -90 * 24 * HOUR - 1]) {
      await expect(app.tracking.track(at(offset))).rejects.toSatisfy(status(422));
      await expect(app.tracking.events([at(offset)])).rejects.toSatisfy(status(422));
    }
  });

  it("have the time of the server if sent_at shows that the client's clock is ahead", async () => {
    const app = await createTracking();
    const ahead = new Date(NOON + 2 * HOUR).toISOString();
    const event = { event_type: "a", user_id: "u", timestamp: ahead };
    await expect(app.tracking.events({ events: [event] })).rejects.toMatchObject({ status: 422 });
    expect(await app.tracking.events({ events: [event], sent_at: ahead })).toMatchObject({ accepted: 1, rejected: 0 });
  });

  it("are a 422 with the list if all are invalid", async () => {
    const app = await createTracking();
    const failed = app.tracking.events({ events: [{ user_id: "u" }, { event_type: "a" }] });
    await expect(failed).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ["body", "events", 0, "event_type"] }, { loc: ["body", "events", 1, "user_id"] }],
    });
  });

  it("count duplicates separately", async () => {
    const app = await createTracking();
    const event = { event_type: "a", user_id: "u", event_id: "1" };
    expect(await app.tracking.track(event)).toEqual({ event_id: "1", duplicate: false });
    expect(await app.tracking.track(event)).toEqual({ event_id: "1", duplicate: true });
    expect(await app.tracking.events([event, { ...event, event_id: "2" }])).toMatchObject({
      accepted: 1,
      duplicates: 1,
    });
    const { event_id } = await app.tracking.track({ event_type: "a", user_id: "u" });
    expect(await app.tracking.track({ event_type: "a", user_id: "u", event_id })).toMatchObject({ duplicate: true });
  });

  it("are stored with a warning if they name something unknown or inactive", async () => {
    const app = await createTracking();
    await app.addExperiment();
    await app.addExperiment({ key: "done", status: "COMPLETED" });
    const event = { event_type: "a", user_id: "u" };
    const answer = await app.tracking.events([
      event,
      { ...event, experiment_id: "nope" },
      { ...event, experiment_id: "checkout", variant_id: "nope" },
      { ...event, experiment_id: "done", variant_id: "control" },
      { ...event, feature_flag_key: "nope" },
      { ...event, experiment_id: "checkout", variant_id: "control" },
    ]);
    expect(answer.accepted).toBe(6);
    expect(answer.warnings?.map(({ index, code }) => [index, code])).toEqual([
      [1, "UNKNOWN_EXPERIMENT"],
      [2, "UNKNOWN_VARIANT"],
      [3, "EXPERIMENT_NOT_RUNNING"],
      [4, "UNKNOWN_FLAG"],
    ]);
  });

  it("keep a variant that they name without an experiment", async () => {
    const app = await createTracking();
    const event = { event_type: "a", user_id: "u" };
    const answer = await app.tracking.events([{ ...event, variant_id: "treatment" }, event]);
    expect(answer).toMatchObject({ accepted: 2, rejected: 0 });
    expect(answer.warnings).toBeUndefined();
    const stored: KeptEvent[] = [];
    for await (const events of readEvents(app.store)) stored.push(...events);
    expect(stored.map(({ experiment_id, variant_id }) => [experiment_id, variant_id])).toEqual([
      [null, "treatment"],
      [null, null],
    ]);
  });

  it("that name an arm assign users without one, while the experiment is ACTIVE", async () => {
    const app = await createTracking();
    const { id } = await app.addExperiment();
    const named = { event_type: "a", user_id: "u", experiment_id: "checkout" };
    await app.tracking.track({ ...named, variant_id: "treatment" });
    await app.tracking.track({ ...named, variant_id: "control" });
    const all = { activeOnly: true };
    expect(await app.tracking.assignments("u", all)).toEqual([
      {
        experiment_id: id,
        experiment_key: "checkout",
        variant_id: "treatment",
        variant_key: "treatment",
        assignment_date: new Date(NOON).toISOString(),
        status: "ACTIVE",
      },
    ]);
    await app.move(id, "PAUSED");
    await app.tracking.track({ ...named, user_id: "v", variant_id: "control" });
    expect(await app.tracking.assignments("v", { activeOnly: false })).toEqual([]);
    expect(await app.tracking.assignments("u", all)).toEqual([]);
    expect(await app.tracking.assignments("u", { activeOnly: false })).toMatchObject([{ status: "PAUSED" }]);
  });
});

describe("an exposure that names a flag and no experiment", () => {
  const expose = { event_type: "exposure", user_id: "u", feature_flag_key: "f" };
  const all = { activeOnly: true };

  it("is one of the ACTIVE experiment over the flag, if it names an arm", async () => {
    const app = await createTracking();
    const { id } = await app.addExperiment({ feature_flag_key: "f" });
    await app.tracking.track(expose);
    await app.tracking.track({ ...expose, event_type: "view", variant_id: "control" });
    expect(await app.tracking.assignments("u", all)).toEqual([]);
    await app.tracking.track({ ...expose, variant_id: "treatment" });
    expect(await app.tracking.assignments("u", all)).toMatchObject([{ experiment_id: id, variant_key: "treatment" }]);
  });

  it("is one of no experiment over another flag, or that is not ACTIVE", async () => {
    const app = await createTracking();
    await app.addExperiment({ feature_flag_key: "g" });
    await app.addExperiment({ key: "draft", feature_flag_key: "f", status: "DRAFT" });
    await app.tracking.track({ ...expose, variant_id: "treatment" });
    expect(await app.tracking.assignments("u", { activeOnly: false })).toEqual([]);
  });
});

describe("assign", () => {
  const input = { experiment_key: "checkout", user_id: "u" };

  it("gives an arm once, with one exposure, for any number of simultaneous requests", async () => {
    const app = await createTracking();
    await app.addExperiment();
    const answers = await Promise.all([1, 2, 3].map(() => app.tracking.assign(input, { peek: false })));
    expect(new Set(answers.map(({ variant_key }) => variant_key)).size).toBe(1);
    expect(answers[0]).toMatchObject({ assigned: true, reason: "ASSIGNED", user_id: "u", configuration: null });
    expect(await app.store.head("events")).toBe(1);
    const { sample_size } = await app.results.get("checkout", ANALYST);
    expect(sample_size.control + sample_size.treatment).toBe(1);
  });

  it("changes nothing with peek", async () => {
    const app = await createTracking();
    await app.addExperiment();
    const peeked = await app.tracking.assign(input, { peek: true });
    expect(peeked).toMatchObject({ assigned: true, assignment_date: null });
    expect(await app.store.head("events")).toBe(0);
    expect(await app.tracking.assign(input, { peek: false })).toMatchObject({ variant_key: peeked.variant_key });
  });

  it("keeps the stored arm through any change, unless assignments are not sticky", async () => {
    const app = await createTracking();
    const { id } = await app.addExperiment();
    const first = await app.tracking.assign(input, { peek: false });
    const other = first.variant_key === "control" ? "treatment" : "control";
    const override = { overrides: [{ user_id: "u", value: other }] };
    await app.experiments.update(id, (record) => ({ ...record, ...override }), BY);
    expect(await app.tracking.assign(input, { peek: false })).toEqual(first);
    await app.experiments.update(id, (record) => ({ ...record, targeting_rules: { sticky_assignment: false } }), BY);
    expect(await app.tracking.assign(input, { peek: false })).toMatchObject({ variant_key: other, reason: "OVERRIDE" });
    expect(await app.tracking.assignments("u", { activeOnly: true })).toMatchObject([{ variant_key: other }]);
  });

  it("records a forced arm, which results exclude", async () => {
    const app = await createTracking();
    await app.addExperiment({ overrides: [{ user_id: "u", value: "treatment" }] });
    expect(await app.tracking.assign(input, { peek: false })).toMatchObject({ assigned: true, reason: "OVERRIDE" });
    await app.tracking.track({ event_type: "a", user_id: "u", experiment_id: "checkout", variant_id: "treatment" });
    const results = await app.results.get("checkout", ANALYST);
    expect(results).toMatchObject({ forced: 1, sample_size: { control: 0, treatment: 0 }, analysis_warnings: [] });
  });

  it("answers control with the reason, and stores nothing, if the user takes no part", async () => {
    const app = await createTracking();
    await app.addExperiment({ targeting_rules: { countries: ["DE"] } });
    await app.addExperiment({ key: "paused", status: "PAUSED" });
    const refused = { assigned: false, variant_key: "control", assignment_date: null };
    const french = { ...input, attributes: { country: "FR" } };
    expect(await app.tracking.assign(french, { peek: false })).toMatchObject({ ...refused, reason: "TARGETING" });
    const paused = { experiment_id: "id-of-paused", user_id: "u" };
    expect(await app.tracking.assign(paused, { peek: false })).toMatchObject({ ...refused, reason: "NOT_RUNNING" });
    expect(await app.store.head("events")).toBe(0);
    const unknown = app.tracking.assign({ experiment_key: "nope", user_id: "u" }, { peek: false });
    await expect(unknown).rejects.toSatisfy(status(404));
  });
});

describe("identify", () => {
  it("joins the events before and after signing in", async () => {
    const app = await createTracking();
    await app.addExperiment();
    const exposure = { event_type: "exposure", experiment_id: "checkout", variant_id: "treatment" };
    await app.tracking.track({ ...exposure, user_id: "anonymous" });
    await app.tracking.track({ event_type: "purchase", user_id: "u" });
    await app.tracking.identify({ anonymous_id: "anonymous", user_id: "u" }, BY.actor);
    await app.tracking.identify({ anonymous_id: "anonymous", user_id: "u" }, BY.actor);
    await app.tracking.identify({ anonymous_id: "u", user_id: "anonymous" }, BY.actor);
    expect(await app.store.head("events")).toBe(3);
    const results = await app.results.get("checkout", ANALYST);
    expect(results).toMatchObject({ sample_size: { control: 0, treatment: 1 }, metrics: [{ treatment_value: 1 }] });
  });
});

describe("a person", () => {
  async function populated(chunkRows: number, trimJournal = true) {
    const app = await createTracking({ chunkRows, trimJournal });
    await app.addExperiment();
    const exposure = { event_type: "exposure", experiment_id: "checkout" };
    for (const [index, user_id] of ["a", "me", "b", "my-phone"].entries()) {
      await app.tracking.events([
        { ...exposure, user_id, variant_id: index % 2 ? "treatment" : "control" },
        { event_type: "purchase", user_id, value: 5, event_metadata: { from: user_id } },
      ]);
    }
    await app.tracking.identify({ anonymous_id: "my-phone", user_id: "me" }, BY.actor);
    await app.tracking.track({ event_type: "purchase", user_id: "me", value: 7, event_metadata: { late: true } });
    return app;
  }

  it.each([
    ["in the journal", 1e9],
    ["in chunks", 3],
  ])("is exported with all ids and events, %s", async (_where, chunkRows) => {
    const app = await populated(chunkRows);
    await app.analysis.compact();
    const person = await app.tracking.exportUser("my-phone", BY);
    expect(person.aliases).toEqual(["me"]);
    expect(person.events.map((event) => [event.user_id, event.event_type, event.value, event.event_metadata])).toEqual([
      ["me", "exposure", null, null],
      ["me", "purchase", 5, { from: "me" }],
      ["my-phone", "exposure", null, null],
      ["my-phone", "purchase", 5, { from: "my-phone" }],
      ["me", "purchase", 7, { late: true }],
    ]);
    expect(person.assignments).toHaveLength(2);
    expect(person.next).toBeNull();
  });

  it("is exported in parts, each event once, also during erasure and compaction", async () => {
    const app = await createTracking({ chunkRows: 1000 });
    const event_metadata = { text: "x".repeat(4000) };
    for (let batch = 0; batch < 12; batch++) {
      await app.tracking.events(
        Array.from({ length: 400 }, (_, index) => ({
          event_type: "visit",
          user_id: index % 2 ? "me" : `other-${index % 4}`,
          value: batch * 400 + index,
          event_metadata,
        })),
      );
    }
    const first = await app.tracking.exportUser("me", BY);
    await app.tracking.eraseUser("other-0", BY);
    await app.analysis.compact();
    const second = await app.tracking.exportUser("me", BY, first.next!);
    expect([first.next, second.next]).toEqual([expect.any(String), null]);
    expect(first.events.length).toBeGreaterThan(second.events.length);
    const values = [...first.events, ...second.events].map(({ value }) => value);
    expect(values).toEqual(Array.from({ length: 2400 }, (_, index) => 2 * index + 1));
    await app.tracking.identify({ anonymous_id: "my-phone", user_id: "me" }, BY.actor);
    await expect(app.tracking.exportUser("me", BY, first.next!)).rejects.toSatisfy(status(409));
  });

  it.each([
    ["in the journal", 1e9, true],
    ["in chunks", 3, true],
    ["in both", 3, false],
  ])("is erased everywhere, %s, and results are recomputed", async (_where, chunkRows, trimJournal) => {
    const app = await populated(chunkRows, trimJournal);
    await app.analysis.compact();
    const before = await app.results.get("checkout", ANALYST);
    expect(before.sample_size).toEqual({ control: 2, treatment: 1 });
    expect(await app.tracking.eraseUser("me", BY)).toEqual({
      erased_events: 5,
      erased_assignments: 2,
      removed_from: [],
      remaining: [],
      remaining_total: 0,
    });
    const after = await app.results.get("checkout", ANALYST);
    expect(after.sample_size).toEqual({ control: 2, treatment: 0 });
    expect(await app.tracking.exportUser("me", BY)).toMatchObject({ aliases: [], events: [], assignments: [] });
    expect(await app.tracking.exportUser("b", BY)).toMatchObject({ events: [{}, { event_metadata: { from: "b" } }] });
    const kept = await app.store.list("", { limit: 10_000 });
    const journal = await app.store.read("events", 0, 10_000);
    const texts = [...kept.map(({ value }) => value), ...journal.map(({ record }) => record)].map((bytes) =>
      Buffer.from(bytes).toString(),
    );
    expect(texts.join("\n")).not.toContain("my-phone");
    // The log goes on where it was, in the same numbering.
    await app.tracking.events([
      { event_type: "purchase", user_id: "b", value: 1 },
      { event_type: "x", user_id: "new" },
    ]);
    await app.analysis.compact(1);
    expect(await app.tracking.exportUser("new", BY)).toMatchObject({ events: [{ event_type: "x" }] });
  });

  it("appears in the audit trail only as a hash", async () => {
    const app = await populated(1e9);
    await app.tracking.eraseUser("me", { ...BY, action: "person.erase" });
    const entries = await app.store.read(AUDIT_JOURNAL, 0, 1000);
    const last = parseBytes<Record<string, unknown>>(entries.at(-1)!.record);
    expect(last).toMatchObject({ action: "person.erase", resource_type: "person", new_value: { erased_events: 5 } });
    expect(last.resource_id).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(last)).not.toContain('"me"');
  });

  it("becomes a new one when new events arrive", async () => {
    const app = await populated(3);
    await app.tracking.eraseUser("me", BY);
    app.clock.now += HOUR / 1000;
    await app.tracking.track({
      event_type: "exposure",
      user_id: "me",
      experiment_id: "checkout",
      variant_id: "control",
    });
    expect((await app.results.get("checkout", ANALYST)).sample_size).toEqual({ control: 3, treatment: 0 });
    expect(await app.tracking.assignments("me", { activeOnly: true })).toMatchObject([{ variant_key: "control" }]);
  });
});
