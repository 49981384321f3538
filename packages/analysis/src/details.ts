import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { JsonValue } from "@assay/core";

/** The metadata of one event, by the position of its record and its place among that record's rows. */
export type DetailRow = [position: number, index: number, metadata: Record<string, JsonValue>];

/**
 * Encodes the fields of a chunk's events that are not in columns. They are stored separately, because analysis does not
 * read them.
 */
export function encodeDetails(rows: readonly DetailRow[]): Uint8Array {
  return new Uint8Array(deflateRawSync(JSON.stringify(rows)));
}

/** Decodes {@link encodeDetails}. */
export function decodeDetails(bytes: Uint8Array): DetailRow[] {
  return JSON.parse(inflateRawSync(bytes).toString("utf8")) as DetailRow[];
}
