import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, isAssayError } from "@assay/client";
import { afterEach, describe, expect, test } from "vitest";
import { PASSWORD, run, type Serving, serve, stopAll } from "../cli.fixture.ts";
import { DATABASES, newPlace } from "../database.fixture.ts";

const LONG = 120_000;
const VARIANTS = [{ key: "control" }, { key: "treatment" }];

afterEach(stopAll);

/** Starts a server without the API, and waits until it is ready. */
async function serveRoles(storage: string, roles: string): Promise<Serving> {
  const node = await serve(["--storage", storage, "--roles", roles]);
  return node;
}

/** Sends exposures of so many users to an experiment. */
async function expose({ admin, url }: Serving, prefix: string, users: number): Promise<void> {
  const { key } = await admin.request("POST /api-keys", { body: { name: prefix, scopes: ["read", "write"] } });
  const writer = createClient({ baseUrl: url, apiKey: key! });
  const events = Array.from({ length: users }, (_, user) => ({
    event_type: "exposure",
    user_id: `${prefix}-${user}`,
    experiment_id: "checkout",
    variant_id: VARIANTS[user % 2]!.key,
  }));
  await writer.request("POST /tracking/events", { body: { events } });
}

const patient = ({ url }: Serving) =>
  createClient({ baseUrl: url, username: "admin", password: PASSWORD, retries: 0, timeout: 60_000 });

async function usersOf(api: Serving): Promise<number> {
  const { sample_size } = await patient(api).request("GET /results/{experiment_id}", {
    params: { experiment_id: "checkout" },
  });
  return Object.values(sample_size).reduce((sum: number, users) => sum + users, 0);
}

const readiness = async ({ url }: Serving) => (await (await fetch(`${url}/readyz`)).json()) as { roles: string[] };

async function takesOver(storage: string): Promise<void> {
  const [first, api] = await Promise.all([serveRoles(storage, "analysis"), serveRoles(storage, "api")]);
  expect((await readiness(first)).roles).toEqual(["analysis"]);
  expect((await readiness(api)).roles).toEqual(["api"]);
  const refused = await fetch(`${first.url}/api/v1/feature-flags/`);
  expect([refused.status, await refused.json()]).toEqual([
    404,
    { detail: 'This server does not have the role "api"; it serves /healthz and /readyz' },
  ]);
  await api.admin.request("POST /experiments/", {
    body: { key: "checkout", name: "Checkout", status: "ACTIVE", variants: VARIANTS },
  });
  await expose(api, "early", 20);
  expect(await usersOf(api)).toBe(20);

  const second = await serveRoles(storage, "analysis,jobs");
  await expose(api, "late", 10);
  // The first one may have just begun.
  const asked = usersOf(api);
  first.child.kill("SIGKILL");
  expect(await asked).toBe(30);

  second.child.kill("SIGKILL");
  await second.exit;
  // What was answered before needs no server that analyses.
  expect(await usersOf(api)).toBe(30);
  await expose(api, "last", 2);
  const failure = await usersOf(api).catch((error: unknown) => error);
  expect(isAssayError(failure) && [failure.status, failure.message, failure.retryAfter]).toEqual([
    503,
    expect.stringContaining('No server with the role "analysis" answers'),
    5,
  ]);
}

test("a server without the role analysis asks the others, on LMDB", { timeout: LONG }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "assay-roles-"));
  await takesOver(`lmdb:${folder}`);
  await stopAll();
  await rm(folder, { recursive: true });
});

describe.each(DATABASES.filter(({ kind }) => kind.startsWith("postgres")))("on $kind", ({ storage, clear }) => {
  test("a server without the role analysis asks the others", { timeout: LONG }, async () => {
    const place = newPlace("roles");
    await takesOver(storage(place));
    await stopAll();
    await clear([place]);
  });
});

test.each([
  [["--roles", "api,analyst"], {}, '--roles: there is no role "analyst"; the roles are api, analysis and jobs'],
  [[], { ASSAY_ROLES: "web" }, 'ASSAY_ROLES: there is no role "web"; the roles are api, analysis and jobs'],
  [["--roles", "api", "--storage", "memory"], {}, "--roles needs a store that several servers can share"],
])("serve %j %j is refused with a sentence", async (words, environment, sentence) => {
  const { code, output } = await run(["serve", "--port", "0", ...words], environment);
  expect([code, output]).toEqual([2, expect.stringContaining(sentence)]);
});
