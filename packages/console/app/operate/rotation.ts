import type { ApiKey } from "@assay/client";

const HOUR_MS = 3_600_000;

/** Returns the newest active key that replaces another. @param keys newest first */
export function successorOf({ id }: Pick<ApiKey, "id">, keys: readonly ApiKey[]): ApiKey | undefined {
  return keys.find(({ replaces, is_active }) => is_active && replaces === id);
}

/** Whether nothing used a key in the last hour. The server notes uses at most once a minute. */
export const isQuiet = ({ last_used_at }: Pick<ApiKey, "last_used_at">, now = Date.now()) =>
  last_used_at === null || now - Date.parse(last_used_at) > HOUR_MS;
