import { memoryStore, type Store } from "@assay/store";
import { ADMIN, createTestServer, PASSWORD, type TestServer } from "../testing.fixture.ts";

/** A stored document before and after a request. Null if it does not exist. */
export interface Written {
  collection: string;
  id: string;
  before: Stored | null;
  after: Stored | null;
}

/** The document fields that ownership rules read. */
export type Stored = Record<string, unknown>;

export const DOCUMENT = /^([a-z-]+)\/doc\/(.+)$/;

/** Creates an in-memory store that reports every document it writes. */
function createWatchedStore(): { store: Store; written: Written[]; read(key: string): Promise<Stored | null> } {
  const store = memoryStore();
  const written: Written[] = [];
  async function read(key: string): Promise<Stored | null> {
    const entry = await store.get(key);
    return entry && JSON.parse(new TextDecoder().decode(entry.value));
  }
  const batch: Store["batch"] = async (operations) => {
    const keys = operations.flatMap((one) => (one.type === "put" || one.type === "delete" ? [one.key] : []));
    const documents = keys.filter((key) => DOCUMENT.test(key));
    const before = await Promise.all(documents.map(read));
    const result = await store.batch(operations);
    const after = result.ok ? await Promise.all(documents.map(read)) : before;
    for (const [index, key] of documents.entries()) {
      const [, collection, id] = DOCUMENT.exec(key)!;
      const [one, other] = [before[index]!, after[index]!];
      if (JSON.stringify(one) !== JSON.stringify(other)) {
        written.push({ collection: collection!, id: id!, before: one, after: other });
      }
    }
    return result;
  };
  return { store: { ...store, batch }, written, read };
}

/** Creates two DEVELOPERs, ada and bob, on a server whose writes the test watches. */
export async function createReach() {
  const watched = createWatchedStore();
  const server = await createTestServer({ storage: watched.store });
  const [ada, bob] = [await server.as("DEVELOPER", "ada"), await server.as("DEVELOPER", "bob")];
  return { server, ada, bob, ...watched };
}
export type Reach = Awaited<ReturnType<typeof createReach>>;

export async function signIn(server: TestServer, username: string, password = PASSWORD) {
  const { json } = await server.send("POST", "/auth/login", { body: { username, password } });
  return { authorization: `Bearer ${json.access_token}` };
}

const VARIANTS = [{ key: "a" }, { key: "b" }];
const METRICS = [{ name: "Paid", event_type: "purchase", role: "PRIMARY" }];
const OPEN = { base_url: "https://third.example", username: "bot", api_token: "t", allow_unsigned: true };

/**
 * Creates the same resources for two users, linked to each other wherever an ADMIN could link them: bob's experiments
 * and schedules use ada's flags, ada's experiments are in bob's group, bob is the last editor of ada's integration.
 * Returns all ids and keys by the names of parameters and fields.
 *
 * @param n makes names of later calls unique
 */
export async function makeWorld({ server, bob }: Reach, n: number): Promise<Record<string, string[]>> {
  const root = await signIn(server, ADMIN.username, ADMIN.password);
  const role = (role: string) => server.send("PATCH", `/admin/users/${bob.user.id}`, { headers: root, body: { role } });
  const ids: Record<string, string[]> = {};
  const note = (name: string, ...texts: string[]) => (ids[name] = [...(ids[name] ?? []), ...texts]);
  await role("ADMIN");
  const people = { ada: await signIn(server, "ada"), bob: await signIn(server, "bob") };

  async function make(who: keyof typeof people, path: string, body: object, name: string) {
    const { status, json } = await server.send("POST", path, { headers: people[who], body });
    if (status >= 300) throw new Error(`${path} of ${who}: ${status} ${JSON.stringify(json)}`);
    note(name, json.id);
    return json;
  }

  for (const who of ["ada", "bob"] as const) {
    const flag = { name: "F", status: "ACTIVE", rollout_percentage: 50 };
    for (const use of ["run", "roll", "free"]) {
      const { key } = await make(who, "/feature-flags/", { ...flag, key: `${who}-${use}-${n}` }, "flag");
      note("flag key", key);
    }
    const group = await make(who, "/mutual-exclusion-groups", { name: `${who} ${n}` }, "group");
    note(`group of ${who}`, group.id);
    await make(who, "/segments", { name: `${who}-${n}`, user_ids: ["u"] }, "segment");
    await make(who, "/warehouse/connections", { name: "w", type: "DUCKDB", database: "/no/w.duckdb" }, "connection");
    const config = { name: `${who} ${n}`, integration_type: "TRACKER", description: "", config: OPEN };
    await make(who, "/integrations", config, "integration");
    await make(who, "/wizard/drafts", { data: { name: "Draft" } }, "draft");
    await make(who, "/api-keys", { name: "k", scopes: ["read"] }, "key");
  }
  for (const who of ["ada", "bob"] as const) {
    const other = who === "ada" ? "bob" : "ada";
    const own = { name: "E", variants: VARIANTS, metrics: METRICS, tracker_issue_key: `${who}-${n}` };
    const active = { ...own, status: "ACTIVE" };
    await make(who, "/experiments/", { ...own, key: `${who}-draft-${n}` }, "experiment");
    await make(who, "/experiments/", { ...active, key: `${who}-active-${n}` }, "experiment");
    await make(who, "/experiments/", { ...active, key: `${who}-bandit-${n}`, allocation: "UCB1" }, "experiment");
    const slot = { ...own, key: `${who}-in-group-${n}`, mutual_exclusion_group_id: ids[`group of ${other}`]![0] };
    await make(who, "/experiments/", slot, "experiment");
    // Bob's use ada's flags, and ada's use her own: no other user could link them.
    if (who === "bob") {
      const bound = { ...active, key: `bob-bound-${n}`, feature_flag_key: `ada-run-${n}` };
      await make(who, "/experiments/", bound, "experiment");
    }
    const stages = [{ target_percentage: 80, trigger: "MANUAL" }];
    const plan = { name: who, feature_flag_id: `ada-${who === "bob" ? "roll" : "free"}-${n}`, stages };
    const schedule = await make(who, "/rollout-schedules", plan, "schedule");
    note("stage", ...schedule.stages.map(({ id }: { id: string }) => id));
    await server.send("POST", `/rollout-schedules/${schedule.id}/activate`, { headers: people[who] });
    await server.send("PUT", `/safety/feature-flags/${who}-free-${n}`, {
      headers: people[who],
      body: { window_minutes: 30 },
    });
  }
  for (const id of ids.integration!) {
    await server.send("PUT", `/integrations/${id}`, { headers: people.bob, body: { description: "by bob" } });
  }
  await role("DEVELOPER");
  return ids;
}
