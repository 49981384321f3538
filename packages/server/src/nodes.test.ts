import { afterEach, expect, test, vi } from "vitest";
import { sharedStore } from "./storage/shared-store.fixture.ts";
import { createTestServer, PASSWORD, refusal, type TestServer } from "./testing.fixture.ts";

let nodes: TestServer[] = [];
afterEach(async () => {
  for (const { assay } of nodes) await assay.close();
  nodes = [];
});

/** Starts two servers on one store that hear of each other's changes late: when they poll, after a second. */
async function startTwo(options: object[] = [{}, {}]): Promise<[TestServer, TestServer]> {
  const storage = { ...sharedStore(), subscribe: async () => async () => {} };
  nodes = await Promise.all(options.map((one) => createTestServer({ storage, ...one })));
  return nodes as [TestServer, TestServer];
}

const refresh = ({ anonymous }: TestServer, refresh_token: string = "") =>
  anonymous.request("POST /auth/refresh", { body: { refresh_token } });

const signIn = ({ anonymous }: TestServer) =>
  anonymous.request("POST /auth/login", { body: { username: "admin", password: "correct horse battery" } });

test("a session that another server began or refreshed is valid at once", async () => {
  const [one, two] = await startTwo();
  const first = await signIn(one);
  await two.connect({ accessToken: first.access_token }).request("GET /auth/me");
  const second = await refresh(one, first.refresh_token);
  const third = await refresh(two, second.refresh_token);
  await one.connect({ accessToken: third.access_token }).request("GET /auth/me");
});

test("a refresh token that another server has exchanged is refused at once, and ends the session", async () => {
  const [one, two] = await startTwo();
  const first = await signIn(one);
  await two.connect({ accessToken: first.access_token }).request("GET /auth/me");
  const second = await refresh(one, first.refresh_token);
  expect(await refusal(refresh(two, first.refresh_token))).toMatchObject({ status: 401 });
  expect(await refusal(refresh(one, second.refresh_token))).toMatchObject({ status: 401 });
});

test("of repeats of a refresh token at once, each is a 401", async () => {
  const [one, two] = await startTwo();
  const { refresh_token } = await signIn(one);
  await refresh(one, refresh_token);
  const repeats = [one, two, one, two].map((node) => refusal(refresh(node, refresh_token)));
  expect((await Promise.all(repeats)).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
});

test("a key that another server created is valid at once, and one that nobody created is not", async () => {
  const [one, two] = await startTwo();
  const { key } = await one.withKey(["read"]);
  await two.connect({ apiKey: key }).request("GET /feature-flags/");
  for (const apiKey of [`${key}x`, "asy_0_0", "other"]) {
    expect(await refusal(two.connect({ apiKey }).request("GET /feature-flags/"))).toMatchObject({ status: 401 });
  }
});

test("an assignment is stored again after another server has erased the user", async () => {
  const [one, two] = await startTwo();
  const variants = [{ key: "a" }, { key: "b" }];
  await one.admin.request("POST /experiments/", { body: { key: "x", name: "X", status: "ACTIVE", variants } as never });
  const exposure = { event_type: "exposure", user_id: "ada", experiment_id: "x", variant_id: "a" };
  const params = { user_id: "ada" };
  const sender = two.connect({ apiKey: (await one.withKey(["read", "write"])).key });
  const stored = () => sender.request("GET /tracking/assignments/{user_id}", { params });
  // Two learns of the experiment, and of its erasure, when it polls.
  const expose = async () => {
    await sender.request("POST /tracking/track", { body: exposure });
    expect(await stored()).toMatchObject([{ variant_key: "a" }]);
  };
  await vi.waitFor(expose, 5_000);
  await one.admin.request("DELETE /tracking/users/{user_id}", { params });
  expect(await stored()).toEqual([]);
  await vi.waitFor(expose, 5_000);
});

test("If-Match accepts the version that another server wrote, and refuses an earlier one", async () => {
  const [one, two] = await startTwo();
  const { id } = await one.admin.request("POST /feature-flags/", { body: { key: "f", name: "F" } });
  const get = (node: TestServer) => node.admin.raw("GET /feature-flags/{id}", { params: { id } });
  const edit = (node: TestServer, etag: string | null, name: string) =>
    node.admin.request("PUT /feature-flags/{id}", { params: { id }, body: { name }, headers: { "If-Match": etag! } });
  await expect.poll(() => get(two).catch(() => null)).toBeTruthy();
  const before = (await get(one)).headers.get("etag");
  await edit(one, before, "by one");
  const after = (await get(one)).headers.get("etag");
  expect(await refusal(edit(two, before, "late"))).toMatchObject({ status: 412 });
  await edit(two, after, "by two");
  expect(await refusal(edit(one, after, "late"))).toMatchObject({ status: 412 });
});

test("servers that start at once create one administrator", async () => {
  const admins = ["ada", "bob"].map((username) => ({ admin: { username, password: PASSWORD } }));
  const servers = await startTwo(admins);
  const works = (node: TestServer, username: string) =>
    node
      .connect({ username, password: PASSWORD })
      .request("GET /users/me")
      .then(
        () => true,
        () => false,
      );
  const found = await Promise.all(servers.map(async (node) => [await works(node, "ada"), await works(node, "bob")]));
  expect(found[0]!.filter(Boolean)).toHaveLength(1);
  expect(found[1]).toEqual(found[0]);
});

test("of administrators who demote each other on two servers, one remains", async () => {
  const [one, two] = await startTwo();
  const deputy = await one.admin.request("POST /users/", {
    body: { username: "deputy", email: "deputy@example.org", password: PASSWORD, role: "ADMIN", is_superuser: true },
  });
  const client = two.connect({ username: "deputy", password: PASSWORD });
  await expect.poll(() => client.request("GET /users/me").catch(() => null)).toBeTruthy();
  const { id } = await one.admin.request("GET /users/me");
  const demote = (by: Pick<TestServer["admin"], "request">, user_id: string) =>
    by.request("PUT /users/{user_id}", { params: { user_id }, body: { is_superuser: false } });
  const outcomes = await Promise.allSettled([demote(one.admin, deputy.id), demote(client, id)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
