import { keyOf, listAll, type Operation, prefixOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";

interface Alias {
  anonymous_id: string;
  user_id: string;
}

const ownerKey = (anonymousId: string) => keyOf("aliases", "of", anonymousId);
const aliasKey = (userId: string, anonymousId: string) => keyOf("aliases", "by", userId, anonymousId);

/** Reads the user that an anonymous id was first joined to; null if there is none. */
export async function readOwner(store: Store, anonymousId: string): Promise<string | null> {
  const entry = await store.get(ownerKey(anonymousId));
  return entry && parseBytes<Alias>(entry.value).user_id;
}

/** Reads the id that represents a person: the end of the chain of joins. */
export async function readPerson(store: Store, userId: string): Promise<string> {
  let person = userId;
  const passed = new Set<string>();
  while (!passed.has(person)) {
    passed.add(person);
    person = (await readOwner(store, person)) ?? person;
  }
  return person;
}

/** Returns the operations that make a join readable from both sides. The first join of an anonymous id stays. */
export function joinOperations(anonymousId: string, userId: string): Operation[] {
  const value = toBytes({ anonymous_id: anonymousId, user_id: userId } satisfies Alias);
  return [
    { type: "put", key: ownerKey(anonymousId), value, ifAbsent: "skip" },
    { type: "put", key: aliasKey(userId, anonymousId), value, ifAbsent: "skip" },
  ];
}

/** Lists the ids of a person, the representing one first, and the keys of the joins. */
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
