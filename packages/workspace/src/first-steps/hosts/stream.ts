import { equal, ok } from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { signIn } from "./requests.ts";

/** Milliseconds for an event to arrive. */
const ARRIVAL_MS = 60_000;

/** Opens the stream of changes as a provider does. Node's `fetch` accepts compressed responses. */
export async function openStream(base: string, apiKey: string) {
  const response = await fetch(`${base}/api/v1/openfeature/stream`, { headers: { "x-api-key": apiKey } });
  equal(response.status, 200);
  ok(response.headers.get("content-type")?.startsWith("text/event-stream"));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";

  async function readUntil(expected: string): Promise<void> {
    for (const last = Date.now() + ARRIVAL_MS; !text.includes(expected); ) {
      const waiting = new AbortController();
      const late = pause(last - Date.now(), undefined, { signal: waiting.signal }).catch(() => undefined);
      const read = await Promise.race([reader.read(), late]);
      waiting.abort();
      if (!read || read.done) throw new Error(`Expected ${expected} in the stream, which sent:\n${text}`);
      text += read.value;
    }
  }

  return {
    /** Changes a flag and waits for the event. The stream stays open. */
    async expectChange(password: string): Promise<void> {
      await readUntil("retry:");
      const headers = { ...(await signIn(base, password)), "content-type": "application/json" };
      const body = JSON.stringify({ rollout_percentage: 60 });
      const changed = await fetch(`${base}/api/v1/feature-flags/new-checkout`, { method: "PUT", headers, body });
      equal(changed.status, 200);
      await readUntil('"flags":["new-checkout"]');
    },
  };
}
