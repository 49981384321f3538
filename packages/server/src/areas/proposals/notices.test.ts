import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AssayOptions } from "../../options.ts";
import { createTestServer } from "../../testing.fixture.ts";
import { startReceiver } from "../notifications/receiver.fixture.ts";
import { CHECKOUT, createProtectedServer, type Person, type ProtectedServer } from "./proposals.fixture.ts";

const UPDATE = "PUT /feature-flags/{id}";
const RENAME = { ...CHECKOUT, body: { name: "Cart", reason: "New name" } };
const LINKED: AssayOptions = { publicUrl: "https://flags.example.com/assay/", console: new Map() };

let server: ProtectedServer;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

async function start(options: AssayOptions = LINKED) {
  server = await createProtectedServer({ ...options, outbound: { allowPrivateNetworks: true } });
  const { dora, dave, eva, ann } = server;
  for (const who of [dora, dave, eva, ann]) await want(who);
}
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await server.close();
  await receiver.close();
});

/** Sends the notices of a person to a path with their name. */
const want = ({ request, username }: Person, events: object = {}) =>
  request("PUT /notifications/preferences", {
    body: {
      ...{
        webhook_enabled: true,
        webhook_url: `${receiver.url}/${username}`,
        webhook_secret: "a secret of 16 letters",
      },
      events,
    },
  });
/** Who got which event, sorted. */
const received = () => receiver.received.map(({ path, body }) => `${path} ${JSON.parse(body).event}`).sort();
const receives = (...expected: string[]) => vi.waitFor(() => expect(received()).toEqual(expected));

test("a proposal is reported to those who may approve it, and its end to its author and them", async () => {
  await start();
  const { dora, eva, propose, approve } = server;
  const proposal = await propose(dora, UPDATE, RENAME);
  // Ann may only read proposals, and Dave may not change flags of others.
  await receives("/eva PROPOSAL_CREATED");
  expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
    event: "PROPOSAL_CREATED",
    title: 'Proposal proposed by dora: feature flag update of "checkout"',
    data: {
      ...{ proposal_id: proposal.id, environment: "default", action: "feature_flag.update" },
      ...{ resource_name: "checkout", author_id: dora.user.id, decided_by: null, reason: "New name" },
      url: `https://flags.example.com/assay/console/proposals/${proposal.id}`,
    },
  });
  receiver.received.length = 0;
  await approve(eva, proposal, "Agreed");
  await receives("/dora PROPOSAL_APPROVED");
  expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
    text: [
      'The feature flag update of "checkout" in default was approved by eva.',
      "Reason: Agreed",
      `See the proposal: https://flags.example.com/assay/console/proposals/${proposal.id}`,
    ].join("\n"),
    data: { decided_by: eva.user.id, reason: "Agreed" },
  });
  receiver.received.length = 0;
  await propose(dora, "POST /feature-flags/", { body: { key: "new", name: "New" } });
  await receives("/dave PROPOSAL_CREATED", "/eva PROPOSAL_CREATED");
});

test("a rejection is reported with its reason, and a withdrawal is not", async () => {
  await start();
  const { dora, eva, propose, reject, withdraw } = server;
  await reject(eva, await propose(dora, UPDATE, RENAME), "Too early");
  await receives("/dora PROPOSAL_REJECTED", "/eva PROPOSAL_CREATED");
  const rejection = receiver.received.find(({ path }) => path === "/dora")!;
  expect(JSON.parse(rejection.body)).toMatchObject({ data: { reason: "Too early" } });
  await withdraw(dora, await propose(dora, UPDATE, RENAME));
  await receives("/dora PROPOSAL_REJECTED", "/eva PROPOSAL_CREATED", "/eva PROPOSAL_CREATED");
});

test("messages have no values, no e-mail addresses, and links only to a console that the server knows", async () => {
  await start({});
  const { admin, eva, propose } = server;
  await admin.request("PUT /users/{user_id}", {
    params: { user_id: server.dora.user.id },
    body: { full_name: "dora@example.org" },
  });
  const secret = { ...CHECKOUT, body: { metadata: { note: "a value of the flag" } } };
  const { id } = await propose(server.dora, UPDATE, secret);
  await receives("/eva PROPOSAL_CREATED");
  const { body } = receiver.received[0]!;
  expect(body).not.toMatch(/a value of the flag|example\.org/);
  expect(JSON.parse(body).text).toBe(
    `The feature flag update of "checkout" in default was proposed by [hidden].\nProposal: ${id}`,
  );
  expect(JSON.parse(body).data).not.toHaveProperty("url");
  await want(eva, { PROPOSAL_CREATED: false });
  await server.withdraw(server.dora, { id });
  await propose(server.dora, UPDATE, secret);
  await server.reject(eva, await propose(server.dora, UPDATE, RENAME));
  await receives("/dora PROPOSAL_REJECTED", "/eva PROPOSAL_CREATED");
});

test("a notice is written with its proposal, so another node sends it after a crash", async () => {
  await start();
  receiver.answer.status = 503;
  await server.propose(server.dora, UPDATE, RENAME);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
  await server.assay.close();
  receiver.answer.status = 204;
  receiver.received.length = 0;
  const { storage } = server;
  const next = await createTestServer({ storage, protected: true, outbound: { allowPrivateNetworks: true } });
  next.advance(60_000);
  await next.runJob("notification-retry");
  await receives("/eva PROPOSAL_CREATED");
  await next.assay.close();
});
