import { toProgram } from "@assay/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toDefinitions, toExperiment } from "./definitions.fixture.ts";
import { createFlagHandler, createSplitUrlHandler } from "./index.ts";

/** Typical attacks, mixed with arbitrary text. */
const hostile = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme" }) },
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.constantFrom(
          ...[
            "//",
            "\\",
            "/",
            "..",
            "%2e",
            "%2f%2f",
            "%5c",
            "@",
            ":",
            "?",
            "#",
            "&",
            "=",
            ";",
            "%",
            "%0d%0a",
            "\r\n",
            "\t",
          ],
          ...[
            "evil.example",
            "http:",
            "https://",
            "javascript:",
            "a",
            "b",
            "v=1",
            "exp_e",
            "url_2",
            "\0",
            "é",
            "\ud800",
          ],
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join("")),
  },
);

/** Headers can only hold bytes. */
const bytes = hostile.map((text) => text.replace(/[^\x20-\x7e\x80-\xff\t]/gu, "?"));

const ARMS = [
  ["/a", "/b"],
  ["/", "/b?v=1"],
  ["/a", "/a/b", "/"],
  ["https://one.example", "https://two.example/x?v=1#y", "/b"],
];
const ORIGINS = ["https://shop.example", "https://one.example", "https://two.example"];

const cases = fc.record({
  path: hostile,
  query: hostile,
  cookie: bytes,
  user: bytes,
  arms: fc.constantFrom(...ARMS),
  options: fc.record({
    path: fc.constantFrom("replace", "append"),
    query: fc.constantFrom("keep", "drop"),
    ineligible: fc.constantFrom("control", "pass"),
    userId: fc.constantFrom({ header: "x-user" }, { cookie: "a" }, undefined),
  }),
  chosen: fc.constantFrom("", "exp_e=url_1; ", "exp_e=url_2; ", "exp_e=url_3; "),
});

function toRequest(url: string, cookie: string, user: string): Request | undefined {
  // Some paths change the host of the request itself, or remove it: no runtime passes these for this host.
  if (!URL.canParse(url) || new URL(url).origin !== "https://shop.example") return undefined;
  return new Request(url, { headers: { cookie, "x-user": user, "x-forwarded-host": "evil.example" } });
}

test("the split-URL handler redirects to the origin of an arm, throws no error and causes no redirect loop, for any request", async () => {
  let redirects = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ path, query, cookie, user, arms, options, chosen }) => {
      const request = toRequest(`https://shop.example/${path}?${query}`, chosen + cookie, user);
      if (!request) return;
      const program = toProgram(toDefinitions({ experiments: [toExperiment("e", arms)] }));
      const errors: unknown[] = [];
      const split = createSplitUrlHandler({
        program,
        routes: { "/*": "e" },
        onError: (error) => errors.push(error),
        ...(options as object),
      });
      const response = await split(request);
      expect(errors).toEqual([]);
      if (!response) return;
      redirects++;
      expect(response.status).toBe(302);
      const location = response.headers.get("location")!;
      const target = new URL(location, request.url);
      const arm = arms.find((url) => new URL(url, request.url).origin === target.origin);
      expect(ORIGINS).toContain(target.origin);
      expect(arm, location).toBeDefined();
      expect(target.username + target.password).toBe("");
      expect(location).toMatch(/^[!-~]+$/);
      for (const line of response.headers.getSetCookie()) {
        expect(line).toMatch(/^(exp_e|assay_id)=[\w-]+; Path=\/; Max-Age=31536000; Secure; HttpOnly; SameSite=Lax$/);
      }

      // Following the redirect with its cookies ends there.
      const set = response.headers.getSetCookie().map((line) => `${line.split(";")[0]}; `);
      const next = new Request(target, { headers: { cookie: set.join("") + chosen + cookie, "x-user": user } });
      expect((await split(next))?.headers.get("location")).toBeUndefined();
    }),
    { numRuns: 3_000 },
  );
  expect(redirects).toBeGreaterThan(500);
});

test("the split-URL handler throws no error and redirects to http and https only, for any definition", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, hostile, async (key, variant, url, path) => {
      const request = toRequest(`https://shop.example/${path}`, "", "ada");
      if (!request) return;
      const variants = [{ key: variant, weight: 1, url }];
      const program = toProgram(toDefinitions({ experiments: [{ ...toExperiment("", []), key, variants }] }));
      const split = createSplitUrlHandler({ program, routes: () => key, userId: { header: "x-user" } });
      const response = await split(request);
      if (!response) return;
      const location = response.headers.get("location")!;
      expect(["http:", "https:"]).toContain(new URL(location, request.url).protocol);
      if (url.startsWith("/")) expect(new URL(location, request.url).origin).toBe("https://shop.example");
      expect(response.headers.getSetCookie()).toHaveLength(1);
    }),
    { numRuns: 2_000 },
  );
});

test("the flag handler throws no error for any body, path and header", async () => {
  const flags = [{ key: "f", enabled: true, rollout_percentage: 50, variants: [], rules: [] }];
  const handler = createFlagHandler({ program: toProgram(toDefinitions({ flags })), flags: "all" });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        hostile,
        fc.json(),
        fc.json().map((json) => `{"context":${json}}`),
      ),
      hostile,
      bytes,
      async (body, key, header) => {
        const url = `https://shop.example/ofrep/v1/evaluate/flags/${key}`;
        if (!URL.canParse(url)) return;
        const headers = { cookie: header, "if-none-match": header };
        const response = await handler(new Request(url, { method: "POST", body, headers }));
        expect([undefined, 200, 304, 400, 404]).toContain(response?.status);
      },
    ),
    { numRuns: 1_000 },
  );
});
