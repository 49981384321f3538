import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

/** A line at the end of a description: which product a document comes from, and a hash of its fields as they were made. */
const MARK = /(?:^|\n\n)Migrated from ([^\n]+) \(([0-9a-f]{12})\)$/;

/** A document that carries a mark. */
interface Marked {
  description: string;
}

/** Returns the document with its mark. */
export function withMark<T extends Marked>(body: T, product: string): T {
  const mark = `Migrated from ${product} (${fingerprintOf(body)})`;
  return { ...body, description: body.description === "" ? mark : `${body.description}\n\n${mark}` };
}

/** Returns the document without its mark, and the mark. */
export function splitMark<T extends Marked>(body: T): { body: T; product?: string; fingerprint?: string } {
  const [mark, product, fingerprint] = MARK.exec(body.description) ?? [];
  if (mark === undefined) return { body };
  return {
    body: { ...body, description: body.description.slice(0, -mark.length) },
    product: product!,
    fingerprint: fingerprint!,
  };
}

/** Whether a document still is as it was made. */
export function isUntouched(body: Marked, fingerprint: string | undefined): boolean {
  return fingerprintOf(body) === fingerprint;
}

/** Whether two documents are equal as JSON. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(sorted(left), sorted(right));
}

function fingerprintOf(body: object): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(body)))
    .digest("hex")
    .slice(0, 12);
}

/** Returns JSON whose objects have their fields in order, without absent ones. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    fields.sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, one]) => [key, sorted(one)]),
  );
}
