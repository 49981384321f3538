import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Command, freePort, serve, start, stopAll } from "../cli.fixture.ts";

const ROUNDS = process.env.TORTURE ? 20 : process.env.CI === "true" ? 4 : 2;
const SENDERS = 4;
const EVENTS_PER_REQUEST = 5;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-relay-crash-"));
});
afterEach(stopAll);
afterAll(() => rm(directory, { recursive: true, force: true }));

test("kill -9 of relay and upstream under load loses no acknowledged event, and doubles none", async () => {
  const [port, relayPort] = [await freePort(), await freePort()];
  const place = ["--port", String(port), "--data", join(directory, "server")];
  let server = await serve(place);
  const made = await server.admin.request("POST /api-keys", { body: { name: "relay", scopes: ["read", "write"] } });
  const key = made.key!;
  const words = ["relay", "--port", String(relayPort), "--upstream", server.url, "--data", join(directory, "relay")];
  const startRelay = async (): Promise<Command> => {
    const relay = start(words, { ASSAY_API_KEY: key });
    await relay.match(/ready at/);
    return relay;
  };
  let relay = await startRelay();

  const acknowledged = new Set<string>();
  let isLoading = true;
  const url = `http://127.0.0.1:${relayPort}/api/v1/tracking/events`;
  /** Repeats each request with the same ids until it is acknowledged, as the providers do. */
  async function send(sender: number): Promise<void> {
    for (let request = 0; isLoading; request++) {
      // The value tells the events of a person apart, because the server keeps ids only to count events once.
      const ids = Array.from(
        { length: EVENTS_PER_REQUEST },
        (_, index) => `${sender}-${request * EVENTS_PER_REQUEST + index}`,
      );
      const events = ids.map((event_id) => {
        return { event_id, event_type: "seen", user_id: `user-${sender}`, value: Number(event_id.split("-")[1]) };
      });
      const headers = { "x-api-key": key, "content-type": "application/json" };
      for (let isSent = false; !isSent && isLoading; ) {
        const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ events }) }).catch(
          () => null,
        );
        isSent = response?.status === 201;
        if (isSent) for (const id of ids) acknowledged.add(id);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }
  const senders = Array.from({ length: SENDERS }, (_, sender) => send(sender));
  const more = (count: number) => {
    const goal = acknowledged.size + count;
    return expect.poll(() => acknowledged.size).toBeGreaterThan(goal);
  };

  for (let round = 0; round < ROUNDS; round++) {
    await more(100);
    server.child.kill("SIGKILL");
    await server.exit;
    // The relay goes on without its upstream, also after its own death.
    await more(100);
    relay.child.kill("SIGKILL");
    await relay.exit;
    relay = await startRelay();
    await more(100);
    server = await serve(place);
    await more(100);
    relay.child.kill("SIGKILL");
    await relay.exit;
    relay = await startRelay();
  }
  isLoading = false;
  await Promise.all(senders);

  const buffered = async () => (await (await fetch(`http://127.0.0.1:${relayPort}/readyz`)).json()).events.buffered;
  await expect.poll(buffered).toBe(0);
  const stored: string[] = [];
  for (let sender = 0; sender < SENDERS; sender++) {
    for (let after: string | undefined; ; ) {
      const params = { user_id: `user-${sender}` };
      const part = await server.admin.request("GET /tracking/users/{user_id}", { params, query: { after } });
      for (const { value } of part.events) stored.push(`${sender}-${value}`);
      if (part.next === null) break;
      after = part.next;
    }
  }
  expect(new Set(stored).size).toBe(stored.length);
  expect([...acknowledged].filter((id) => !stored.includes(id))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * 400);
}, 600_000);
