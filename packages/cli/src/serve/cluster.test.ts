import { describe, expect, test } from "vitest";
import { createCluster } from "./cluster.ts";

/** What a cluster is connected with. */
function connectionOf(address: string) {
  const cluster = createCluster(address, { lazyConnect: true, redisOptions: { connectTimeout: 7 } });
  const [node] = (cluster as unknown as { startupNodes: object[] }).startupNodes;
  return { node, options: cluster.options.redisOptions };
}

describe("the client of a cluster has", () => {
  test("the host and port of the address, and credentials that are decoded", () => {
    const { node, options } = connectionOf("redis://us%40er:p%2Fss@redis.example.org:7001");
    expect(node).toEqual({ host: "redis.example.org", port: 7001 });
    expect(options).toEqual({ connectTimeout: 7, username: "us@er", password: "p/ss" });
  });

  test("the port of Redis and no credentials, without others in the address", () => {
    const { node, options } = connectionOf("redis://redis.example.org");
    expect(node).toEqual({ host: "redis.example.org", port: 6379 });
    expect(options).toEqual({ connectTimeout: 7 });
  });

  test("a password without a user, TLS, and an address of IPv6", () => {
    const { node, options } = connectionOf("rediss://:secret@[::1]:7002");
    expect(node).toEqual({ host: "::1", port: 7002 });
    expect(options).toEqual({ connectTimeout: 7, password: "secret", tls: {} });
  });
});
