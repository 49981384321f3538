import { memoryStore } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toNewFlag } from "../areas/feature-flags/flag.ts";
import { defineCollections, type Records } from "../collections.ts";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import type { UserCaller } from "../model/caller.ts";
import { type Actor, type Change, SYSTEM } from "../storage/change.ts";
import { type Collections, createCollections } from "../storage/collections.ts";
import { createRights } from "./rights.ts";

let collections: Collections;
let records: Records;
let flagId: string;

const ACTOR: Actor = { ...SYSTEM, actor_type: "USER", actor_id: "bob" };
const BOB: UserCaller = {
  type: "USER",
  actor: ACTOR,
  userId: "bob",
  role: "DEVELOPER",
  isSuperuser: false,
  sessionId: null,
};
const flagOf = (owner: string, key: string) => toNewFlag({ key, name: key }, owner);
const by = (caller: Change["caller"], actor = ACTOR): Change => ({ actor, caller, action: "feature_flag.update" });
const renamed = <T extends { name: string }>(document: T): T => ({ ...document, name: "Renamed" });

beforeEach(async () => {
  const runtime = createRuntime({ logger: silentLogger });
  collections = createCollections(memoryStore(), runtime);
  records = defineCollections(collections);
  await collections.open();
  createRights(records, { allows: () => false });
  flagId = (await records.flags.insert(flagOf("ada", "hers"), by(undefined, SYSTEM))).id;
});
afterEach(() => collections.close());

describe("a write to a document with an owner", () => {
  const denied = 'Not enough permissions: owner or ADMIN required for feature flag "hers"';

  test.each<[string, () => unknown]>([
    ["an insert", () => records.flags.insert(flagOf("ada", "new"), by(BOB))],
    ["an update", () => records.flags.update(flagId, renamed, by(BOB))],
    ["a removal", () => records.flags.remove(flagId, by(BOB))],
    ["an insert together with another change", () => records.flags.insertion(flagOf("ada", "new"), by(BOB))],
    ["an update together with another change", () => records.flags.replacement(flagId, renamed, by(BOB))],
  ])("is rejected as %s", async (_, write) => {
    await expect((async () => write())()).rejects.toThrow("owner or ADMIN required for feature flag");
    expect(records.flags.all().map(({ key, name }) => [key, name])).toEqual([["hers", "hers"]]);
  });

  test("rejects the whole batch of the change", async () => {
    const own = await records.segments.insert(
      { name: "own", description: "", user_ids: [], conditions: null, status: "ACTIVE", created_by: "bob" } as never,
      by(BOB),
    );
    const alongside = () => records.flags.replacement(flagId, renamed, by(BOB));
    await expect(records.segments.update(own.id, renamed, by(BOB), { alongside })).rejects.toThrow(denied);
    expect(records.segments.require(own.id).name).toBe("own");
  });

  test("requires a caller, unless the server makes it", async () => {
    await expect(records.flags.update(flagId, renamed, by(undefined))).rejects.toThrow("has no caller");
    const anonymous = by({ type: "ANONYMOUS", actor: ACTOR });
    await expect(records.flags.update(flagId, renamed, anonymous)).rejects.toThrow(denied);
    expect((await records.flags.update(flagId, renamed, by("SERVER"))).name).toBe("Renamed");
    await records.flags.remove(flagId, by(undefined, SYSTEM));
    expect(records.flags.size).toBe(0);
  });

  test("cannot change the owner to the caller", async () => {
    const take = by(BOB);
    await expect(records.flags.update(flagId, (flag) => ({ ...flag, created_by: "bob" }), take)).rejects.toThrow(
      denied,
    );
  });
});
