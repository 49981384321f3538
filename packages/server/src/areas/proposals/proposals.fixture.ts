import type { ProposableRoute, Proposal } from "@assay/contract";
import type { AssayOptions } from "../../options.ts";
import { sharedStore } from "../../storage/shared-store.fixture.ts";
import { createTestServer, PASSWORD, type TestServer } from "../../testing.fixture.ts";

export type Person = Awaited<ReturnType<TestServer["as"]>>;
type Client = Pick<Person, "request">;
type Wish = { params?: Record<string, string>; body?: unknown; reason?: string };

/** The flag of each test, which dora owns. */
export const CHECKOUT = { params: { id: "checkout" } };

/**
 * Creates a server with the protected environment `default`, with the flag `checkout` and people of each role. The admin of
 * the server may do everything.
 */
export async function createProtectedServer(options: AssayOptions = {}) {
  const storage = options.storage ?? sharedStore();
  const open = await createTestServer({ ...options, storage });
  const dora = await open.as("DEVELOPER", "dora");
  const people = {
    dora,
    dave: await open.as("DEVELOPER", "dave"),
    eva: await open.as("ADMIN", "eva"),
    ann: await open.as("ANALYST", "ann"),
    vera: await open.as("VIEWER", "vera"),
  };
  const body = { key: "checkout", name: "Checkout", status: "ACTIVE", rollout_percentage: 10 } as const;
  await dora.request("POST /feature-flags/", { body });
  const server = await createTestServer({ ...options, storage, protected: true });
  const again = Object.fromEntries(
    Object.entries(people).map(([name, { user, username }]) => [
      name,
      { ...server.connect({ username, password: PASSWORD }), user, username },
    ]),
  ) as typeof people;

  return {
    ...server,
    ...again,
    storage,
    flag: () => server.admin.request("GET /feature-flags/{id}", CHECKOUT),
    propose: (by: Client, route: ProposableRoute, { params, body, reason }: Wish = {}, headers = {}) =>
      by.request("POST /proposals", {
        body: {
          route,
          ...(params && { params }),
          ...(body !== undefined && { body }),
          ...(reason && { reason }),
        } as never,
        headers,
      }),
    approve: (by: Client, { id }: Pick<Proposal, "id">, reason?: string) =>
      by.request("POST /proposals/{id}/approve", { params: { id }, body: reason === undefined ? {} : { reason } }),
    reject: (by: Client, { id }: Pick<Proposal, "id">, reason = "Too early") =>
      by.request("POST /proposals/{id}/reject", { params: { id }, body: { reason } }),
    withdraw: (by: Client, { id }: Pick<Proposal, "id">) =>
      by.request("POST /proposals/{id}/withdraw", { params: { id } }),
    show: (by: Client, { id }: Pick<Proposal, "id">) => by.request("GET /proposals/{id}", { params: { id } }),
    async trail(resource_type: string) {
      const { items } = await server.admin.request("GET /audit-logs", { query: { resource_type, limit: 500 } });
      return items;
    },
    async close() {
      await server.assay.close();
      await open.assay.close();
    },
  };
}

export type ProtectedServer = Awaited<ReturnType<typeof createProtectedServer>>;
