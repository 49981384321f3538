import { type Assay, createAssay } from "@assay/server";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { BINARIES, type Cluster, startCluster } from "./cluster.fixture.ts";

describe.skipIf(!BINARIES)("rate limits in PostgreSQL", { timeout: 120_000 }, () => {
  let cluster: Cluster;
  let closings: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());
  afterEach(async () => {
    await Promise.all(closings.map((close) => close()));
    closings = [];
    await cluster.execute("DROP SCHEMA IF EXISTS assay, limits CASCADE");
  });

  /** Starts a server, with the messages of its log about rate limits. */
  async function start(options: { namespace?: string; schema?: string; pool?: pg.Pool } = {}) {
    const pool = options.pool ?? new pg.Pool({ connectionString: cluster.url, connectionTimeoutMillis: 1_000, max: 3 });
    pool.on("error", () => {});
    const log: string[] = [];
    const note = (message: string) => void (message.includes("ate limits") && log.push(message));
    const assay = createAssay({
      rateLimit: { auth: 4 },
      rateLimitStore: { kind: "postgres", pool, ...(options.schema ? { schema: options.schema } : {}) },
      namespace: options.namespace ?? "",
      passwordCost: 16,
      logger: { info: note, warn: note, error: note },
    });
    closings.push(async () => {
      await assay.close();
      await pool.end();
    });
    await assay.ready;
    return { assay, log };
  }

  const signIn = async ({ assay }: { assay: Assay }, username = "someone") => {
    const body = JSON.stringify({ username, password: "a wrong password" });
    const headers = { "content-type": "application/json" };
    const response = await assay.fetch(
      new Request("http://assay.test/api/v1/auth/login", { method: "POST", body, headers }),
    );
    return [response.status, Number(response.headers.get("ratelimit-remaining"))];
  };

  test("two servers have one budget", async () => {
    const [one, two] = [await start(), await start()];
    const answers = [];
    for (const node of [one, two, two, one]) answers.push(await signIn(node));
    expect(answers).toEqual([
      [401, 3],
      [401, 2],
      [401, 1],
      [401, 0],
    ]);
    expect(await signIn(one)).toEqual([429, 0]);
    expect(await signIn(two)).toEqual([429, 0]);
    expect(await signIn(two, "another")).toEqual([401, 3]);
    expect([one.log, two.log]).toEqual([[], []]);
  });

  test("servers with different namespaces have their own budgets", async () => {
    const [one, two] = [await start({ namespace: "staging" }), await start({ namespace: "production" })];
    expect([await signIn(one), await signIn(two)]).toEqual([
      [401, 3],
      [401, 3],
    ]);
  });

  test("servers that start at once create the table together, in a schema of one's choice, without names", async () => {
    const nodes = await Promise.all([1, 2, 3, 4].map(() => start({ schema: "limits" })));
    const answers = await Promise.all(nodes.map((node) => signIn(node, "ada@example.org")));
    expect(answers.map(([status]) => status)).toEqual([401, 401, 401, 401]);
    expect(nodes.flatMap(({ log }) => log)).toEqual([]);
    expect(await signIn(nodes[0]!, "ada@example.org")).toEqual([429, 0]);
    const { rows } = await cluster.execute("SELECT key, points FROM limits.rate_limits ORDER BY points");
    for (const { key } of rows) expect(key).toMatch(/^assay-limits:default:[\w-]{43}$/);
    expect(rows.map(({ points }) => points)).toEqual([5, 5]);
  });

  test.each(["42P07", "42710"])(
    "a server continues when another has created the table at the same time (%s)",
    async (code) => {
      const pool = new pg.Pool({ connectionString: cluster.url, max: 1 });
      const query = pool.query.bind(pool) as (...words: unknown[]) => Promise<unknown>;
      let refusals = 0;
      // PostgreSQL answers so in about one of ten such races.
      pool.query = (async (...words: unknown[]) => {
        const isCreation = JSON.stringify(words).includes("CREATE TABLE");
        if (isCreation && refusals++ === 0) throw Object.assign(new Error("already exists"), { code });
        return query(...words);
      }) as typeof pool.query;
      const { assay, log } = await start({ pool });
      expect(await signIn({ assay })).toEqual([401, 3]);
      expect([refusals, log]).toEqual([2, []]);
    },
  );

  test("an invalid schema is refused", () => {
    const pool = { query: async () => {} };
    expect(() => createAssay({ rateLimitStore: { kind: "postgres", pool, schema: 'a"b' } })).toThrow(
      "rateLimitStore.schema must have 1 to 40 characters of a-z, 0-9 and _",
    );
  });

  test.each(["crashed", "frozen"])("while PostgreSQL is %s each server counts alone and says so once", async (how) => {
    const [one, two] = [await start(), await start()];
    expect(await signIn(one)).toEqual([401, 3]);
    if (how === "crashed") cluster.crash();
    else cluster.freeze();
    try {
      for (const node of [one, two]) {
        expect([await signIn(node), await signIn(node)]).toEqual([
          [401, 3],
          [401, 2],
        ]);
      }
      const lost = ["Rate limits cannot be shared; this server counts alone"];
      expect([one.log, two.log]).toEqual([lost, lost]);
    } finally {
      if (how === "crashed") cluster.start();
      else cluster.thaw();
    }
    const again = "Rate limits are shared again";
    for (const node of [one, two]) {
      await expect
        .poll(async () => {
          await signIn(node, `poll ${Math.random()}`);
          return node.log;
        })
        .toContain(again);
      expect(node.log).toHaveLength(2);
    }
    expect((await signIn(one, "after"))[1]).toBe(3);
    expect((await signIn(two, "after"))[1]).toBe(2);
  });
});
