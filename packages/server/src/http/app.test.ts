import fc from "fast-check";
import { H3 } from "h3-v2";
import { describe, expect, test } from "vitest";
import { createApp } from "./app.ts";

/** Mounts routes that answer with their name and parameters. */
function mount(app: H3): H3 {
  for (const [method, path] of [
    ["GET", "/flags"],
    ["POST", "/flags"],
    ["GET", "/flags/:id"],
    ["GET", "/flags/me"],
    ["PUT", "/flags/:id/rules/:rule"],
  ] as const) {
    app.on(method, path, ({ context }) => ({ method, path, params: context.params ?? {} }));
  }
  return app.all("/**", () => "fallback");
}

const ask = async (app: H3, method: string, path: string) =>
  (await app.fetch(new Request(`http://assay.test${path}`, { method }))).text();

describe("an app that remembers routes", () => {
  const app = mount(createApp({}));

  test("answers a remembered path with its own route and parameters", async () => {
    for (const _round of [1, 2]) {
      expect(await ask(app, "GET", "/flags/a")).toContain('"params":{"id":"a"}');
      expect(await ask(app, "GET", "/flags/b")).toContain('"params":{"id":"b"}');
      expect(await ask(app, "GET", "/flags/me")).toContain('"path":"/flags/me"');
    }
  });

  test("tells methods of the same path apart", async () => {
    for (const _round of [1, 2]) {
      expect(await ask(app, "GET", "/flags")).toContain('"method":"GET"');
      expect(await ask(app, "POST", "/flags")).toContain('"method":"POST"');
      expect(await ask(app, "DELETE", "/flags")).toBe("fallback");
    }
  });

  test("finds a route that is mounted after its path was asked for", async () => {
    const later = mount(createApp({}));
    expect(await ask(later, "GET", "/segments")).toBe("fallback");
    later.get("/segments", () => "segments");
    expect(await ask(later, "GET", "/segments")).toBe("segments");
  });

  test("routes like an app without memory, past the paths that it remembers", async () => {
    const plain = mount(new H3());
    for (let number = 0; number <= 1_100; number++) {
      const path = `/flags/${number % 1_050}/rules/${number % 7}`;
      expect(await ask(app, "PUT", path)).toBe(await ask(plain, "PUT", path));
    }
    const segment = fc.constantFrom("flags", "me", "rules", "a", "", "x".repeat(300));
    const path = fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join("/")}`);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("GET", "POST", "PUT"), path, async (method, asked) => {
        const expected = await ask(plain, method, asked);
        expect(await ask(app, method, asked)).toBe(expected);
        expect(await ask(app, method, asked)).toBe(expected);
      }),
    );
  });
});
