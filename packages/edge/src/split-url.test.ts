import { createEngine, type Definitions, toProgram } from "@assay/core";
import { describe, expect, test, vi } from "vitest";
import { ask, cookiesOf, toDefinitions, toExperiment } from "./definitions.fixture.ts";
import { createSplitUrlHandler, OptionError, type SplitUrlBehaviour } from "./index.ts";

const header = { header: "x-user" } as const;
const TWO = toExperiment("landing", ["/", "https://new.example/start"]);
/** The server's answers, which the handlers have to match. */
const engineOf = (...experiments: Definitions["experiments"]) => createEngine(toDefinitions({ experiments }));
const programOf = (...experiments: Definitions["experiments"]) => toProgram(toDefinitions({ experiments }));

function split(options: Partial<SplitUrlBehaviour> = {}, ...experiments: Definitions["experiments"]) {
  const program = programOf(...(experiments.length > 0 ? experiments : [TWO]));
  return createSplitUrlHandler({ program, routes: { "/": "landing" }, userId: header, ...options });
}

/** A user whom the hash assigns to the second arm. */
const mover = Array.from({ length: 50 }, (_, index) => `user-${index}`).find(
  (userId) => engineOf(TWO).assign("landing", userId)?.variant_key === "url_2",
)!;
const stayer = Array.from({ length: 50 }, (_, index) => `user-${index}`).find(
  (userId) => engineOf(TWO).assign("landing", userId)?.variant_key === "url_1",
)!;

test("a user of another arm is redirected with a cookie for one year, and the redirect is not cached", async () => {
  const response = await split()(ask("/?utm=1", { "x-user": mover }));
  expect(response?.status).toBe(302);
  expect(Object.fromEntries(response!.headers)).toEqual({
    location: "https://new.example/start?utm=1",
    "cache-control": "no-store",
    vary: "Cookie",
    "set-cookie": "exp_landing=url_2; Path=/; Max-Age=31536000; Secure; HttpOnly; SameSite=Lax",
  });
});

test("a user who is at the URL of the arm passes, and gets the cookie if there is a next handler", async () => {
  const request = ask("/?utm=1", { "x-user": stayer });
  expect(await split()(request)).toBeUndefined();
  const response = await split()(request, () => new Response("the page", { headers: { vary: "Accept" } }));
  expect(await response.text()).toBe("the page");
  expect(response.headers.getSetCookie()).toEqual([
    "exp_landing=url_1; Path=/; Max-Age=31536000; Secure; HttpOnly; SameSite=Lax",
  ]);
  expect(response.headers.get("vary")).toBe("Accept, Cookie");
  expect(response.headers.get("cache-control")).toBe("no-store");
});

describe("the cookie of an experiment", () => {
  test("has priority over the hash and is not set again", async () => {
    const response = await split()(ask("/", { "x-user": stayer, cookie: "a=b; exp_landing=url_2" }));
    expect(response?.headers.get("location")).toBe("https://new.example/start");
    expect(response?.headers.getSetCookie()).toEqual([]);
  });

  test.each(["url_3", "", "URL_2", '"url_2"', "url_2%00", "__proto__", "constructor"])(
    "is ignored if its value is not the key of a variant: %j",
    async (value) => {
      const response = await split()(ask("/", { "x-user": mover, cookie: `exp_landing=${value}` }));
      expect(cookiesOf(response)).toEqual({ exp_landing: "url_2" });
    },
  );

  test("does not affect another experiment", async () => {
    const response = await split()(ask("/", { "x-user": mover, cookie: "exp_landing2=url_1; xexp_landing=url_1" }));
    expect(response?.status).toBe(302);
  });

  test("is not read if the experiment is not sticky", async () => {
    const experiment = { ...TWO, targeting_rules: { sticky_assignment: false } };
    const response = await split({}, experiment)(ask("/", { "x-user": mover, cookie: "exp_landing=url_1" }));
    expect(cookiesOf(response)).toEqual({ exp_landing: "url_2" });
  });

  test("has percent-encoded keys if the keys of the definition are not valid in a header", async () => {
    const variants = [{ key: "a; Domain=x\r\n", weight: 1, url: "/there" }];
    const handler = split({ routes: { "/": "k=é" } }, { ...toExperiment("k=é", []), variants });
    const response = await handler(ask("/", { "x-user": "u" }));
    expect(cookiesOf(response)).toEqual({ "exp_k%3D%C3%A9": "a%3B%20Domain%3Dx%0D%0A" });
    const again = await handler(ask("/", { cookie: "exp_k%3D%C3%A9=a%3B%20Domain%3Dx%0D%0A" }));
    expect([again?.status, cookiesOf(again)]).toEqual([302, {}]);
  });
});

describe("a user", () => {
  test("without an id gets an anonymous id, and the same arm on every request", async () => {
    const handler = split({ userId: undefined });
    for (let round = 0; round < 20; round++) {
      const first = await handler(ask("/"), () => new Response());
      const { assay_id, exp_landing } = cookiesOf(first);
      expect(assay_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(exp_landing).toBe(engineOf(TWO).assign("landing", assay_id!)?.variant_key);
      const second = await handler(ask("/", { cookie: `assay_id=${assay_id}` }), () => new Response());
      expect(cookiesOf(second)).toEqual({ exp_landing });
    }
  });

  test("is identified by a header, a cookie or a function; an invalid user id counts as missing", async () => {
    const experiment = toExperiment("landing", ["/a", "/b"]);
    const userId = "Zoë ✓";
    const { variant_key } = engineOf(experiment).assign("landing", userId)!;
    for (const [source, headers] of [
      [{ cookie: "sid" }, { cookie: `sid=${encodeURIComponent(userId)}` }],
      [async () => userId, {}],
    ] as const) {
      expect(cookiesOf(await split({ userId: source }, experiment)(ask("/", headers)))).toEqual({
        exp_landing: variant_key,
      });
    }
    for (const source of [() => "", () => null, () => "x".repeat(1025), { cookie: "none" }]) {
      expect(Object.keys(cookiesOf(await split({ userId: source }, experiment)(ask("/"))))).toContain("assay_id");
    }
  });

  test("without an id goes to the control without a cookie, with anonymousCookie: false", async () => {
    const handler = split({ anonymousCookie: false }, toExperiment("landing", ["/a", "/b"]));
    const response = await handler(ask("/"));
    expect([response?.headers.get("location"), cookiesOf(response)]).toEqual(["/a", {}]);
  });
});

describe("an ineligible user", () => {
  const targeted = toExperiment("landing", ["/a", "/b"], { targeting_rules: { countries: ["DE"] } });
  const attributes = (request: Request) => ({ country: request.headers.get("x-country") });

  test("goes to the control, without the cookie of the experiment", async () => {
    const handler = split({ attributes }, targeted);
    const response = await handler(ask("/", { "x-user": "u", "x-country": "FR" }));
    expect([response?.headers.get("location"), cookiesOf(response)]).toEqual(["/a", {}]);
    expect(cookiesOf(await handler(ask("/", { "x-user": "u", "x-country": "DE" })))).toHaveProperty("exp_landing");
  });

  test('passes with ineligible: "pass", and keeps the anonymous id', async () => {
    const handler = split({ attributes, ineligible: "pass", userId: undefined }, targeted);
    expect(await handler(ask("/", { "x-country": "FR" }))).toBeUndefined();
    const response = await handler(ask("/", { "x-country": "FR" }), () => new Response());
    expect([response.status, Object.keys(cookiesOf(response))]).toEqual([200, ["assay_id"]]);
  });
});

describe("the split-URL handler", () => {
  test.each(["POST", "PUT", "DELETE", "OPTIONS"])("does not handle %s", async (method) => {
    expect(await split()(ask("/", { "x-user": mover }, { method }))).toBeUndefined();
  });

  test("does not handle other pages, other types of experiment, or experiments that are not running", async () => {
    expect(await split()(ask("/other", { "x-user": mover }))).toBeUndefined();
    for (const parts of [{ experiment_type: "AB_TEST" }, { status: "PAUSED" }, { status: "COMPLETED" }] as const) {
      const handler = split({}, { ...TWO, ...parts });
      expect(await handler(ask("/", { "x-user": mover, cookie: "exp_landing=url_2" }))).toBeUndefined();
    }
    expect(await split({ routes: { "/": "unknown" } })(ask("/", { "x-user": mover }))).toBeUndefined();
  });

  test("returns the response of the next handler unchanged for other pages", async () => {
    const page = new Response("other");
    expect(await split()(ask("/other"), () => page)).toBe(page);
  });

  test("handles HEAD like GET", async () => {
    expect((await split()(ask("/", { "x-user": mover }, { method: "HEAD" })))?.status).toBe(302);
  });
});

test("onAssign is called once for each assigned user, and its error does not change the response", async () => {
  const assignments: unknown[] = [];
  const errors: unknown[] = [];
  const work: Promise<unknown>[] = [];
  const handler = split({
    onAssign: async (assignment) => {
      assignments.push(assignment);
      throw new Error("queue full");
    },
    onError: (error) => errors.push(error),
  });
  const context = { waitUntil: (promise: Promise<unknown>) => work.push(promise) };
  const first = await handler(ask("/", { "x-user": mover }), undefined, context);
  await handler(ask("/", { "x-user": mover, cookie: "exp_landing=url_2" }), undefined, context);
  await Promise.all(work);
  expect(first?.status).toBe(302);
  expect(assignments).toEqual([
    {
      experimentId: "id of landing",
      experimentKey: "landing",
      variantKey: "url_2",
      userId: mover,
      forced: false,
    },
  ]);
  expect(errors).toEqual([new Error("queue full")]);
});

test("an error of a function in the options is passed to onError, and the request passes", async () => {
  const boom = () => {
    throw new Error("boom");
  };
  for (const options of [{ userId: boom }, { attributes: boom }, { routes: boom }]) {
    const onError = vi.fn();
    expect(await split({ ...options, onError })(ask("/"))).toBeUndefined();
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error("boom"));
  }
});

test("createSplitUrlHandler throws OptionError for an option of the wrong type", () => {
  const program = programOf();
  const routes = { "/": "landing" };
  for (const options of [
    { program, routes: {} },
    { program, routes: { landing: "landing" } },
    { program, routes, userId: { header: "no header" } },
    { program, routes, userId: {} },
    { program, routes, anonymousCookie: "a;b" },
    { routes, apiKey: "" },
    { routes, apiKey: "k", waitMs: Number.NaN },
    { routes, apiKey: "k", bootstrap: { flags: {} } },
    { program, routes: { "/landing": 7 } },
    { program, routes, path: "keep" },
    { program, routes, query: "append" },
    { program, routes, ineligible: "passed" },
    { program, routes, attributes: { country: "DE" } },
    { program, routes, onAssign: "track" },
    { program, routes, onError: {} },
    { program, routes, overrides: { secret: "a secret of some length" } },
    { routes, program: undefined },
    { routes, source: {} },
    undefined,
  ]) {
    expect(() => createSplitUrlHandler(options as never)).toThrow(OptionError);
  }
});
