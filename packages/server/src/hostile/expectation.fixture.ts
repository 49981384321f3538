import { expect } from "vitest";
import type { HostileServer, Measured } from "./server.fixture.ts";
import type { HostileCase, World } from "./world.fixture.ts";

/**
 * The maximum time that a request may block. Tests allow ten times as much, because their machines may be busy;
 * `pnpm torture` runs them alone.
 */
export const MAX_BLOCKED_MS = process.env.TORTURE ? 100 : 1_000;

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
