import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { RUN_TYPESCRIPT } from "../../../workspace/src/typescript.fixture.ts";
import { ADMIN, PASSWORD } from "../testing.fixture.ts";

const CHILD = fileURLToPath(new URL("./server.child.ts", import.meta.url));

/** The headers that authenticate a caller. */
export type Credentials = Record<string, string>;

/** A request as it goes over the wire. */
export interface Sent {
  method: string;
  path: string;
  body?: string | object | undefined;
  headers?: Credentials;
}

/** The response to a request, and for how many milliseconds it blocked the server. */
export interface Measured {
  status: number;
  text: string;
  headers: Headers;
  blocked: number;
}

/** Starts a server in a separate process, which measures how long its event loop is blocked. */
export async function startServer() {
  const child = fork(CHILD, { execArgv: [...RUN_TYPESCRIPT], stdio: "inherit" });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];

  async function send({ method, path, body, headers }: Sent) {
    const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(`${url}${/^\/(api|ofrep)\//.test(path) ? path : `/api/v1${path}`}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  async function signIn(username: string, password: string): Promise<Credentials> {
    const { text } = await send({ method: "POST", path: "/auth/login", body: { username, password } });
    return { authorization: `Bearer ${JSON.parse(text).access_token}` };
  }

  return {
    url,
    send,
    admin: () => signIn(ADMIN.username, ADMIN.password),
    async as(role: string, admin: Credentials): Promise<Credentials> {
      const username = `${role.toLowerCase()}-${Math.random().toString(36).slice(2, 10)}`;
      const body = { username, email: `${username}@example.org`, password: PASSWORD, role };
      await send({ method: "POST", path: "/users/", body, headers: admin });
      return signIn(username, PASSWORD);
    },
    /** Returns for how many milliseconds the server was blocked at most since the last measurement. */
    blocked: () => blocked(child),
    async measure(sent: Sent): Promise<Measured> {
      await blocked(child);
      const answer = await send(sent);
      return { ...answer, blocked: await blocked(child) };
    },
    /** Moves the clock of the server by this many milliseconds before the next measured request. */
    advance(milliseconds: number): void {
      child.send({ advance: milliseconds });
    },
    async close() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

export type HostileServer = Awaited<ReturnType<typeof startServer>>;

async function blocked(child: ChildProcess): Promise<number> {
  child.send("how long");
  const [{ longest }] = (await once(child, "message")) as [{ longest: number }];
  return longest;
}
