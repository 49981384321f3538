import type { Credentials, HostileServer, Sent } from "./server.fixture.ts";

/** The callers, and a resource for their requests. */
export interface World {
  admin: Credentials;
  developer: Credentials;
  viewer: Credentials;
  /** Reads and writes. */
  key: Credentials;
  /** A public key, the same for all users. */
  client: Credentials;
  /** Id of a wizard draft of the viewer, with 80,000 empty conditions. */
  draft: string;
}

/** A request that causes as much work as it can. */
export interface HostileCase {
  name: string;
  /** The expected status. */
  status: number;
  sent(world: World): Sent;
}

/** Maps the numbers below `n`. */
export const many = <T>(n: number, make: (index: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

/** Sends a request that must succeed. @throws Error if it does not */
export async function succeed<T>(server: HostileServer, sent: Sent): Promise<T> {
  const { status, text } = await server.send(sent);
  if (status >= 300) throw new Error(`${sent.method} ${sent.path} was answered with ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text || "null") as T;
}

/** Creates one user per role, one key per kind, and a draft that is expensive to check. */
export async function createWorld(server: HostileServer): Promise<World> {
  const admin = await server.admin();
  const keyOf = async (kind: string) => {
    const body = { name: kind, kind, scopes: ["read", "write"] };
    const { key } = await succeed<{ key: string }>(server, {
      method: "POST",
      path: "/api-keys",
      body,
      headers: admin,
    });
    return { "x-api-key": key };
  };
  const viewer = await server.as("VIEWER", admin);
  const conditions = { all: new Array(80_000).fill({}) };
  const data = { rules: [{ id: "r", when: conditions, serve: { variant: "a" } }] };
  const draft = await succeed<{ id: string }>(server, {
    method: "POST",
    path: "/wizard/drafts",
    body: { data },
    headers: viewer,
  });
  return {
    admin,
    viewer,
    developer: await server.as("DEVELOPER", admin),
    key: await keyOf("SERVER"),
    client: await keyOf("CLIENT"),
    draft: draft.id,
  };
}
