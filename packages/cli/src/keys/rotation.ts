import type { ApiKey, Client } from "@assay/client";
import { failure } from "../failure.ts";

/** Progress of a rotation; each step is reported before the next begins. */
export interface RotationOptions {
  /** Whether to revoke the old key without waiting until the new one is used. */
  yes: boolean;
  /** Receives the new key when it exists. Its secret is available only here. */
  onCreated(key: string, old: ApiKey): void;
  /** Milliseconds between checks of the new key. */
  pollMs: number;
}

/**
 * Replaces a key without an outage: creates a key with the same rights, and revokes the old one once the new one is in
 * use.
 * @param nameOrId of an active key
 * @throws {CommandFailure} if there is no such key, or more than one
 */
export async function rotateKey(client: Client, nameOrId: string, options: RotationOptions): Promise<ApiKey> {
  const old = await findKey(client, nameOrId);
  const created = await client.request("POST /api-keys/{id}/rotate", { params: { id: old.id } });
  options.onCreated(created.key!, old);
  while (!options.yes && !(await isUsed(client, created.id))) {
    await new Promise((resolve) => setTimeout(resolve, options.pollMs));
  }
  await client.request("DELETE /api-keys/{id}", { params: { id: old.id } });
  return old;
}

/** Finds an active key. @throws {CommandFailure} if there is none of this name or id, or more than one */
export async function findKey(client: Client, nameOrId: string): Promise<ApiKey> {
  const keys = (await client.request("GET /api-keys", { query: { search: nameOrId } })).filter(
    ({ is_active }) => is_active,
  );
  const found = keys.filter(({ id, name }) => id === nameOrId || name === nameOrId);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw failure(`No active API key is named "${nameOrId}"`);
  const choices = found.map(({ id, created_at }) => `${id} (created ${created_at})`).join(", ");
  throw failure(`${found.length} active API keys are named "${nameOrId}"; specify one by its id: ${choices}`);
}

async function isUsed(client: Client, id: string): Promise<boolean> {
  const key = (await client.request("GET /api-keys", { query: { search: id } })).find((one) => one.id === id);
  if (!key?.is_active) throw failure("The new key was revoked in the meantime; the old key is still valid");
  return key.last_used_at !== null;
}
