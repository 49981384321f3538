import { createHash } from "node:crypto";
import { MAX_EVENTS, TrackingEvent, toTimestamp, type ValidationIssue } from "@assay/contract";
import { createEventId } from "@assay/sdk/internal";
import { Refusal } from "./ground/refusal.ts";

/** The valid events of a request, with an id and a time each, and the errors of the others. */
export interface Intake {
  events: (TrackingEvent & { event_id: string; timestamp: string })[];
  errors: (ValidationIssue & { index: number })[];
}

export interface Receipt {
  /** Milliseconds since 1970. */
  at: number;
  /**
   * Identifies the request among all of its key, if it has an `Idempotency-Key`: its events then have the same ids when
   * it is repeated.
   */
  repeatable: string | null;
}

/**
 * Reads the three forms of a body of `POST /tracking/events`: an event, a list, or an object with `events` and `sent_at`.
 * @throws Refusal 422 if no event is valid
 */
export function readEvents(body: unknown, receipt: Receipt): Intake {
  const { events, offset, loc } = openEnvelope(body, receipt.at);
  const intake: Intake = { events: [], errors: [] };
  for (const [index, value] of events.entries()) {
    const place = loc.length === 0 ? ["body"] : [...loc, index];
    const parsed = TrackingEvent.safeParse(value);
    if (parsed.success) intake.events.push(complete(parsed.data, index, offset, receipt));
    else for (const issue of toIssues(parsed.error, place)) intake.errors.push({ ...issue, index });
  }
  if (intake.events.length > 0) return intake;
  throw new Refusal(
    422,
    intake.errors.map(({ index, ...issue }) => issue),
  );
}

/** Reads one event. @throws Refusal 422 */
export function readEvent(body: unknown, receipt: Receipt): Intake["events"][number] {
  const parsed = TrackingEvent.safeParse(body);
  if (!parsed.success) throw new Refusal(422, toIssues(parsed.error, ["body"]));
  return complete(parsed.data, 0, 0, receipt);
}

type Schema = { issues: readonly { path: PropertyKey[]; message: string; code?: string; input?: unknown }[] };

/** Converts the errors of a schema to those of the API. */
export function toIssues({ issues }: Schema, prefix: (string | number)[]): ValidationIssue[] {
  return issues.slice(0, 100).map(({ path, message, code = "invalid" }) => ({
    loc: [...prefix, ...path.map((part) => (typeof part === "number" ? part : String(part)))],
    msg: message,
    type: code,
  }));
}

/** The upstream gets an event later, perhaps twice: it needs the time and an id. */
function complete(event: TrackingEvent, index: number, offset: number, { at, repeatable }: Receipt) {
  const time = event.timestamp == null ? at : Date.parse(event.timestamp) + offset;
  const id = repeatable === null ? createEventId(at) : hashOf(`${repeatable} ${index}`);
  return { ...event, event_id: event.event_id ?? id, timestamp: new Date(time).toISOString() };
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");

interface Envelope {
  events: unknown[];
  /** Milliseconds to add to the times of events, because the clock of the sender is slow. */
  offset: number;
  loc: (string | number)[];
}

function openEnvelope(body: unknown, at: number): Envelope {
  if (Array.isArray(body)) return { events: counted(body, ["body"]), offset: 0, loc: ["body"] };
  if (typeof body !== "object" || body === null) throw refuse(["body"], "Expected an event or events", "invalid_type");
  if (!("events" in body)) return { events: [body], offset: 0, loc: [] };
  if (!Array.isArray(body.events)) throw refuse(["body", "events"], "Expected an array", "invalid_type");
  const sentAt = "sent_at" in body && body.sent_at != null ? toTimestamp(String(body.sent_at)) : undefined;
  if (sentAt === null) throw refuse(["body", "sent_at"], "Expected an ISO 8601 date or date-time", "datetime");
  const offset = sentAt === undefined ? 0 : at - Date.parse(sentAt);
  return { events: counted(body.events, ["body", "events"]), offset, loc: ["body", "events"] };
}

function counted(events: unknown[], loc: string[]): unknown[] {
  if (events.length === 0) throw refuse(loc, "Expected at least one event", "too_small");
  if (events.length > MAX_EVENTS) throw refuse(loc, `Expected at most ${MAX_EVENTS} events`, "too_big");
  return events;
}

function refuse(loc: (string | number)[], msg: string, type: string): Refusal {
  return new Refusal(422, [{ loc, msg, type }]);
}
