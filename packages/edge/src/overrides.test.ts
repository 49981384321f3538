import { toProgram } from "@assay/core";
import { beforeEach, expect, test, vi } from "vitest";
import { ask, toDefinitions, toExperiment, toFlag } from "./definitions.fixture.ts";
import { createFlagHandler, createOverrides, createSplitUrlHandler, signOverrides } from "./index.ts";

const secret = "a secret of tests only";
const program = toProgram(
  toDefinitions({
    flags: [toFlag("checkout", { enabled: false })],
    experiments: [toExperiment("landing", ["/", "https://new.example/start"])],
  }),
);
const onError = vi.fn();
const onAssign = vi.fn();
const overrides = createOverrides({ secret });
const flags = createFlagHandler({ program, flags: "all", overrides, onError });
const split = createSplitUrlHandler({ program, routes: { "/": "landing" }, overrides, onError, onAssign });
let token: string;
beforeEach(async () => {
  token = await signOverrides({ flags: { checkout: true }, experiments: { landing: "url_2" } }, { secret });
  vi.clearAllMocks();
});

const evaluate = async (headers: Record<string, string>) => {
  const body = JSON.stringify({ context: { targetingKey: "ada" } });
  const response = await flags(ask("/ofrep/v1/evaluate/flags/checkout", headers, { method: "POST", body }));
  return { status: response?.status, body: await response?.json() };
};

test("an override token forces a flag, over OFREP and in evaluate()", async () => {
  expect(await evaluate({ "x-assay-override": token })).toMatchObject({
    status: 200,
    body: { value: true, variant: "on", metadata: { forced: true } },
  });
  const request = ask("/", { cookie: `assay_override=${token}` });
  expect(await flags.evaluate(request, "checkout", false)).toMatchObject({ value: true, forced: true });
  expect(await evaluate({})).toMatchObject({ body: { reason: "DISABLED" } });
});

test("an invalid override token is a 400 in the header, is ignored in the cookie, and makes evaluate() return the default", async () => {
  expect(await evaluate({ "x-assay-override": `${token}x` })).toMatchObject({ status: 400 });
  expect(await evaluate({ cookie: `assay_override=${token}x` })).toMatchObject({ body: { reason: "DISABLED" } });
  const request = ask("/", { "x-assay-override": "rubbish" });
  expect(await flags.evaluate(request, "checkout", false)).toMatchObject({ value: false });
});

test("an override token has priority over the cookie of an experiment; the assignment is marked as forced and sets no cookie", async () => {
  const headers = { cookie: `exp_landing=url_1; assay_override=${token}; assay_id=made-up-id` };
  const response = await split(ask("/?utm=1", headers));
  expect(response?.headers.get("location")).toBe("https://new.example/start?utm=1");
  expect(response?.headers.getSetCookie()).toEqual([]);
  expect(onAssign).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ variantKey: "url_2", userId: "made-up-id", forced: true }),
    expect.any(Request),
  );
});

test("the split-URL handler ignores an invalid override token and reports the error", async () => {
  const response = await split(ask("/", { "x-assay-override": "rubbish", cookie: "exp_landing=url_2" }));
  expect(response?.headers.get("location")).toBe("https://new.example/start");
  expect(onError).toHaveBeenCalledOnce();
  expect(onAssign).not.toHaveBeenCalled();
});
