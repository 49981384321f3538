import { bucket } from "@assay/core";
import type { TestServer } from "../../testing.fixture.ts";

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Generates pseudo-random numbers in [0, 1), the same for a seed every time. */
function createNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Event types and their probabilities per visit, with the flag or without it. */
export type Habits = (hasFlag: boolean) => Record<string, number>;

/**
 * Simulated users who visit on some days, evaluate the flag and send events over HTTP. The server, not the test,
 * decides who has the flag.
 */
export function createCrowd(
  server: TestServer,
  options: { flag: string; users: number; seed: number; habits: Habits },
) {
  const random = createNumbers(options.seed);
  return {
    /** Lets this many users visit now. */
    async visit(visitors: number): Promise<void> {
      const events: { event_type: string; user_id: string }[] = [];
      for (let visit = 0; visit < visitors; visit++) {
        const user_id = `user-${Math.floor(random() * options.users)}`;
        const hasFlag = server.assay.engine.evaluate(options.flag, { targetingKey: user_id }, false).enabled;
        events.push({ event_type: "visit", user_id });
        for (const [event_type, chance] of Object.entries(options.habits(hasFlag))) {
          if (random() < chance) events.push({ event_type, user_id });
        }
      }
      const key = await keyOf(server);
      for (let from = 0; from < events.length; from += 5000) {
        const body = { events: events.slice(from, from + 5000) };
        const { status } = await server.send("POST", "/tracking/events", { body, headers: { "x-api-key": key } });
        if (status !== 201) throw new Error(`The events were answered ${status}`);
      }
    },
  };
}

const keys = new WeakMap<TestServer, Promise<string>>();

function keyOf(server: TestServer): Promise<string> {
  const known = keys.get(server) ?? server.withKey(["write"]).then(({ key }) => key);
  keys.set(server, known);
  return known;
}

/** Returns the id of a user whose bucket for a flag is in [from, to). */
export function someone(flag: string, from: number, to: number): string {
  for (let number = 0; ; number++) {
    const hash = bucket(`someone-${number}`, flag);
    if (hash >= from && hash < to) return `someone-${number}`;
  }
}
