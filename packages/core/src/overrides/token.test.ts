import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOverrideReader, OverrideError, type Overrides, signOverrides } from "./token.ts";

const secret = "a secret of tests only";
const NOON = Date.parse("2026-03-01T12:00:00Z");
const overrides: Overrides = {
  flags: { "new-checkout": true },
  variants: { theme: "dark" },
  experiments: { trial: "b" },
};

const sign = (options: Partial<Parameters<typeof signOverrides>[1]> = {}) =>
  signOverrides(overrides, { secret, now: () => NOON, ...options });
const read = (headers: Record<string, string>, now = NOON) =>
  createOverrideReader({ secret }, () => now).read({ headers: new Headers(headers) });

describe("a token", () => {
  test("is read from the header and from the cookie, among other values", async () => {
    const token = await sign();
    expect(await read({ "X-Assay-Override": ` ${token} ` })).toEqual(overrides);
    expect(await read({ cookie: `a=b; assay_override=${token}; c` })).toEqual(overrides);
    expect(await read({ cookie: "assay_overrides=x" })).toBeNull();
    expect(await read({})).toBeNull();
  });

  test("is its payload and the HMAC-SHA256 of the payload, so other languages can create it", async () => {
    const payload = Buffer.from(JSON.stringify({ flags: { a: 1 }, expires: NOON / 1_000 + 60 })).toString("base64url");
    const signature = createHmac("sha256", secret).update(payload).digest("base64url");
    expect(await read({ "x-assay-override": `${payload}.${signature}` })).toEqual({ flags: { a: 1 } });
  });

  test("is valid until it expires", async () => {
    const token = await sign({ expiresInSeconds: 60 });
    expect(await read({ "x-assay-override": token }, NOON + 59_999)).toEqual(overrides);
    await expect(read({ "x-assay-override": token }, NOON + 60_000)).rejects.toThrow("The override token has expired");
    expect(await read({ cookie: `assay_override=${token}` }, NOON + 60_000)).toBeNull();
  });

  test("of another secret or with a changed character is rejected in the header and ignored in the cookie", async () => {
    const token = await sign();
    const other = await sign({ secret: "another secret of tests" });
    await expect(read({ "x-assay-override": other })).rejects.toThrow(OverrideError);
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 2), fc.constantFrom("A", "b", "7", ".", "%"), async (at, sign) => {
        fc.pre(token[at] !== sign);
        const changed = token.slice(0, at) + sign + token.slice(at + 1);
        await expect(read({ "x-assay-override": changed })).rejects.toThrow(OverrideError);
        expect(await read({ cookie: `assay_override=${changed}` })).toBeNull();
      }),
    );
  });

  test.each(["", ".", "a.b.c", "é", "null.null", "x".repeat(100_000)])("like %j is rejected", async (token) => {
    await expect(read({ "x-assay-override": encodeURI(token) })).rejects.toThrow(OverrideError);
  });

  test("needs a secret of a minimum length, and must fit into a header", async () => {
    await expect(sign({ secret: "short" })).rejects.toThrow("16 characters");
    expect(() => createOverrideReader({ secret: "" })).toThrow(OverrideError);
    await expect(signOverrides({ flags: { a: "x".repeat(5_000) } }, { secret })).rejects.toThrow("4096 characters");
  });
});

test("is ignored without a secret", async () => {
  const headers = new Headers({ "x-assay-override": "rubbish", cookie: `assay_override=${await sign()}` });
  expect(await createOverrideReader(undefined).read({ headers })).toBeNull();
});
