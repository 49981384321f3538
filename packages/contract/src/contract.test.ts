import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Auth, contract, type Route } from "./index.ts";

/**
 * `endpoints.tsv` lists permissions independently of the contract, so that a mistake in one shows against the other.
 */
const expected = readFileSync(new URL("../endpoints.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t") as [string, string, string, string, string])
  .map(([, method, path, who, status]) => ({ key: `${method} ${path}`, who, status: Number(status) }));

function toWho(auth: Auth, client: boolean): string {
  if (typeof auth === "string") return auth;
  const { user, own, orOwner, key } = auth;
  const ways = [
    user && `${user === true ? "user" : `user:${user}`}${own ? " +own" : ""}${orOwner ? " or owner" : ""}`,
    key && `key:${key}${client ? "+client" : ""}`,
  ];
  return ways.filter(Boolean).join(" | ");
}

const routes = Object.entries(contract) as [string, Route][];

describe("every route", () => {
  test.each(routes)("%s is in the list of endpoints, with the same callers and status", (key, route) => {
    const row = expected.find((one) => one.key === key);
    expect(row).toBeDefined();
    expect({ who: toWho(route.auth, route.client === true), status: route.status ?? 200 }).toEqual({
      who: row!.who,
      status: row!.status,
    });
  });

  test.each(routes)("%s has no response body exactly if its status says so", (_key, route) => {
    expect(route.response === undefined).toBe(route.status === 204);
  });

  test.each(routes)("%s has a limit class that fits its callers", (_key, { auth, limit }) => {
    const isAdmin = typeof auth !== "string" && auth.user === "ADMIN";
    if (isAdmin) expect(limit).toBe("admin");
    else expect(["auth", "api", "none"]).toContain(limit);
  });
});
