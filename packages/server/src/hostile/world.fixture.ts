import type { Credentials, HostileServer, Sent } from "./server.fixture.ts";

/** Who asks, and what is there to be asked about. */
export interface World {
  admin: Credentials;
  developer: Credentials;
  viewer: Credentials;
  /** Reads and writes. */
  key: Credentials;
  /** The same for everybody: a public key. */
  client: Credentials;
  /** Id of a wizard draft of the viewer's that has 80,000 empty conditions. */
  draft: string;
}

/** A request that asks for as much work as it can. */
export interface HostileCase {
  name: string;
  /** What it is answered with. */
  status: number;
  sent(world: World): Sent;
}

/** Numbers below `n`, mapped. */
export const many = <T>(n: number, make: (index: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

/** Sends what has to succeed. @throws Error where it does not */
export async function succeed<T>(server: HostileServer, sent: Sent): Promise<T> {
  const { status, text } = await server.send(sent);
  if (status >= 300) throw new Error(`${sent.method} ${sent.path} was answered with ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text || "null") as T;
}

/** One user of each role, one key of each kind, and a draft that is costly to check. */
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
