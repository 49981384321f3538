import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FAULTS, type Fault, type FaultyProxy, startProxy } from "./proxy.fixture.ts";
import { type AssayServer, startServer } from "./server.fixture.ts";
import { type Details, SUBJECTS, type Subject } from "./subject.fixture.ts";

const SEED = 20_260_301;
const SOON = { timeout: 40_000, interval: 50 };
const NAMES = Object.keys(FAULTS) as Fault[];

let server: AssayServer;
beforeEach(async () => {
  // The shortest pauses between attempts.
  vi.spyOn(Math, "random").mockReturnValue(0);
  server = await startServer();
  for (const key of ["steady", "toggled"]) {
    const body = { key, name: key, status: "ACTIVE", client_side: true } as const;
    await server.admin.request("POST /feature-flags/", { body });
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

/** Returns a source of pseudo-random numbers in [0, 1), the same in every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Evaluates a flag, and fails if that waits for anything outside the process. */
async function ask(subject: Subject, key: string): Promise<Details> {
  const waited = new Promise<"waited">((resolve) => setImmediate(resolve, "waited"));
  const answer = await Promise.race([subject.evaluate("Boolean", key, false, {}), waited]);
  if (answer === "waited") throw new Error(`The evaluation of ${key} waited`);
  return answer;
}

/** A provider behind a separate proxy. */
interface Patient {
  first: Fault;
  proxy: FaultyProxy;
  subject: Subject;
}

async function admit(create: (typeof SUBJECTS)[string], first: Fault): Promise<Patient> {
  const proxy = await startProxy(server.url);
  proxy.fault = first;
  const subject = create({
    apiKey: server.apiKey,
    baseUrl: proxy.url,
    fetch: (request) => fetch(request),
    reasons: "specification",
    cacheTtlMs: 500,
    timeout: 1_000,
  });
  return { first, proxy, subject };
}

const usersOf = (fault: Fault) => [0, 1, 2].map((event) => `${fault} ${event}`);

/** Starts with one fault, recovers, and meets another. */
async function suffer({ first, proxy, subject }: Patient, random: () => number): Promise<void> {
  await subject.started.catch(() => {});
  expect(await ask(subject, "steady"), first).toMatchObject({ value: false, errorCode: "PROVIDER_NOT_READY" });
  for (const user of usersOf(first)) subject.track("purchase", user);

  proxy.fault = undefined;
  await expect.poll(async () => (await ask(subject, "steady")).value, SOON).toBe(true);

  const fault = NAMES[Math.floor(random() * NAMES.length)]!;
  const before = proxy.injured;
  proxy.fault = fault;
  // A good snapshot stays, regardless of later answers.
  const isInjured = async () => {
    expect(await ask(subject, "steady"), fault).toMatchObject({ value: true });
    return proxy.injured > before;
  };
  await expect.poll(isInjured, SOON).toBe(true);
  proxy.fault = undefined;
  await expect.poll(async () => (await ask(subject, "steady")).reason, SOON).toBe("CACHED");
}

/** Receives a change after recovery. */
async function recover({ first, subject }: Patient): Promise<void> {
  await expect.poll(async () => (await ask(subject, "toggled")).value, SOON).toBe(false);
  expect(await ask(subject, "steady"), first).toMatchObject({ value: true });
  // None of the faulty answers was accepted as definitions.
  expect(subject.changes, first).toEqual([["toggled"]]);
  await expect.poll(() => subject.status(), SOON).toBe("READY");
}

/** Returns the users of all stored events, one entry per event. */
async function readUsers(): Promise<string[]> {
  const params = NAMES.flatMap(usersOf).map((user_id) => ({ user_id }));
  const people = await Promise.all(
    params.map((one) => server.admin.request("GET /tracking/users/{user_id}", { params: one })),
  );
  return people.flatMap(({ user_id, events }) => events.map(() => user_id));
}

describe.each(Object.entries(SUBJECTS))("%s", (_, create) => {
  test(`throws no error, does not wait, keeps valid definitions and recovers, in a random sequence of faults (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const patients = await Promise.all(NAMES.map((fault) => admit(create, fault)));
    try {
      await Promise.all(patients.map((patient) => suffer(patient, createRandom(Math.floor(random() * 2 ** 32)))));
      const toggled = { params: { id: "toggled" }, body: { status: "INACTIVE" } } as const;
      await server.admin.request("PUT /feature-flags/{id}", toggled);
      await Promise.all(patients.map(recover));
    } finally {
      await Promise.all(patients.map(({ subject }) => subject.stop()));
      await Promise.all(patients.map(({ proxy }) => proxy.close()));
    }
    // Every event has arrived exactly once.
    expect(await readUsers()).toEqual(NAMES.flatMap(usersOf));
  }, 120_000);
});
