import {
  type Client,
  type ExperimentCreate,
  type FeatureFlagCreate,
  isAssayError,
  type SegmentCreate,
} from "@assay/client";
import type { Fields, Kind, StoredDefinition } from "./definition.ts";

/** Something that was read: only this version of it may change. */
export type Target = Pick<StoredDefinition, "id" | "version">;

/** Creates a definition. @throws AssayError */
export async function create(client: Client, kind: Kind, body: Fields): Promise<void> {
  const fields: unknown = body;
  if (kind === "segment") await client.request("POST /segments", { body: fields as SegmentCreate });
  else if (kind === "flag") await client.request("POST /feature-flags/", { body: fields as FeatureFlagCreate });
  else await client.request("POST /experiments/", { body: fields as ExperimentCreate });
}

/** Changes fields of a definition. @param reason of the change of a flag, for its history. @throws AssayError also 412 */
export async function update(client: Client, kind: Kind, target: Target, body: Fields, reason: string): Promise<void> {
  const [id, headers] = [target.id, ifMatch(target)];
  if (kind === "segment") await client.request("PUT /segments/{id}", { params: { id }, body, headers });
  else if (kind === "experiment")
    await client.request("PUT /experiments/{experiment_id}", { params: { experiment_id: id }, body, headers });
  else await client.request("PUT /feature-flags/{id}", { params: { id }, body: { ...body, reason }, headers });
}

/** Deletes a definition. @throws AssayError also 412 */
export async function remove(client: Client, kind: Kind, target: Target): Promise<void> {
  const [id, headers] = [target.id, ifMatch(target)];
  if (kind === "segment") await client.request("DELETE /segments/{id}", { params: { id }, headers });
  else if (kind === "experiment")
    await client.request("DELETE /experiments/{experiment_id}", { params: { experiment_id: id }, headers });
  else await client.request("DELETE /feature-flags/{id}", { params: { id }, headers });
}

/** Returns why the server refused a write, with the field if there is one; undefined if it failed in another way. */
export function refusalOf(error: unknown): string | undefined {
  if (!isAssayError(error) || ![400, 403, 404, 409, 412, 413, 422].includes(error.status)) return undefined;
  // Updates are sent by id, so nothing is found if it was deleted since.
  if (error.status === 412 || (error.status === 404 && !error.route.startsWith("POST")))
    return "Someone changed or deleted it since it was read; run the command again to see what differs now";
  const [issue] = error.issues;
  return issue ? `${issue.loc.slice(1).join(".")}: ${issue.msg}` : error.detail;
}

function ifMatch({ version }: Target): Record<string, string> {
  return { "If-Match": `"v${version}"` };
}
