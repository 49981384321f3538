import { memoryStore, type Operation, type Store, StoreUnavailable } from "@assay/store";
import { expect, test } from "vitest";
import { sharedStore } from "../../storage/shared-store.fixture.ts";
import { createTestServer, PASSWORD, refusal } from "../../testing.fixture.ts";
import { CHECKOUT, createProtectedServer } from "./proposals.fixture.ts";

const UPDATE = "PUT /feature-flags/{id}";
const RENAME = { ...CHECKOUT, body: { name: "Cart" } };
const keysOf = (operations: Operation[]) => operations.flatMap((one) => ("key" in one ? [one.key] : []));
const isDocument = (key: string) => /^(feature-flags|proposals)\/doc\//.test(key);

/** Creates a store that fails while it is broken, and notes which documents each batch writes. */
function fragileStore() {
  const inner: Store = { ...memoryStore(), close: async () => {} };
  const state = { isBroken: false, batches: [] as string[][] };
  const storage: Store = {
    ...inner,
    async batch(operations) {
      const documents = keysOf(operations).filter(isDocument);
      if (state.isBroken && documents.length > 0) throw new StoreUnavailable("Killed");
      if (documents.length > 0) state.batches.push(documents.map((key) => key.split("/")[0]!).sort());
      return inner.batch(operations);
    },
  };
  return { storage, state };
}

test("a change and the end of its proposal are one batch, so a crash leaves both or neither", async () => {
  const { storage, state } = fragileStore();
  const server = await createProtectedServer({ storage });
  const { dora, eva, propose, approve } = server;
  const proposal = await propose(dora, UPDATE, RENAME);
  state.isBroken = true;
  expect(await refusal(approve(eva, proposal))).toMatchObject({ status: 503 });
  state.isBroken = false;
  const next = await createTestServer({ storage, protected: true });
  const connect = (username: string) => next.connect({ username, password: PASSWORD });
  const params = { id: proposal.id };
  expect(await connect("eva").request("GET /proposals/{id}", { params })).toMatchObject({ status: "OPEN" });
  state.batches.length = 0;
  await connect("eva").request("POST /proposals/{id}/approve", { params });
  expect(state.batches).toEqual([["feature-flags", "proposals"]]);
  expect(await connect("ann").request("GET /feature-flags/{id}", CHECKOUT)).toMatchObject({ name: "Cart", version: 2 });
  await next.assay.close();
  await server.close();
});

test("two approvals at once apply a change once, on one node and on two", async () => {
  const storage = sharedStore();
  const server = await createProtectedServer({ storage });
  const other = await createTestServer({ storage, protected: true });
  const { dora, eva, admin, propose, approve, flag } = server;
  const evaThere = other.connect({ username: "eva", password: PASSWORD });
  for (const [round, second] of [admin, evaThere, other.admin].entries()) {
    const { version } = await flag();
    const proposal = await propose(dora, UPDATE, { ...CHECKOUT, body: { name: `Cart ${round}` } });
    const outcomes = await Promise.allSettled([approve(eva, proposal), approve(second, proposal)]);
    const failed = outcomes.filter(({ status }) => status === "rejected");
    // The same person may approve twice; the second time changes nothing.
    if (second !== evaThere)
      expect(failed).toMatchObject([{ reason: { status: 409, detail: "The proposal is APPLIED" } }]);
    expect(await flag()).toMatchObject({ name: `Cart ${round}`, version: version + 1 });
  }
  const { items } = await admin.request("GET /audit-logs", { query: { action: "proposal.approve" } });
  expect(items).toHaveLength(3);
  await other.assay.close();
  await server.close();
});
