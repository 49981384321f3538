import type { HostileServer } from "./server.fixture.ts";
import { type HostileCase, many, succeed, type World } from "./world.fixture.ts";

/** Creates segments of 8 MB in total. */
export async function addSegments(server: HostileServer, { admin }: World): Promise<void> {
  for (const segment of many(11, String)) {
    const user_ids = many(10_000, (index) => `${segment}-${index}-${"u".repeat(60)}`);
    await succeed(server, {
      method: "POST",
      path: "/segments",
      body: { name: `Segment ${segment}`, user_ids },
      headers: admin,
    });
  }
}

/** Creates a batch of this many calls, each of which asks for 8 MB. */
export const toBatch =
  (calls: number) =>
  ({ viewer }: World) => ({
    method: "POST",
    path: "/mcp",
    headers: { ...viewer, accept: "application/json, text/event-stream" },
    body: many(calls, (id) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "segments_list", arguments: { limit: 500 } },
    })),
  });

/** Batches of calls that each ask for 8 MB. */
export const BATCHES: HostileCase[] = [{ name: "20 large answers", status: 200, sent: toBatch(20) }];
