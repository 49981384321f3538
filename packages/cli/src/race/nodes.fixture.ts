import { setTimeout as wait } from "node:timers/promises";
import { type Client, createClient, isAssayError } from "@assay/client";
import { PASSWORD, type Serving, serve } from "../cli.fixture.ts";
import type { Random } from "./random.fixture.ts";

/** The number of servers on one store. */
export const NODES = 4;
/** How long a change may take to reach every node, in milliseconds: far longer than it takes. */
export const DEADLINE_MS = 20_000;

/** One server of the race, and a client that calls it as the administrator, and with a key where that is required. */
export interface Node {
  name: string;
  url: string;
  client: Client;
  /** Where the server shows its metrics. */
  metrics: string;
  server: Serving;
}

/** What a check gets: the servers, and what it draws by. */
export interface Race {
  nodes: Node[];
  random: Random;
  /** Is different in each round. */
  round: string;
}

/** A rule that holds for all servers of a store together. */
export interface Check {
  name: string;
  run(race: Race): Promise<void>;
}

const usernameOf = (number: number) => `admin-${number}`;

/**
 * Starts the servers at once. Each gets another name for the first administrator; afterwards, every one must know the
 * same administrator.
 * @returns the servers, and the names with which one can sign in at each
 */
export async function startNodes(words: string[], environment: Record<string, string> = {}) {
  const servers = await Promise.all(
    Array.from({ length: NODES }, (_, number) =>
      serve([...words, "--metrics", "0"], {
        ASSAY_ALLOW_PRIVATE_NETWORKS: "127.0.0.1/32",
        ASSAY_ADMIN_USERNAME: usernameOf(number),
        ...environment,
      }),
    ),
  );
  const administrators = await Promise.all(servers.map(({ url }) => findAdministrators(url)));
  const apiKey = await createKey(servers[0]!.url, administrators[0]![0]);
  const nodes = servers.map((server, number): Node => {
    const username = administrators[number]![0] ?? usernameOf(number);
    const [, metrics = ""] = /Metrics are at (\S+)/.exec(server.output()) ?? [];
    const client = createClient({ baseUrl: server.url, username, password: PASSWORD, apiKey });
    return { name: `node ${number}`, url: server.url, client, metrics, server };
  });
  return { nodes, administrators };
}

async function createKey(baseUrl: string, username: string | undefined): Promise<string> {
  const client = createClient({ baseUrl, username, password: PASSWORD });
  const { key } = await client.request("POST /api-keys", { body: { name: "race", scopes: ["read", "write"] } });
  return key!;
}

/** Returns the names of the administrators whom a server signs in, of those that any server could create. */
async function findAdministrators(baseUrl: string): Promise<string[]> {
  const found: string[] = [];
  for (let number = 0; number < NODES; number++) {
    const username = usernameOf(number);
    const client = createClient({ baseUrl, username, password: PASSWORD });
    const me = await client.request("GET /auth/me").catch(refused(401));
    if (me) found.push(username);
  }
  return found;
}

/** Ends the servers, and waits until they are gone. */
export async function stopNodes(nodes: readonly Node[]): Promise<void> {
  for (const { server } of nodes) server.child.kill("SIGKILL");
  await Promise.all(nodes.map(({ server }) => server.exit));
}

/** The answer to a request: its status, and what it said. */
export interface Outcome<Answer> {
  node: Node;
  status: number;
  answer: Answer | null;
  headers: Headers;
}

/** Does something on all servers at once: in any order, a few milliseconds apart. */
export async function onAll<Answer>(
  { nodes, random }: Race,
  send: (node: Node) => Promise<{ status: number; data: Answer; headers: Headers }>,
): Promise<Outcome<Answer>[]> {
  const starts = random.shuffled(nodes).map(async (node) => {
    await wait(random.below(4));
    try {
      const { status, data, headers } = await send(node);
      return { node, status, answer: data, headers };
    } catch (error) {
      if (!isAssayError(error) || error.status === undefined) throw error;
      return { node, status: error.status, answer: null, headers: new Headers() };
    }
  });
  return Promise.all(starts);
}

/** Returns the statuses of answers, sorted. */
export const statusesOf = (outcomes: readonly { status: number }[]): number[] =>
  outcomes.map(({ status }) => status).sort((a, b) => a - b);

/** Returns null for a refusal with one of these statuses. */
export function refused(...statuses: number[]): (error: unknown) => null {
  return (error) => {
    if (isAssayError(error) && statuses.includes(error.status ?? 0)) return null;
    throw error;
  };
}

/** Waits until every server answers what is wanted; returns the milliseconds that the last one took. */
export async function untilAll(nodes: readonly Node[], isThere: (node: Node) => Promise<boolean>): Promise<number> {
  const started = performance.now();
  await Promise.all(
    nodes.map(async (node) => {
      while (!(await isThere(node))) {
        if (performance.now() - started > DEADLINE_MS) throw new Error(`${node.name} has not followed the others`);
        await wait(2);
      }
    }),
  );
  return performance.now() - started;
}

type NewExperiment = {
  key: string;
  tracker_issue_key?: string;
  allocation?: "THOMPSON";
  metrics?: { name: string; event_type: string; kind: "CONVERSION" }[];
};

/** Creates an experiment with the variants `a` and `b`, and waits until every server knows it. */
export async function createExperiment({ nodes, random }: Race, body: NewExperiment) {
  const variants = [{ key: "a" }, { key: "b" }];
  const made = await random.one(nodes).client.request("POST /experiments/", {
    body: { name: "Race", status: "ACTIVE", variants, ...body },
  });
  const params = { experiment_id: made.id };
  await untilAll(nodes, async ({ client }) =>
    Boolean(await client.request("GET /experiments/{experiment_id}", { params }).catch(refused(404))),
  );
  return made;
}
