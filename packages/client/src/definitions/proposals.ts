import type { Client } from "../client.ts";
import type { ProposalSummary } from "../openapi.generated.ts";
import { ifAllowed } from "./allowed.ts";
import type { Proposed } from "./comparison.ts";
import { isSame } from "./equality.ts";
import { readPages } from "./pages.ts";
import type { Write } from "./write.ts";

export type Propose = (write: Write) => Promise<Proposed>;

const PAGE = 500;

/** Returns a function that proposes changes, each of them once however often it is asked. */
export async function createPropose(client: Client, reason: string): Promise<Propose> {
  const listed = readPages(PAGE, async (page) => {
    return (await client.request("GET /proposals", { query: { status: "OPEN", ...page } })).items;
  });
  // API keys, and a VIEWER with a right to changes, propose but may not read proposals.
  const open = ((await ifAllowed(listed)) ?? []).filter(({ is_stale }) => !is_stale);

  async function findSame(write: Write): Promise<string | undefined> {
    const wish = asStored(write);
    for (const { id } of open.filter((one) => isAbout(one, write))) {
      const there = await client.request("GET /proposals/{id}", { params: { id } });
      if (isSame(asStored(there), wish)) return id;
    }
    return undefined;
  }

  return async (write) => {
    const same = await findSame(write);
    if (same !== undefined) return { id: same, is_new: false };
    const { headers = {}, ...wish } = write;
    const { id } = await client.request("POST /proposals", { body: { ...wish, reason }, headers });
    return { id, is_new: true };
  };
}

/** Whether a proposal may be the same as a change, by what its summary says. */
function isAbout(one: ProposalSummary, { route, params = {}, body = {} }: Write): boolean {
  const [id] = Object.values(params);
  if (one.route !== route) return false;
  return id === undefined ? [body.key, body.name].includes(one.resource_name) : one.resource_id === id;
}

/** Returns what a proposal does, as JSON, without the reason of a flag's change: it says why, not what. */
function asStored({ params, body }: { params?: unknown; body?: unknown }): unknown {
  const { reason: _, ...fields } = (body ?? {}) as Record<string, unknown>;
  return JSON.parse(JSON.stringify({ params: params ?? {}, fields }));
}
