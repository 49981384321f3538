import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { memoryStore } from "@assay/store";
import { expect, test } from "vitest";
import { defineCollections } from "../collections.ts";
import { createAssay } from "../create.ts";
import { createTestServer } from "../testing.fixture.ts";
import { KEY_AREAS } from "./namespace.ts";

test.each(["feature-flags", "events", "users", "format"])("a namespace named %s is refused", (namespace) => {
  expect(() => createAssay({ namespace })).toThrow(
    `The namespace "${namespace}" has the name of a part of Assay's own`,
  );
});

test.each(["production", "feature-flags-1", "flags"])(
  "a namespace named %s is separate from a server without one",
  async (namespace) => {
    const store = { ...memoryStore(), close: async () => {} };
    const root = await createTestServer({ storage: store });
    const inside = await createTestServer({ storage: store, namespace });
    await inside.admin.request("POST /feature-flags/", { body: { key: "f", name: "F" } });
    expect(await root.admin.request("GET /feature-flags/")).toEqual([]);
    await root.assay.close();
    await inside.assay.close();
  },
);

test("the list names every collection, and what a server stores", async () => {
  const names: string[] = [];
  defineCollections({ define: ({ name }: { name: string }) => names.push(name) } as never);
  const store = memoryStore();
  const server = await createTestServer({ storage: { ...store, close: async () => {} } });
  const key = await server.withKey(["read", "write"]);
  const variants = [{ key: "a" }, { key: "b" }];
  await server.admin.request("POST /experiments/", { body: { key: "x", name: "X", status: "ACTIVE", variants } });
  await key.request("POST /tracking/assign", { body: { experiment_key: "x", user_id: "u" } });
  await key.request("POST /tracking/identify", { body: { anonymous_id: "a", user_id: "u" } });
  await server.assay.close();
  for (const { key } of await store.list("", { limit: 10_000 })) names.push(key.split("/")[0]!);
  expect(names.length).toBeGreaterThan(25);
  expect(names.filter((name) => !KEY_AREAS.includes(name))).toEqual([]);
});

test("the list names every first part in the sources", () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/\.(test|fixture|child)\.ts$/.test(file),
  );
  const named =
    /(?:(?:keyOf|prefixOf)\(\s*|const (?:AREA|CHUNKS|DETAILS|LOGS|CANCELS|CLAIMS|KEPT_ANSWERS|ETL_RUNS|\w+_JOURNAL|LEASE) = )"([^"]+)"/g;
  const found = files.flatMap((file) =>
    [...readFileSync(`${folder}/${file}`, "utf8").matchAll(named)].map(([, name]) => name!),
  );
  expect(found.length).toBeGreaterThan(25);
  expect([...new Set(found)].filter((name) => !KEY_AREAS.includes(name))).toEqual([]);
});
