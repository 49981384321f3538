import { type AssayOptions, createAssay } from "@assay/server";

const ADMIN = { username: "admin", password: "correct horse battery" };
const logger = { info() {}, warn() {}, error() {} };

/** Creates a server, and a way to call it as its administrator without a port. */
export function createNode(options: AssayOptions) {
  const assay = createAssay({ admin: ADMIN, passwordCost: 16, rateLimit: false, logger, ...options });
  async function send(method: string, target: string, body?: object, token = "", extra: object = {}) {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}`, ...extra };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await assay.fetch(new Request(`http://assay.test/api/v1${target}`, init));
    return { status: response.status, body: await response.json() };
  }
  let signedIn: Promise<string> | undefined;
  return {
    assay,
    /** Counts one event of the experiment `x`, with an `Idempotency-Key`. */
    async count(key: string) {
      signedIn ??= send("POST", "/auth/login", ADMIN).then(({ body }) => body.access_token);
      const body = { variant_id: "a", counter: "events" };
      return send("POST", "/counters/x/increment", body, await signedIn, { "idempotency-key": key });
    },
    /** Signs in once. Returns a function that sends requests as the administrator. */
    async signIn() {
      const { body: answer } = await send("POST", "/auth/login", ADMIN);
      return (method: string, target: string, body?: object) => send(method, target, body, answer.access_token);
    },
    async ask(method: string, target: string, body?: object) {
      const { body: answer } = await send("POST", "/auth/login", ADMIN);
      return send(method, target, body, answer.access_token);
    },
  };
}

/** The commands of a test to a node in a separate process. */
export type Order =
  | { clock: number }
  /** The process hangs: from the next batch that puts such a key, the store never answers. */
  | { hangAfter: string | null }
  | { ask: [method: string, target: string] };

/** The reports of such a node. */
export type Report =
  | { ready: true }
  | { done: true }
  | { answer: { status: number; body: unknown } }
  /** The state of a job was written; each write increments its version. */
  | { job: string; version: number; isRunning: boolean };
