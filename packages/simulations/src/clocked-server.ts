import { type Client, createClient } from "@assay/client";
import { type Assay, createAssay, silentLogger } from "@assay/server";

export const DAY = 86_400_000;
/** The start of every simulation, so that results do not depend on today. */
const START = Date.parse("2026-03-01T12:00:00.000Z");
const BASE_URL = "http://assay.test";
const ADMIN = { username: "admin", password: "correct horse battery" };

/** An event as applications send it. */
export interface SentEvent {
  event_type: string;
  user_id: string;
  value?: number;
  experiment_id?: string;
  variant_id?: string;
}

/** A server with data in memory, whose clock the simulation moves. Requests are HTTP requests without a port. */
export interface ClockedServer {
  /** Calls as the administrator. */
  admin: Client;
  engine: Assay["engine"];
  /** Sends events as an application; at most 5,000. */
  send(events: SentEvent[]): Promise<void>;
  /** Runs a job to its end. */
  runJob(name: string): Promise<void>;
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

/** Creates a server of one simulation. Each gets its own, so that no read includes the events of others. */
export async function createClockedServer(): Promise<ClockedServer> {
  let now = START;
  const assay = createAssay({
    ...{ admin: ADMIN, passwordCost: 16, rateLimit: false, jobs: false, logger: silentLogger },
    accessTokenMinutes: 1440 * 365,
    now: () => now,
  });
  const fetch: typeof globalThis.fetch = (input, init) => assay.fetch(new Request(input, init));
  const connect = (credentials: object) => createClient({ baseUrl: BASE_URL, fetch, retries: 0, ...credentials });
  const admin = connect(ADMIN);
  const { key } = await admin.request("POST /api-keys", { body: { name: "application", scopes: ["write"] } });
  const application = connect({ apiKey: key });
  return {
    admin,
    engine: assay.engine,
    async send(events) {
      await application.request("POST /tracking/events", { body: { events } });
    },
    async runJob(job_name) {
      const params = { job_name };
      await admin.request("POST /scheduler/jobs/{job_name}/trigger", { params });
      for (;;) {
        const job = await admin.request("GET /scheduler/jobs/{job_name}", { params });
        if (!job.running) {
          if (job.last_status === "SUCCEEDED") return;
          throw new Error(`The job ${job_name} ended as ${job.last_status}`);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    advance(milliseconds) {
      now += milliseconds;
    },
    close: () => assay.close(),
  };
}

/** Returns the result of each of so many simulations, each with its own server. */
export async function simulateServers<T>(
  times: number,
  simulate: (server: ClockedServer, simulation: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (let simulation = 0; simulation < times; simulation++) {
    const server = await createClockedServer();
    try {
      results.push(await simulate(server, simulation));
    } finally {
      await server.close();
    }
  }
  return results;
}
