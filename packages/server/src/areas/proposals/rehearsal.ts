import { contract, type ProposableRoute, permissionOf, type Route, type RoutePermission } from "@assay/contract";
import { badRequest } from "../../ground/errors.ts";
import type { Perform, Performance } from "../../http/perform.ts";
import type { KeyCaller, UserCaller } from "../../model/caller.ts";
import { type Change, Rehearsed } from "../../storage/change.ts";
import type { ProposalRecord } from "./record.ts";

/** What a handler knows of its request. */
export type Asked = Pick<Performance, "caller" | "change" | "ifVersion" | "request" | "headers">;

/** The permissions of custom roles and grants. */
export interface Roles {
  allows(userId: string, permission: RoutePermission): boolean;
}

/** Returns the caller with the custom rights to another route than the one of the request. */
export function actingOn<C extends UserCaller | KeyCaller>(caller: C, key: ProposableRoute, roles: Roles): C {
  const route: Route = contract[key];
  const permission = permissionOf(key, route);
  return { ...caller, granted: roles.allows(caller.userId, permission) ? permission : undefined };
}

/** Creates the check of a change, which writes nothing. */
export function createRehearsal(perform: Perform, roles: Roles) {
  /** Returns what a change would write first. @throws ApiError like its route, 400 if it changes nothing */
  async function rehearse(
    { route, params, body }: Pick<ProposalRecord, "route" | "params" | "body">,
    by: UserCaller | KeyCaller,
    { request, headers, ifVersion }: Omit<Asked, "caller" | "change">,
  ): Promise<Rehearsed> {
    const caller = actingOn(by, route, roles);
    const change = (action: string, reason?: string): Change => ({
      ...{ actor: caller.actor, caller, action, reason },
      rehearsal: true,
    });
    try {
      await perform(route, { params, body: body ?? undefined, caller, change, request, headers, ifVersion });
    } catch (error) {
      if (error instanceof Rehearsed) return error;
      throw error;
    }
    throw badRequest("The proposal changes nothing");
  }

  return rehearse;
}
