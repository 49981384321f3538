import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { JsonValue } from "@assay/core";

/** The metadata of one event, by the position of its record and its place among that record's rows. */
export type DetailRow = [position: number, index: number, metadata: Record<string, JsonValue>];

/** Packs what a segment's events carry beyond the columns; kept apart, because analysis does not read it. */
export function encodeDetails(rows: readonly DetailRow[]): Uint8Array {
  return new Uint8Array(deflateRawSync(JSON.stringify(rows)));
}

/** Undoes {@link encodeDetails}. */
export function decodeDetails(bytes: Uint8Array): DetailRow[] {
  return JSON.parse(inflateRawSync(bytes).toString("utf8")) as DetailRow[];
}
