import { MAX_AHEAD_MS } from "@assay/analysis";
import { MAX_METRIC_VALUE, parseUtc, TrackingEvent, toTimestamp, type ValidationIssue } from "@assay/contract";
import { ApiError, invalid } from "../ground/errors.ts";

const HOUR = 3_600_000;
/** The maximum age of an event at its receipt, in milliseconds. */
export const MAX_BACK_MS = 90 * 24 * HOUR;

/**
 * Validates one event against the contract and the clock. The schema changes nothing in a valid event but its timestamp,
 * so that the value is the event.
 * @param offset milliseconds to add to its timestamp, because the client's clock is slow
 * @returns the time of the event in milliseconds since 1970, or its errors, each `loc` relative to the event
 */
export function checkEvent(value: unknown, receivedAt: number, offset: number): number | ValidationIssue[] {
  // Ingestion is hot: the schema costs five times what JSON.parse does, so plain events are let past it.
  const plain = plainTime(value);
  if (plain !== null) return checkTime(plain, receivedAt, offset);
  const parsed = TrackingEvent.safeParse(value);
  if (parsed.success) return checkTime(timeOf(parsed.data), receivedAt, offset);
  return parsed.error.issues.map((issue) => ({
    loc: issue.path.map((part) => (typeof part === "symbol" ? String(part) : part)),
    msg: issue.message,
    type: issue.code,
  }));
}

/** Whether the schema would accept a value unchanged. False only means that the schema must check it. */
export function isPlainEvent(value: unknown): value is TrackingEvent {
  return plainTime(value) !== null;
}

/** Returns the time of an event that the schema would accept unchanged; undefined without a timestamp, null for others. */
function plainTime(value: unknown): number | undefined | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const event = value as Record<string, unknown>;
  const isPlain =
    isText(event.event_type, 255) &&
    isText(event.user_id, 1024) &&
    isAbsentOrText(event.experiment_id, 255) &&
    isAbsentOrText(event.variant_id, 255) &&
    isAbsentOrText(event.feature_flag_key, 255) &&
    isAbsentOrText(event.event_id, 255) &&
    (event.value == null || (typeof event.value === "number" && Math.abs(event.value) <= MAX_METRIC_VALUE)) &&
    (event.event_metadata == null || isPlainObject(event.event_metadata));
  if (!isPlain) return null;
  if (event.timestamp == null) return undefined;
  return typeof event.timestamp === "string" ? parseUtc(event.timestamp) : null;
}

function timeOf({ timestamp }: TrackingEvent): number | undefined {
  return timestamp == null ? undefined : (parseUtc(timestamp) ?? Date.parse(timestamp));
}

function isText(value: unknown, longest: number): boolean {
  return typeof value === "string" && value.length > 0 && value.length <= longest;
}

function isAbsentOrText(value: unknown, longest: number): boolean {
  return value == null || isText(value, longest);
}

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && !Array.isArray(value);
}

/** @param sentAt the time in the timestamp of an event; undefined without one */
function checkTime(sentAt: number | undefined, receivedAt: number, offset: number): number | ValidationIssue[] {
  if (sentAt === undefined) return receivedAt;
  const time = sentAt + offset;
  if (time > receivedAt + MAX_AHEAD_MS) {
    return [{ loc: ["timestamp"], msg: "The timestamp is more than 1 hour ahead", type: "timestamp_too_late" }];
  }
  if (time < receivedAt - MAX_BACK_MS) {
    return [{ loc: ["timestamp"], msg: "The timestamp is more than 90 days back", type: "timestamp_too_early" }];
  }
  return time;
}

/** The body of `POST /tracking/events`: one event, an array, or an object with `events` and optional `sent_at`. */
export interface Envelope {
  events: unknown[];
  /** The time at which the client sent them by its own clock, in milliseconds since 1970. */
  sentAt: number | null;
  /** Path of the first event's container, for error locations. */
  loc: (string | number)[];
}

/**
 * Reads the three forms of an event batch.
 * @throws ApiError 422 if `events` or `sent_at` is invalid
 */
export function openEnvelope(body: unknown, maximum: number): Envelope {
  if (Array.isArray(body)) return { events: checkCount(body, maximum, ["body"]), sentAt: null, loc: ["body"] };
  if (typeof body !== "object" || body === null) throw invalid(["body"], "Expected an event or events", "invalid_type");
  if (!("events" in body)) return { events: [body], sentAt: null, loc: [] };
  if (!Array.isArray(body.events)) throw invalid(["body", "events"], "Expected an array", "invalid_type");
  const sent = "sent_at" in body ? (body.sent_at ?? null) : null;
  const timestamp = sent === null ? null : toTimestamp(String(sent));
  if (sent !== null && timestamp === null)
    throw invalid(["body", "sent_at"], "Expected an ISO 8601 date or date-time", "datetime");
  const sentAt = timestamp === null ? null : Date.parse(timestamp);
  return { events: checkCount(body.events, maximum, ["body", "events"]), sentAt, loc: ["body", "events"] };
}

function checkCount(events: unknown[], maximum: number, loc: string[]): unknown[] {
  if (events.length === 0) throw invalid(loc, "Expected at least one event", "too_small");
  if (events.length > maximum) throw invalid(loc, `Expected at most ${maximum} events`, "too_big");
  return events;
}

/** Creates the 422 of a request without a valid event. */
export function allRejected(issues: readonly ValidationIssue[]): ApiError {
  return new ApiError(
    422,
    issues.map(({ loc, msg, type }) => ({ loc, msg, type })),
  );
}
