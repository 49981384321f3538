import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestServer } from "../../testing.fixture.ts";

const USERS = Array.from({ length: 10_000 }, (_, index) => `user-${index}`);
const KEYS = ["one", "two", "three", "four", "five"];
const SHARES = [30, 10, undefined, 12.3456, 8];
const MOVES = { start: "ACTIVE", pause: "PAUSED", complete: "COMPLETED", archive: "ARCHIVED" } as const;

/** Generates moves of experiments, as pairs of experiment number and move. The server rejects illegal moves. */
const steps = fc.array(
  fc.tuple(
    fc.nat(KEYS.length - 1),
    fc.constantFrom(...(Object.keys(MOVES) as (keyof typeof MOVES)[]), "join" as const),
  ),
  { minLength: 4, maxLength: 12 },
);

test("no user moves or is in two experiments, whichever experiments start, pause, end or join", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const server = await createTestServer();
      const { id: group_id } = await server.admin.request("POST /mutual-exclusion-groups", { body: { name: "g" } });
      const join = async (index: number) => {
        const body = { experiment_id: KEYS[index]!, ...(SHARES[index] ? { slot_percentage: SHARES[index] } : {}) };
        await server.send("POST", `/mutual-exclusion-groups/${group_id}/experiments`, { body, headers });
      };
      const { json } = await server.send("POST", "/auth/login", {
        body: { username: "admin", password: "correct horse battery" },
      });
      const headers = { authorization: `Bearer ${json.access_token}` };
      for (const key of KEYS) {
        const variants = [{ key: "a" }, { key: "b" }];
        await server.admin.request("POST /experiments/", { body: { key, name: key, variants } });
      }
      for (const index of [0, 1, 2]) await join(index);

      const armOf = (key: string, user: string) => {
        const assignment = server.assay.engine.assign(key, user);
        return assignment?.assigned ? assignment.variant_key : `out: ${assignment?.reason}`;
      };
      const armsOf = (key: string) => USERS.map((user) => armOf(key, user));
      let before = KEYS.map(armsOf);
      for (const [moved, move] of sequence) {
        if (move === "join") await join(moved);
        else await server.send("POST", `/experiments/${KEYS[moved]}/${move}`, { headers, body: {} });
        const after = KEYS.map(armsOf);
        for (const [index, arms] of after.entries()) if (index !== moved) expect(arms).toEqual(before[index]);
        const { experiments } = await server.admin.request("GET /mutual-exclusion-groups/{group_id}", {
          params: { group_id },
        });
        const members = experiments.map(({ key }) => after[KEYS.indexOf(key)]!);
        for (let user = 0; user < USERS.length; user++) {
          const count = members.filter((arms) => !arms[user]!.startsWith("out")).length;
          if (count > 1) throw new Error(`${USERS[user]} is in ${count} experiments of the group`);
        }
        before = after;
      }
      await server.assay.close();
    }),
    { numRuns: 8 },
  );
});

test("POST /tracking/assign uses the slots, and keeps its assignments when other experiments change", async () => {
  const server = await createTestServer();
  const { id: group_id } = await server.admin.request("POST /mutual-exclusion-groups", { body: { name: "g" } });
  for (const key of ["one", "two"]) {
    const variants = [{ key: "a" }, { key: "b" }];
    const body = { key, name: key, variants };
    await server.admin.request("POST /experiments/", { body });
    await server.admin.request("POST /mutual-exclusion-groups/{group_id}/experiments", {
      params: { group_id },
      body: { experiment_id: key, slot_percentage: 50 },
    });
  }
  const move = (experiment_id: string, name: "start" | "pause") =>
    server.admin.request(`POST /experiments/{experiment_id}/${name}`, { params: { experiment_id } });
  const client = await server.withKey(["write"]);
  const assign = (experiment_key: string) =>
    Promise.all(
      USERS.slice(0, 200).map((user_id) =>
        client.request("POST /tracking/assign", { body: { experiment_key, user_id } }),
      ),
    );
  await move("one", "start");
  const first = await assign("one");
  await move("two", "start");
  const second = await assign("two");
  for (const [index, { assigned, reason }] of first.entries()) {
    expect(assigned).not.toBe(second[index]!.assigned);
    expect(reason).toBe(assigned ? "ASSIGNED" : "EXCLUDED");
  }
  await move("one", "pause");
  expect(await assign("two")).toEqual(second);
  await move("one", "start");
  expect(await assign("one")).toEqual(first);
  await server.assay.close();
});
