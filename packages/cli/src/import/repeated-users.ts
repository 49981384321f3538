import { hash } from "node:crypto";
import type { TrackingEvent } from "@assay/client";
import { RowError } from "./event.ts";

/** Digits of a signature that fit into a number exactly. */
const SIGNATURE_DIGITS = 12;

/**
 * Creates a check that rows of the same user agree. The events of a user have the same ids in each of their rows, so only
 * one row would count. It keeps the id, a row number and a signature of each user.
 * @throws {RowError} from the check, for a row that differs from an earlier one of its user
 */
export function createUserCheck(): (row: number, events: readonly TrackingEvent[]) => void {
  const places = new Map<string, number>();
  const rows: number[] = [];
  const signatures: number[] = [];
  return (row, events) => {
    const { user_id } = events[0]!;
    const signature = signatureOf(events);
    const place = places.get(user_id);
    if (place === undefined) {
      places.set(user_id, rows.length);
      rows.push(row);
      signatures.push(signature);
    } else if (signatures[place] !== signature) {
      throw new RowError(
        `user "${user_id}" has another arm or other values in row ${rows[place]}; a user needs one row`,
      );
    }
  };
}

function signatureOf(events: readonly TrackingEvent[]): number {
  const values = events.map(({ event_type, variant_id, value }) => [event_type, variant_id, value]);
  const digest = hash("sha256", JSON.stringify(values));
  return Number.parseInt(digest.slice(0, SIGNATURE_DIGITS), 16);
}
