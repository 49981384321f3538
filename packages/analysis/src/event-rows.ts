import type { EventKind } from "./event-kind.ts";
import type { Join } from "./event-record.ts";

/** A kind in JSON. Absent fields are 0, or left out at the end. */
export type KindRow = [
  type: string,
  experimentId?: string | 0,
  variantKey?: string | 0,
  flagKey?: string | 0,
  forced?: 1,
];

/** A join in JSON. Its time is relative to the receipt of its record. */
export type JoinRow = [userId: string, unitId: string, experimentId?: string | 0, time?: number];

export function toKindRow({ type, experimentId, variantKey, flagKey, forced }: EventKind): KindRow {
  if (forced) return [type, experimentId ?? 0, variantKey ?? 0, flagKey ?? 0, 1];
  if (flagKey !== null) return [type, experimentId ?? 0, variantKey ?? 0, flagKey];
  if (variantKey !== null) return [type, experimentId ?? 0, variantKey];
  return experimentId !== null ? [type, experimentId] : [type];
}

export function fromKindRow([type, experimentId, variantKey, flagKey, forced]: KindRow): EventKind {
  return {
    type,
    experimentId: experimentId || null,
    variantKey: variantKey || null,
    flagKey: flagKey || null,
    forced: forced === 1,
  };
}

/** @param at receipt of the record, milliseconds since 1970 */
export function toJoinRow({ userId, unitId, experimentId, time }: Join, at: number): JoinRow {
  if (time !== undefined) return [userId, unitId, experimentId ?? 0, time - at];
  return experimentId === null ? [userId, unitId] : [userId, unitId, experimentId];
}

/** @param at receipt of the record, milliseconds since 1970 */
export function fromJoinRow([userId, unitId, experimentId, time]: JoinRow, at: number): Join {
  return { userId, unitId, experimentId: experimentId || null, ...(time !== undefined && { time: at + time }) };
}
