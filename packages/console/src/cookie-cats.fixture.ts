import { readFileSync } from "node:fs";
import { createClient } from "@assay/client";
import type { TestConsole } from "./console.fixture.ts";

const FILE = new URL("../../../examples/cookie-cats/cookie_cats.csv", import.meta.url);
const DAY_MS = 86_400_000;
const BATCH = 1_000;

/** A clock that a test moves; hand its `now` to the server. */
export function createClock(start: number) {
  let now = start;
  return {
    now: () => now,
    set(time: number) {
      now = time;
    },
  };
}

/** Creates the real experiment of the game Cookie Cats as a draft. */
export async function designCookieCats({ admin }: TestConsole, more: object = {}): Promise<void> {
  const body = {
    key: "gate-level-40",
    name: "First gate at level 40",
    hypothesis: "A later first gate keeps more players for a week.",
    variants: [{ key: "gate_30", is_control: true }, { key: "gate_40" }],
    metrics: [
      { name: "retention_7", event_type: "retention_7", role: "PRIMARY" },
      { name: "retention_1", event_type: "retention_1", role: "SECONDARY" },
      { name: "game_rounds", event_type: "rounds", kind: "MEAN", role: "GUARDRAIL" },
    ],
    ...more,
  };
  await admin.request("POST /experiments/", { body: body as never });
}

/** Starts the experiment and sends one in `every` of its 90,189 players, spread over the days until now. */
export async function playCookieCats(
  server: TestConsole,
  clock: ReturnType<typeof createClock>,
  { days, every }: { days: number; every: number },
): Promise<void> {
  const { admin, url } = server;
  await admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: "gate-level-40" } });
  const { key } = await admin.request("POST /api-keys", { body: { name: "game", scopes: ["read", "write"] } });
  await sendCookieCats({ url, apiKey: key! }, clock, { days, every });
}

/** Sends the events of one in `every` of the players, as the server of the game does. */
export async function sendCookieCats(
  { url, apiKey }: { url: string; apiKey: string },
  clock: ReturnType<typeof createClock>,
  { days, every }: { days: number; every: number },
): Promise<void> {
  const game = createClient({ baseUrl: url, apiKey });
  const lines = readFileSync(FILE, "utf8").trim().split(/\r?\n/).slice(1);
  const players = lines.filter((_, index) => index % every === 0);
  const start = clock.now();
  for (let day = 0; day < days; day++) {
    clock.set(start + day * DAY_MS + 1);
    const some = players.slice((players.length * day) / days, (players.length * (day + 1)) / days);
    const events = some.flatMap(toEvents);
    for (let from = 0; from < events.length; from += BATCH) {
      await game.request("POST /tracking/events", { body: { events: events.slice(from, from + BATCH) } as never });
    }
  }
}

function toEvents(line: string): object[] {
  const [user_id, variant_id, rounds, day1, day7] = line.split(",");
  return [
    {
      event_type: "exposure",
      user_id,
      experiment_id: "gate-level-40",
      variant_id,
      // The data has no attributes; the last digit of the id is one that changes nothing.
      event_metadata: { digit: user_id!.slice(-1) },
    },
    { event_type: "rounds", user_id, value: Number(rounds) },
    ...(day1 === "TRUE" ? [{ event_type: "retention_1", user_id }] : []),
    ...(day7 === "TRUE" ? [{ event_type: "retention_7", user_id }] : []),
  ];
}
