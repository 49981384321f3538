import { type Assay, createAssay } from "@assay/server";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { IS_INSTALLED, type Server, startServer } from "./server.fixture.ts";

describe.skipIf(!IS_INSTALLED)("rate limits in Redis", { timeout: 120_000 }, () => {
  let server: Server;
  let closings: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.remove());
  afterEach(async () => {
    await Promise.all(closings.map((close) => close()));
    closings = [];
    await server.execute("FLUSHALL");
  });

  /** Starts a server, with the messages of its log about rate limits. */
  async function start(options: { namespace?: string } = {}) {
    const client = new Redis(server.url, { enableOfflineQueue: false, retryStrategy: () => 50 }).on("error", () => {});
    const log: string[] = [];
    const note = (message: string) => void (message.includes("ate limits") && log.push(message));
    const assay = createAssay({
      rateLimit: { auth: 4 },
      rateLimitStore: { kind: "redis", client },
      namespace: options.namespace ?? "",
      passwordCost: 16,
      logger: { info: note, warn: note, error: note },
    });
    closings.push(async () => {
      await assay.close();
      client.disconnect();
    });
    await assay.ready;
    if (client.status !== "ready") await new Promise((resolve) => client.once("ready", resolve));
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

  test("the database contains no names and no addresses, and forgets the counts", async () => {
    await signIn(await start(), "ada@example.org");
    const keys = (await server.execute("KEYS", "*")) as string[];
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key).toMatch(/^assay-limits:default:[\w-]{43}$/);
      expect(await server.execute("TTL", key)).toBeGreaterThan(0);
    }
  });

  test.each(["crashed", "frozen"])("while Redis is %s each server counts alone and says so once", async (how) => {
    const [one, two] = [await start(), await start()];
    expect(await signIn(one)).toEqual([401, 3]);
    if (how === "crashed") await server.crash();
    else server.freeze();
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
      if (how === "crashed") await server.start();
      else server.thaw();
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
