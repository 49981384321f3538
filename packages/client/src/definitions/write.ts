import type { Client } from "../client.ts";
import { isAssayError } from "../error.ts";
import type { ProposalCreate } from "../openapi.generated.ts";
import type { Step } from "./comparison.ts";
import type { Fields, Kind, StoredDefinition } from "./definition.ts";

/** Something that was read: only this version of it may change. */
export type Target = Pick<StoredDefinition, "id" | "version">;

/** The request that changes one definition. It is sent, or proposed. */
export interface Write {
  route: ProposalCreate["route"];
  params?: Record<string, string>;
  body?: Fields;
  headers?: Record<string, string>;
}

interface KindRoutes extends Record<Step["action"], Write["route"]> {
  /** The name of the path parameter. */
  parameter: string;
}

const ROUTES: Record<Kind, KindRoutes> = {
  segment: {
    ...{ create: "POST /segments", update: "PUT /segments/{id}", delete: "DELETE /segments/{id}" },
    parameter: "id",
  },
  flag: {
    ...{ create: "POST /feature-flags/", update: "PUT /feature-flags/{id}", delete: "DELETE /feature-flags/{id}" },
    parameter: "id",
  },
  experiment: {
    create: "POST /experiments/",
    update: "PUT /experiments/{experiment_id}",
    delete: "DELETE /experiments/{experiment_id}",
    parameter: "experiment_id",
  },
};

/** Returns the request that creates a definition. */
export function creation(kind: Kind, body: Fields): Write {
  return { route: ROUTES[kind].create, body };
}

/** Returns the request that changes fields of a definition. @param reason of the change of a flag, for its history */
export function update(kind: Kind, target: Target, fields: Fields, reason: string): Write {
  const body = kind === "flag" ? { ...fields, reason } : fields;
  return { route: ROUTES[kind].update, ...only(kind, target), body };
}

/** Returns the request that deletes a definition. */
export function deletion(kind: Kind, target: Target): Write {
  return { route: ROUTES[kind].delete, ...only(kind, target) };
}

/** Returns the request of a step. @param reason as for `update` */
export function writeOf({ kind, changes, action, target }: Step, reason: string): Write {
  const given = changes.map(({ field, to }): [string, unknown] => [field, to]);
  // Null is the value of an absent field; some fields take only values when they are created.
  if (!target) return creation(kind, Object.fromEntries(given.filter(([, to]) => to !== null)));
  return action === "delete" ? deletion(kind, target) : update(kind, target, Object.fromEntries(given), reason);
}

/** Makes a change. @throws AssayError also 412 */
export async function send(client: Client, { route, ...call }: Write): Promise<void> {
  // The type of the arguments follows from a route that is known when this is compiled.
  const request = client.request as (route: string, call: object) => Promise<unknown>;
  await request(route, call);
}

/**
 * Returns why the server refused a write, with the field if there is one; undefined if it failed in another way.
 * @param isChanged the reason if someone changed or deleted the definition since it was read
 */
export function refusalOf(error: unknown, { route }: Write, isChanged: string): string | undefined {
  if (!isAssayError(error) || ![400, 403, 404, 409, 412, 413, 422].includes(error.status)) return undefined;
  // Updates are sent by id, so nothing is found if it was deleted since.
  if (error.status === 412 || (error.status === 404 && !route.startsWith("POST"))) return isChanged;
  const [issue] = error.issues;
  return issue ? `${issue.loc.slice(1).join(".")}: ${issue.msg}` : error.detail;
}

/** Names a definition in its path, and its version in `If-Match`. */
function only(kind: Kind, { id, version }: Target): Pick<Write, "params" | "headers"> {
  return { params: { [ROUTES[kind].parameter]: id }, headers: { "If-Match": `"v${version}"` } };
}
