import { expect } from "vitest";
import type { HostileServer, Measured } from "./server.fixture.ts";
import type { HostileCase, World } from "./world.fixture.ts";

/**
 * The maximum time that a request may block the server. `npm test` asserts no time, because it runs other tests meanwhile.
 * `pnpm test:blocking` and `pnpm torture` run these tests alone, the former on machines that may be busy.
 */
export const MAX_BLOCKED_MS = process.env.TORTURE ? 100 : process.env.ASSAY_TEST_BLOCKING ? 1_000 : Infinity;

const PROBLEM = { loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) };

/** Sends a request. Expects its status, errors in the format of the API, and a server that continues to work. */
export async function expectAnswer(server: HostileServer, world: World, one: HostileCase): Promise<Measured> {
  const answer = await server.measure(one.sent(world));
  expect(answer.status, answer.text.slice(0, 500)).toBe(one.status);
  if (answer.status >= 400) {
    const { detail } = JSON.parse(answer.text);
    if (typeof detail !== "string") expect(detail.slice(0, 3)).toEqual(detail.slice(0, 3).map(() => PROBLEM));
  }
  expect(answer.blocked).toBeLessThan(MAX_BLOCKED_MS);
  const { status } = await server.send({ method: "GET", path: "/users/me", headers: world.viewer });
  expect(status).toBe(200);
  return answer;
}
