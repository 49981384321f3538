import { keyOf, listAll, type Operation, prefixOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";

interface Alias {
  anonymous_id: string;
  user_id: string;
}

const ownerKey = (anonymousId: string) => keyOf("aliases", "of", anonymousId);
const aliasKey = (userId: string, anonymousId: string) => keyOf("aliases", "by", userId, anonymousId);

/** The user an anonymous id was joined to first; null where to none. */
export async function readOwner(store: Store, anonymousId: string): Promise<string | null> {
  const entry = await store.get(ownerKey(anonymousId));
  return entry && parseBytes<Alias>(entry.value).user_id;
}

/** The id that stands for a person: the end of the chain of joins. */
export async function readPerson(store: Store, userId: string): Promise<string> {
  let person = userId;
  const passed = new Set<string>();
  while (!passed.has(person)) {
    passed.add(person);
    person = (await readOwner(store, person)) ?? person;
  }
  return person;
}

/** What to write so that a join is found from both sides; the first one of an anonymous id stays. */
export function joinOperations(anonymousId: string, userId: string): Operation[] {
  const value = toBytes({ anonymous_id: anonymousId, user_id: userId } satisfies Alias);
  return [
    { type: "put", key: ownerKey(anonymousId), value, ifAbsent: "skip" },
    { type: "put", key: aliasKey(userId, anonymousId), value, ifAbsent: "skip" },
  ];
}

/** Every id of a person, the standing one first, and the keys under which the joins are kept. */
export async function readIds(store: Store, userId: string): Promise<{ ids: string[]; keys: string[] }> {
  const ids = new Set([await readPerson(store, userId), userId]);
  const keys: string[] = [];
  for (const id of ids) {
    for await (const { key, value } of listAll(store, prefixOf("aliases", "by", id))) {
      const alias = parseBytes<Alias>(value);
      keys.push(key, ownerKey(alias.anonymous_id));
      ids.add(alias.anonymous_id);
    }
  }
  return { ids: [...ids], keys };
}
