import type { Store } from "@assay/store";
import { createRuntime } from "../ground/runtime.ts";
import { SYSTEM } from "../storage/change.ts";
import type { CollectionOptions, Document } from "../storage/collection.ts";
import { type Collections, createCollections } from "../storage/collections.ts";
import { loadSecrets } from "./ring.ts";
import type { Secrets } from "./secrets.ts";
import { SecretUnreadable } from "./secrets.ts";

/** The result of a rotation. */
export interface Rotation {
  /** Encrypted texts checked, and how many were re-encrypted. */
  checked: number;
  resealed: number;
  /** Documents with a text that no key decrypts. They are unchanged. */
  unreadable: { resource: string; id: string }[];
}

/** A collection with encrypted texts, for {@link rotateSecrets}. */
export interface SealedCollection {
  /** Joins a rotation. The rotation calls the result once everything is loaded. */
  join(collections: Collections): (secrets: Secrets, rotation: Rotation) => Promise<void>;
}

/**
 * Declares the encrypted texts of documents, without side effects.
 * @param map replaces every encrypted text of a document by the result of `reseal`, with its context
 */
export function defineSealed<T extends Document>(
  options: CollectionOptions<T>,
  map: (document: T, reseal: (sealed: string, context: string) => string) => T,
): SealedCollection {
  return {
    join(collections) {
      const collection = collections.define(options);
      return async (secrets, rotation) => {
        for (const { id } of collection.all()) {
          const seen = { checked: 0, resealed: 0, unreadable: 0 };
          const by = { actor: SYSTEM, action: `${options.resource}.reseal`, reason: "A new key for secrets" };
          await collection.update(
            id,
            (document) => {
              Object.assign(seen, { checked: 0, resealed: 0, unreadable: 0 });
              return map(document, (sealed, context) => {
                seen.checked++;
                if (secrets.isCurrent(sealed)) return sealed;
                try {
                  const text = secrets.seal(secrets.open(sealed, context), context);
                  seen.resealed++;
                  return text;
                } catch (error) {
                  if (!(error instanceof SecretUnreadable)) throw error;
                  seen.unreadable++;
                  return sealed;
                }
              });
            },
            by,
          );
          rotation.checked += seen.checked;
          rotation.resealed += seen.resealed;
          if (seen.unreadable > 0) rotation.unreadable.push({ resource: options.resource, id });
        }
      };
    },
  };
}

/** Re-encrypts everything in a store with the newest key. A server may be running on the store. */
export async function rotateSealed(
  store: Store,
  keys: readonly string[],
  sealed: readonly SealedCollection[],
): Promise<Rotation> {
  const rotation: Rotation = { checked: 0, resealed: 0, unreadable: [] };
  const secrets = await loadSecrets(store, keys);
  const collections = createCollections(store, createRuntime());
  const rotations = sealed.map((one) => one.join(collections));
  await collections.open();
  try {
    for (const rotate of rotations) await rotate(secrets, rotation);
  } finally {
    await collections.close();
  }
  return rotation;
}
