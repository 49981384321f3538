import { keyOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "./json.ts";
import { requireFreeNamespace } from "./namespace.ts";

/** The environment whose data a namespace holds, and the first one, which has the users. */
export interface EnvironmentName {
  name: string;
  first: string;
}

const RECORD = keyOf("environments", "name");
const NAME = /^[a-z0-9][a-z0-9_-]{0,49}$/;

/**
 * Checks the names of environments, which are also the namespaces of all but the first.
 * @param namespace of the first environment, empty for none
 * @throws TypeError
 */
export function requireEnvironmentNames(names: readonly string[], namespace: string): void {
  if (names.length === 0) throw new TypeError("environments needs at least one name");
  for (const [index, name] of names.entries()) {
    if (!NAME.test(name)) {
      throw new TypeError(
        `The environment ${JSON.stringify(name)} needs a name of 1 to 50 lower-case letters, digits, - and _`,
      );
    }
    if (names.indexOf(name) !== index) throw new TypeError(`The environment "${name}" is listed twice`);
    if (index === 0) continue;
    requireFreeNamespace(name);
    if (name === namespace) throw new TypeError(`The environment "${name}" has the namespace of the first environment`);
  }
}

/**
 * Returns the names of the protected environments.
 * @param wanted their names, or whether all are protected
 * @throws TypeError for a name that is not an environment
 */
export function protectedAmong(names: readonly string[], wanted: readonly string[] | boolean): readonly string[] {
  if (typeof wanted === "boolean") return wanted ? names : [];
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown === undefined) return wanted;
  throw new TypeError(`The environment ${JSON.stringify(unknown)} is protected, but there is only ${names.join(", ")}`);
}

/**
 * Records whose data a namespace holds, so that a later start with other names or another order does not show the data of
 * one environment as that of another. Data without a record belongs to the first environment that claims it.
 * @throws Error if the data belongs to another environment
 */
export async function claimEnvironment(store: Store, { name, first }: EnvironmentName): Promise<void> {
  const value = toBytes({ name, first });
  await store.batch([{ type: "put", key: RECORD, value, ifAbsent: "skip" }]);
  const entry = await store.get(RECORD);
  const owner = entry ? parseBytes<EnvironmentName>(entry.value) : { name, first };
  if (owner.name !== name) {
    throw new Error(
      `The data of the environment "${name}" belongs to "${owner.name}". Names cannot change, and the first stays the first`,
    );
  }
  if (owner.first === first) return;
  throw new Error(
    `The environment "${name}" shares the users of "${owner.first}", so "${owner.first}" must be the first, not "${first}"`,
  );
}
