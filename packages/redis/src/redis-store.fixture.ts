import { redisStore } from "./redis-store.ts";

/** Opens a store at `URL NAME`. */
export function openFixture(location: string) {
  const [url, name] = location.split(" ") as [string, string];
  return redisStore({ url, name });
}
