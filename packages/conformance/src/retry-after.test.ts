import { type AssayError, createClient } from "@assay/client";
import { ConnectionError } from "@assay/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2033-11-06T08:49:37Z"), toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Returns the number that the client reads from the header of a response. */
async function clientReads(value: string): Promise<number | undefined> {
  const answer = async () => new Response(null, { status: 503, headers: { "retry-after": value } });
  const client = createClient({ fetch: answer, retries: 0 });
  const error: unknown = await client.request("GET /auth/me").catch((reason: unknown) => reason);
  return (error as AssayError).retryAfter;
}

test.each([
  ["1", 1],
  ["300", 300],
  ["301", 301],
  ["0", undefined],
  ["-1", undefined],
  ["soon", undefined],
  ["Sun, 06 Nov 2033 08:49:38 GMT", 1],
  ["Sunday, 06-Nov-33 08:50:37 GMT", 60],
  ["Sun, 06 Nov 2044 08:49:37 GMT", 347_155_200],
  ["Sun, 06 Nov 2033 08:49:37 GMT", undefined],
  ["Sun, 06 Nov 1994 08:49:37 GMT", undefined],
])(
  "client and providers read Retry-After: %s alike; providers wait for five minutes at most",
  async (value, seconds) => {
    expect(await clientReads(value)).toBe(seconds);
    const { retryAfter } = new ConnectionError("", { headers: new Headers({ "retry-after": value }) });
    expect(retryAfter).toBe(seconds && Math.min(300, seconds));
  },
);
