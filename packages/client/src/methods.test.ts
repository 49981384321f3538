import { expect, test } from "vitest";
import { startApi } from "./api.fixture.ts";
import { methods } from "./methods.generated.ts";
import { AssayError, createClient } from "./methods.ts";

test("every operation is a method that sends its route's request", async () => {
  await using api = await startApi((seen) => ({ body: `${seen.method} ${seen.path}` }));
  const client = createClient({ baseUrl: api.url });
  for (const [area, routes] of Object.entries(methods)) {
    for (const [name, route] of Object.entries<string>(routes)) {
      const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
      const params = Object.fromEntries(names.map((parameter) => [parameter, `a-${parameter}`]));
      const method = Reflect.get(Reflect.get(client, area), name) as (options: object) => Promise<string>;
      expect(await method({ params, body: route.startsWith("GET") ? undefined : {} })).toBe(
        route.replace(/\{(\w+)\}/g, "a-$1"),
      );
    }
  }
});

test("a method takes the options of request and rejects with the same errors", async () => {
  await using api = await startApi((_, index) => (index === 0 ? { body: { value: true } } : { status: 404 }));
  const client = createClient({ baseUrl: api.url, apiKey: "k" });
  const options = {
    params: { key: "my-flag" },
    query: { explain: true },
    body: { user_id: "u" },
    headers: { "x-a": "1" },
  };
  expect(await client.featureFlags.evaluate(options)).toEqual({ value: true });
  expect(api.seen[0]).toMatchObject({
    path: "/feature-flags/my-flag/evaluate",
    headers: { "x-a": "1", "x-api-key": "k" },
  });
  await expect(client.featureFlags.evaluate(options)).rejects.toBeInstanceOf(AssayError);
  await expect(client.request("GET /auth/me")).rejects.toMatchObject({ code: "NOT_FOUND" });
});
