import { createClient, isAssayError } from "@assay/client";
import { afterEach, describe, expect, test } from "vitest";
import { run, type Serving, serve, stopAll } from "../cli.fixture.ts";
import { DATABASES, newPlace } from "../database.fixture.ts";

afterEach(stopAll);

/** The status of a sign-in with a wrong password. */
async function signIn({ url }: Serving, username: string): Promise<number | undefined> {
  const client = createClient({ baseUrl: url, retries: 0 });
  try {
    await client.request("POST /auth/login", { body: { username, password: "a wrong password" } });
    return 200;
  } catch (error) {
    return isAssayError(error) ? error.status : undefined;
  }
}

describe.each(DATABASES)("assay serve --rate-limit-store $kind", ({ storage, clear }) => {
  test("two servers have one budget of sign-ins", async () => {
    const place = newPlace("limits");
    const words = ["--storage", "memory", "--namespace", place, "--rate-limit-store", storage(place)];
    const nodes = await Promise.all([1, 2].map(() => serve(words, { ASSAY_RATE_LIMIT: "on" })));
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt++) statuses.push(await signIn(nodes[attempt % 2]!, "someone"));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    for (const node of nodes) expect(node.output()).not.toContain("counts alone");
    await clear([place]);
  });
});

test("a server starts without the store of its rate limits, and counts alone", async () => {
  const words = ["--storage", "memory", "--rate-limit-store", "redis://user:secret@127.0.0.1:1"];
  const node = await serve(words, { ASSAY_RATE_LIMIT: "on" });
  const statuses = [];
  for (let attempt = 0; attempt < 6; attempt++) statuses.push(await signIn(node, "someone"));
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  expect(node.output().match(/counts alone/g)).toHaveLength(1);
  expect(node.output()).not.toContain("secret");
});

test.each(["mysql://user:secret@host/db", "redis://user:secret@[", "memory"])(
  "the address %s is refused with a sentence, without the password",
  async (address) => {
    const { code, output } = await run(["serve", "--storage", "memory", "--rate-limit-store", address]);
    expect(output).toContain("--rate-limit-store must be redis://USER:PASSWORD@HOST:PORT or postgres://");
    expect(output).not.toContain("secret");
    expect(code).not.toBe(0);
  },
);

test.each([
  ["redis://user:secret@127.0.0.1:1?cluster=1", 'cluster in --rate-limit-store must be true or false, not "1"'],
  ["redis://user:secret%zz@127.0.0.1:1", "--rate-limit-store has a % that is not followed by two hexadecimal digits"],
])("the address %s is refused with a sentence that says what is wrong in it", async (address, sentence) => {
  const { code, output } = await run(["serve", "--storage", "memory", "--rate-limit-store", address]);
  expect(output).toContain(sentence);
  expect(output).not.toContain("secret");
  expect(code).not.toBe(0);
});
