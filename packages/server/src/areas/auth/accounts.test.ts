import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Mail } from "../../mail/mailer.ts";
import { createTestServer, PASSWORD, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
let mails: Mail[];
const mailer = {
  async send(mail: Mail) {
    mails.push(mail);
  },
};
beforeEach(async () => {
  mails = [];
  server = await createTestServer({ mailer });
});
afterEach(() => server.assay.close());

const MINUTE = 60_000;
const grace = {
  username: "grace",
  password: PASSWORD,
  email: "grace@example.org",
  given_name: "Grace",
  family_name: "Hopper",
};
const signup = (changes: object = {}, on = server) =>
  on.anonymous.request("POST /auth/signup", { body: { ...grace, ...changes } });
const confirm = (confirmation_code: string, username = "grace") =>
  server.anonymous.request("POST /auth/confirm", { body: { username, confirmation_code } });
const login = (password = PASSWORD, username = "grace") =>
  server.anonymous.request("POST /auth/login", { body: { username, password } });
const reset = (reset_code: string, new_password: string, username = "grace") =>
  server.anonymous.request("POST /auth/reset-password", { body: { username, reset_code, new_password } });

/** Returns the code in the newest of `count` mails. */
async function codeOf(count: number): Promise<string> {
  await vi.waitFor(() => expect(mails).toHaveLength(count));
  return /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(mails[count - 1]!.text)![0];
}

const wrongCode = { status: 400, detail: "The code is wrong or has expired" };

describe("signing up", () => {
  test("creates a VIEWER whose account works after the e-mailed code is confirmed", async () => {
    expect(await signup()).toEqual({ username: "grace", user_id: expect.any(String), confirmation_required: true });
    expect(await refusal(login())).toMatchObject({ status: 401, detail: "Incorrect username or password" });
    const code = await codeOf(1);
    expect(mails[0]).toMatchObject({ to: grace.email, subject: "Confirm your account" });
    expect(await confirm(code)).toEqual({ message: expect.any(String) });
    await login();
    const me = server.connect({ username: "grace", password: PASSWORD });
    expect(await me.request("GET /users/me")).toMatchObject({ username: "grace", role: "viewer", is_active: true });
    expect(await me.request("GET /auth/me")).toEqual({
      username: "grace",
      email: grace.email,
      given_name: "Grace",
      family_name: "Hopper",
    });
  });

  test("derives given and family name from the full name, and the full name from them", async () => {
    await signup({ given_name: undefined, family_name: undefined, full_name: "Ada King Lovelace" });
    await signup({ username: "hopper", email: "hopper@example.org" });
    const { items } = await server.admin.request("GET /admin/users");
    expect(items.map(({ full_name }) => full_name).slice(1)).toEqual(["Ada King Lovelace", "Grace Hopper"]);
  });

  test("never grants more than VIEWER", async () => {
    const answer = await server.send("POST", "/auth/signup", {
      body: { ...grace, role: "ADMIN", is_superuser: true, confirmed_at: "2020-01-01" },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("x-assay-ignored-fields")).toBe("role,is_superuser,confirmed_at");
    const { items } = await server.admin.request("GET /admin/users");
    expect(items[1]).toMatchObject({ role: "VIEWER", is_superuser: false });
    expect(await refusal(login())).toMatchObject({ status: 401 });
  });

  test("rejects a name that is taken, in any letter case, with 409, also with a taken e-mail", async () => {
    await signup();
    for (const email of ["other@example.org", grace.email]) {
      expect(await refusal(signup({ username: "GRACE", email }))).toMatchObject({
        status: 409,
        detail: 'Username "GRACE" is already taken',
      });
    }
  });

  test("with an e-mail that is taken, in any letter case, answers as for a free one, and an e-mail says so", async () => {
    await signup();
    await codeOf(1);
    const shape = ({ status, json, headers }: Awaited<ReturnType<typeof server.send>>) => ({
      status,
      json: { ...json, user_id: typeof json.user_id, username: "" },
      headers: [...headers.keys()].sort(),
    });
    const send = (changes: object) => server.send("POST", "/auth/signup", { body: { ...grace, ...changes } });
    const taken = await send({ username: "other", email: "Grace@Example.org" });
    const asName = await send({ username: "grace@example.org" });
    const fresh = await send({ username: "fresh", email: "fresh@example.org" });
    expect(fresh.status).toBe(201);
    for (const answer of [taken, asName]) expect(shape(answer)).toEqual(shape(fresh));
    await vi.waitFor(() => expect(mails).toHaveLength(4));
    const notices = mails.filter(({ subject }) => subject === "Your sign-up");
    expect(notices.map(({ to }) => to)).toEqual(["grace@example.org", "grace@example.org"]);
    expect(notices[0]!.text).toContain('the account "grace" has it');
    const { items } = await server.admin.request("GET /admin/users");
    expect(items.map(({ username }) => username)).toEqual(["admin", "grace", "fresh"]);
    const refused = await server.admin.request("GET /audit-logs", { query: { action: "auth.signup_refused" } });
    expect(refused.items.map(({ resource_id }) => resource_id)).toEqual([items[1]!.id, items[1]!.id]);
  });

  test("gives a name to one of two simultaneous requests", async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => signup({ email: `grace${index}@example.org` })),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test.each([
    [{ username: "ab" }, "username"],
    [{ username: "x".repeat(51) }, "username"],
    [{ username: "with space" }, "username"],
    [{ username: "somebody@else.org" }, "username"],
    [{ password: "seven77" }, "password"],
    [{ password: "x".repeat(129) }, "password"],
    [{ password: "Password123" }, "password"],
    [{ email: "nowhere" }, "email"],
  ])("rejects %j and names the field", async (changes, field) => {
    expect(await refusal(signup(changes))).toMatchObject({ status: 422, issues: [{ loc: ["body", field] }] });
    expect(mails).toEqual([]);
  });

  test("accepts the user's own e-mail as username", async () => {
    expect((await signup({ username: grace.email })).username).toBe(grace.email);
  });

  test("releases the name of an unconfirmed account after a day", async () => {
    await signup();
    server.advance(23 * 60 * MINUTE);
    const again = { email: "the-real-grace@example.org" };
    expect(await refusal(signup(again))).toMatchObject({ status: 409 });
    server.advance(2 * 60 * MINUTE);
    await signup(again);
    const { items } = await server.admin.request("GET /admin/users");
    expect(items.map(({ email }) => email)).toContain(again.email);
  });

  test("can be disabled", async () => {
    const closed = await createTestServer({ signup: "OFF" });
    expect(await refusal(signup({}, closed))).toMatchObject({ status: 403 });
    await closed.assay.close();
  });

  test("accepts only listed e-mails and domains by invitation", async () => {
    const invited = ["Ada@example.com", "@example.org"];
    const closed = await createTestServer({ signup: "INVITE", invited });
    await signup({}, closed);
    await signup({ username: "ada", email: "ada@example.com" }, closed);
    for (const email of ["eve@example.com", "eve@evil-example.org", "eve@example.org.evil.net"]) {
      expect(await refusal(signup({ username: "eve", email }, closed))).toMatchObject({
        status: 403,
        detail: "Sign-up is by invitation",
      });
    }
    await closed.assay.close();
  });
});

describe("a confirmation code", () => {
  test("works once, in any letter case, with or without its hyphen", async () => {
    await signup();
    const code = await codeOf(1);
    await confirm(` ${code.toLowerCase().replace("-", " ")}`);
    expect(await refusal(confirm(code))).toMatchObject(wrongCode);
  });

  test("works once if it is used twice at the same time", async () => {
    await signup();
    const code = await codeOf(1);
    const answers = await Promise.allSettled([confirm(code), confirm(code), confirm(code)]);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("expires after 15 minutes", async () => {
    await signup();
    const code = await codeOf(1);
    server.advance(15 * MINUTE);
    expect(await refusal(confirm(code))).toMatchObject(wrongCode);
  });

  test("is invalid after five wrong attempts, also simultaneous ones", async () => {
    await signup();
    const code = await codeOf(1);
    await Promise.allSettled(Array.from({ length: 5 }, () => confirm("AAAA-AAAA")));
    expect(await refusal(confirm(code))).toMatchObject(wrongCode);
  });

  test("still works after four", async () => {
    await signup();
    const code = await codeOf(1);
    for (let count = 0; count < 4; count++) await refusal(confirm("AAAA-AAAA"));
    await confirm(code);
  });

  test("of another user, an unknown user or another purpose is rejected with the same text", async () => {
    await signup();
    const code = await codeOf(1);
    await signup({ username: "eve", email: "eve@example.org" });
    await codeOf(2);
    expect(await refusal(confirm(code, "eve"))).toMatchObject(wrongCode);
    expect(await refusal(confirm(code, "nobody"))).toMatchObject(wrongCode);
    expect(await refusal(reset(code, "a-new-password"))).toMatchObject(wrongCode);
  });

  test("is replaced by the next one", async () => {
    await signup();
    const first = await codeOf(1);
    await server.anonymous.request("POST /auth/resend-confirmation", { body: { username: "GRACE@example.org" } });
    const second = await codeOf(2);
    expect(await refusal(confirm(first))).toMatchObject(wrongCode);
    await confirm(second);
  });

  test("is sent again only to unconfirmed accounts, with the same response for all", async () => {
    await server.as("VIEWER", "confirmed");
    await signup();
    await codeOf(1);
    const answers = [];
    for (const username of ["nobody", "confirmed", "grace"]) {
      answers.push(await server.send("POST", "/auth/resend-confirmation", { body: { username } }));
    }
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    await codeOf(2);
    expect(mails.map(({ to }) => to)).toEqual([grace.email, grace.email]);
  });
});

describe("a forgotten password", () => {
  const forgot = (username: string) => server.send("POST", "/auth/forgot-password", { body: { username } });

  test("is reset with the e-mailed code, which ends every session and works once", async () => {
    const { user, ...person } = await server.as("ANALYST", "grace");
    await person.request("GET /users/me");
    await forgot("grace");
    const code = await codeOf(1);
    expect(mails[0]).toMatchObject({ to: user.email, subject: "Set a new password" });
    await reset(code, "a-new-password");
    expect(await refusal(person.request("GET /users/me"))).toMatchObject({ status: 401 });
    expect(await refusal(login())).toMatchObject({ status: 401 });
    await login("a-new-password");
    expect(await refusal(reset(code, "another-password"))).toMatchObject(wrongCode);
  });

  test("gets the same response with and without an account or e-mail", async () => {
    const { user } = await server.as("VIEWER", "off");
    const params = { user_id: user.id };
    await server.admin.request("PATCH /admin/users/{user_id}", { params, body: { is_active: false } });
    await server.as("VIEWER", "grace");
    const answers = [await forgot("nobody"), await forgot("off"), await forgot("grace")];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    await codeOf(1);
    expect(mails.map(({ to }) => to)).toEqual(["grace@example.org"]);
  });

  test("rejects a weak new password, and the code still works", async () => {
    await server.as("VIEWER", "grace");
    await forgot("grace");
    const code = await codeOf(1);
    for (const weak of ["short", "iloveyou1"]) {
      expect(await refusal(reset(code, weak))).toMatchObject({
        status: 422,
        issues: [{ loc: ["body", "new_password"] }],
      });
    }
    await reset(code, "a-new-password");
  });

  test("confirms the account by a reset, which proves the e-mail", async () => {
    await signup();
    await codeOf(1);
    await forgot("grace");
    await reset(await codeOf(2), "a-new-password");
    await login("a-new-password");
  });
});

test("the store contains codes only as hashes, and the audit trail contains none", async () => {
  const { memoryStore } = await import("@assay/store");
  const store = memoryStore();
  const own = await createTestServer({ mailer, storage: store });
  await own.anonymous.request("POST /auth/signup", { body: grace });
  const code = (await codeOf(1)).replace("-", "");
  const entries = await store.list("", { limit: 10_000 });
  const records = await store.read("audit", 0, 1000);
  const stored = [...entries.map(({ value }) => value), ...records.map(({ record }) => record)]
    .map((bytes) => new TextDecoder().decode(bytes))
    .join("\n");
  expect(stored).toContain("code_hash");
  expect(stored).not.toContain(code);
  expect(stored).not.toContain(PASSWORD);
  await own.assay.close();
});

test("logs the code without a mailer", async () => {
  const lines: unknown[] = [];
  const note = (_message: string, fields?: unknown) => lines.push(fields);
  const own = await createTestServer({ logger: { info: note, warn: note, error: note } });
  await own.anonymous.request("POST /auth/signup", { body: grace });
  await vi.waitFor(() => expect(JSON.stringify(lines)).toMatch(/[A-Z2-9]{4}-[A-Z2-9]{4}/));
  await own.assay.close();
});

test("a failing mailer does not fail a sign-up; the log has the failure without the code", async () => {
  const lines: string[] = [];
  const note = (message: string, fields?: unknown) => lines.push(`${message} ${JSON.stringify(fields)}`);
  const own = await createTestServer({
    logger: { info: note, warn: note, error: note },
    mailer: { send: async () => Promise.reject(new Error("The mail server is away")) },
  });
  await own.anonymous.request("POST /auth/signup", { body: grace });
  await vi.waitFor(() => expect(lines.join()).toContain("The mail server is away"));
  expect(lines.join()).not.toMatch(/\b[A-Z2-9]{4}-[A-Z2-9]{4}\b(?!-)/);
  await own.assay.close();
});
