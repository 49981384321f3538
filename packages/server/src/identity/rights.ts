import type { Action, RoutePermission } from "@assay/contract";
import type { Records } from "../collections.ts";
import { forbidden } from "../ground/errors.ts";
import { hasRole, type KeyCaller, type UserCaller } from "../model/caller.ts";
import type { Change } from "../storage/change.ts";
import type { Collection, Document, DocumentChange } from "../storage/collection.ts";
import { type Allowance, createRules, type Kind, type RecordOf, type Rule } from "./ownership.ts";

/** Decides who may change a document: the one a request addresses, and every other document the change affects. */
export interface Rights {
  /**
   * Checks a change before the server writes anything. Every document write has its own check as well, so that new side
   * effects cannot skip it. Call this in requests that write several documents or check other conditions first.
   *
   * @param change the document before and after; {@link unchanged} if the change is not known yet
   * @throws ApiError 403 naming the document
   */
  require<K extends Kind>(by: Change, kind: K, change: DocumentChange<RecordOf<K>>): void;
}

/** The permissions of custom roles and grants. */
interface Roles {
  allows(userId: string, permission: RoutePermission): boolean;
}

/** Creates the rights over all documents, and from then on checks every document write. */
export function createRights(records: Records, roles: Roles): Rights {
  const rules = createRules(records);

  /** Whether the role, custom roles or grants of a caller cover every document. */
  function reaches(caller: UserCaller | KeyCaller, { everyone, resource }: Allowance, action: Action): boolean {
    if (hasRole(caller, everyone) || caller.granted?.resource === resource) return true;
    return roles.allows(caller.userId, { resource, action });
  }

  function requireOne<T>(by: Change, rule: Rule<T>, change: DocumentChange<T>): void {
    const { caller } = by;
    if (caller === "SERVER" || by.actor.actor_type === "SYSTEM") return;
    // A bug in this server, so not a 403.
    if (!caller) throw new Error(`${by.action} of ${rule.name(change)} has no caller whose rights could be checked`);
    const { everyone } = rule;
    if (caller.type !== "ANONYMOUS") {
      const allowances = [rule, rule.actions?.[by.action], by.emergency && rule.emergency];
      if (allowances.some((one) => one && reaches(caller, one, actionOf(change)))) return;
      if (hasRole(caller, rule.owner ?? "DEVELOPER") && rule.owners?.(change).includes(caller.userId)) return;
    }
    const needed =
      rule.owners === undefined ? everyone : everyone === "ADMIN" ? "owner or ADMIN" : `${everyone} or owner`;
    throw forbidden(needed, rule.name(change));
  }

  function check<K extends Kind>(by: Change, kind: K, change: DocumentChange<RecordOf<K>>): void {
    const rule: Rule<RecordOf<K>> | null = rules[kind];
    if (!rule) return;
    requireOne(by, rule, change);
    for (const { kind: other, document } of rule.touches?.(change) ?? []) {
      check(by, other, unchanged(document as RecordOf<typeof other>));
    }
  }

  const collections: { [K in Kind]: Collection<RecordOf<K>> } = records;
  function watch<K extends Kind>(kind: K): void {
    collections[kind].guard(({ by, ...change }) => check(by, kind, change));
  }

  for (const kind of Object.keys(rules) as Kind[]) if (rules[kind]) watch(kind);
  return { require: check };
}

/** Returns an update without changes, to check rights on a document before the service computes its change. */
export function unchanged<T extends Document>(document: T): DocumentChange<T> {
  return { id: document.id, before: document, after: document };
}

function actionOf({ before, after }: DocumentChange<unknown>): Action {
  if (!before && after) return "CREATE";
  return after || !before ? "UPDATE" : "DELETE";
}
