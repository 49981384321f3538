import { type Client, createClient } from "@assay/client";
import type { Role, Scope } from "@assay/contract";
import type { Definitions } from "@assay/core";
import { vi } from "vitest";
import { createContexts } from "./context.ts";
import { assembleAssay } from "./create.ts";
import { silentLogger } from "./ground/runtime.ts";
import type { AssayOptions } from "./options.ts";

export const ADMIN = { username: "admin", password: "correct horse battery" };
export const PASSWORD = "a-password-of-tests";
/** Timeout and polling interval of a job in a test, in milliseconds. */
const PATIENCE = { timeout: 20_000, interval: 5 };
export const ORIGIN = "http://assay.test";

/** Creates an in-memory server with a manual clock, and clients that call it without a port. */
export async function createTestServer(options: AssayOptions = {}) {
  let now = Date.parse("2026-03-01T12:00:00.000Z");
  const given: AssayOptions = {
    admin: ADMIN,
    passwordCost: 16,
    rateLimit: false,
    logger: silentLogger,
    jobs: false,
    now: () => now,
    ...options,
  };
  const contexts = createContexts(given);
  const assay = assembleAssay(contexts, given);
  await assay.ready;
  const fetch: typeof globalThis.fetch = (input, init) => assay.fetch(new Request(input, init));
  const connect = (credentials: object): Client => createClient({ baseUrl: ORIGIN, fetch, retries: 0, ...credentials });
  const admin = connect(ADMIN);

  return {
    assay,
    admin,
    anonymous: connect({}),
    connect,
    /** Evaluates other definitions than the stored ones, until the next change. */
    replaceDefinitions: (definitions: Definitions) => contexts[0].engine.update(definitions),
    /** Sends requests no typed client would send. */
    async send(method: string, path: string, init: { body?: unknown; headers?: Record<string, string> } = {}) {
      const body = init.body === undefined || typeof init.body === "string" ? init.body : JSON.stringify(init.body);
      const headers = { "content-type": "application/json", ...init.headers };
      const response = await assay.fetch(
        new Request(`${ORIGIN}/api/v1${path}`, { method, headers, body: body as string }),
      );
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: text === "" ? undefined : JSON.parse(text),
      };
    },
    /** Returns a client signed in as a new user of this role. */
    async as(role: Role, username = `${role.toLowerCase()}-${Math.random().toString(36).slice(2, 10)}`) {
      const email = `${username}@example.org`;
      const user = await admin.request("POST /users/", { body: { username, email, password: PASSWORD, role } });
      return { ...connect({ username, password: PASSWORD }), user, username };
    },
    /** Returns a client with a new API key of the administrator. */
    async withKey(scopes: Scope[], body: object = {}) {
      const created = await admin.request("POST /api-keys", { body: { name: "test", scopes, ...body } });
      return { ...connect({ apiKey: created.key! }), key: created.key!, id: created.id };
    },
    /** Triggers a job, waits for its end, and returns the job. */
    async runJob(job_name: string) {
      await admin.request("POST /scheduler/jobs/{job_name}/trigger", { params: { job_name } });
      return vi.waitFor(async () => {
        const job = await admin.request("GET /scheduler/jobs/{job_name}", { params: { job_name } });
        if (job.running) throw new Error(`${job_name} is still running`);
        return job;
      }, PATIENCE);
    },
    advance(milliseconds: number) {
      now += milliseconds;
    },
    now: () => now,
  };
}

export type TestServer = Awaited<ReturnType<typeof createTestServer>>;

/** Returns the detail of a refused request. */
export async function refusal(
  promise: Promise<unknown>,
): Promise<{ status: number; detail: unknown; issues?: unknown }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error && "status" in error) {
      const { status, detail, issues } = error as Error & { status: number; detail: unknown; issues?: unknown };
      return { status, detail, issues };
    }
    throw error;
  }
  throw new Error("Expected the request to be refused, but it was answered");
}
