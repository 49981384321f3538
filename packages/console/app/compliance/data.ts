import { save, saveJson } from "../parts/save.ts";
import { api } from "../session.ts";

/** Saves all data of a person as one file, part by part. Resolves with how many events and assignments it has. */
export async function exportPerson(user_id: string): Promise<{ events: number; assignments: number }> {
  const events: unknown[] = [];
  const assignments: unknown[] = [];
  const aliases = new Set<string>();
  let after: string | undefined;
  do {
    const part = await api.request("GET /tracking/users/{user_id}", { params: { user_id }, query: { after } });
    events.push(...part.events);
    assignments.push(...part.assignments);
    for (const alias of part.aliases) aliases.add(alias);
    after = part.next ?? undefined;
  } while (after !== undefined);
  saveJson(`person-${toFileName(user_id)}.json`, { user_id, aliases: [...aliases], assignments, events });
  return { events: events.length, assignments: assignments.length };
}

const toFileName = (id: string) => id.replace(/[^\w.-]+/g, "_").slice(0, 100);

/** A file that was saved, with the signature of its bytes. */
export interface SignedFile {
  name: string;
  signature: string;
}

export interface TrailFilter {
  format: "json" | "csv";
  /** A day such as `2026-03-01`, or empty. */
  from: string;
  to: string;
}

/** Saves the sealed trail in signed parts of at most 10 MB. */
export async function exportTrail({ format, from, to }: TrailFilter): Promise<SignedFile[]> {
  const filter = {
    format,
    ...(from ? { start_date: `${from}T00:00:00.000Z` } : {}),
    ...(to ? { end_date: `${to}T23:59:59.999Z` } : {}),
  };
  const files: SignedFile[] = [];
  let position: { after?: number; through?: number } | undefined = {};
  while (position) {
    const { data, headers } = await api.raw("GET /compliance/export", { query: { ...filter, ...position } });
    const file = { name: `audit-trail-${files.length + 1}.${format}`, signature: signatureOf(headers) };
    if (format === "json") saveJson(file.name, data);
    else save(file.name, new Blob([String(data)], { type: "text/csv;charset=utf-8" }));
    files.push(file);
    position = nextOf(headers);
  }
  return files;
}

export const signatureOf = (headers: Headers) => headers.get("x-audit-signature") ?? "";

/** Where the next part begins, from the `Link` header. */
function nextOf(headers: Headers): { after: number; through: number } | undefined {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(headers.get("link") ?? "") ?? [];
  if (!address) return undefined;
  const { searchParams } = new URL(address, location.href);
  return { after: Number(searchParams.get("after")), through: Number(searchParams.get("through")) };
}
