import type { Store } from "@assay/store";
import { sealedIntegrations } from "./areas/integrations/record.ts";
import { sealedPreferences } from "./areas/notifications/record.ts";
import { sealedConnections } from "./model/warehouse.ts";
import { type Rotation, rotateSealed, type SealedCollection } from "./secrets/rotation.ts";

/** Every collection that stores third-party secrets. */
const SEALED: SealedCollection[] = [sealedIntegrations, sealedConnections, sealedPreferences];

/**
 * Re-encrypts every secret in a store with the newest of these keys (the `secretKeys` of its server).
 * @throws TypeError if a key is too short
 */
export function rotateSecrets(store: Store, keys: readonly string[]): Promise<Rotation> {
  return rotateSealed(store, keys, SEALED);
}
