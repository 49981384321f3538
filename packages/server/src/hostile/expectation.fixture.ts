import { expect } from "vitest";
import type { HostileServer, Measured } from "./server.fixture.ts";
import type { HostileCase, World } from "./world.fixture.ts";

/**
 * Ten times the time that a request may block, because test machines may be busy. `bench:blocking` measures the time.
 */
export const MAX_BLOCKED_MS = 1_000;

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
