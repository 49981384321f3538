import type { Action, RoutePermission } from "@assay/contract";
import type { Records } from "../collections.ts";
import { forbidden } from "../errors.ts";
import { hasRole, type KeyCaller, type UserCaller } from "../model/caller.ts";
import type { Change } from "../storage/change.ts";
import type { Collection, Document, DocumentChange } from "../storage/collection.ts";
import { type Allowance, createRules, type Kind, type RecordOf, type Rule } from "./ownership.ts";

/** Decides who may change a document: the one that a request addresses, and each one that changes along with it. */
export interface Rights {
  /**
   * Refuses a change before anything is written. Every write of a document is checked as well, so that a new side effect
   * cannot forget it; this is for requests that write more than once, or that check other things first.
   *
   * @param change the document before and after; {@link unchanged} where the change is not known yet
   * @throws ApiError 403 naming the document
   */
  require<K extends Kind>(by: Change, kind: K, change: DocumentChange<RecordOf<K>>): void;
}

/** What custom roles and grants allow. */
interface Roles {
  allows(userId: string, permission: RoutePermission): boolean;
}

/** Creates the rights over all documents, and checks every write of them from then on. */
export function createRights(records: Records, roles: Roles): Rights {
  const rules = createRules(records);

  /** Whether somebody's role, custom roles or grants reach every document. */
  function reaches(caller: UserCaller | KeyCaller, { everyone, resource }: Allowance, action: Action): boolean {
    if (hasRole(caller, everyone) || caller.granted?.resource === resource) return true;
    return roles.allows(caller.userId, { resource, action });
  }

  function requireOne<T>(by: Change, rule: Rule<T>, change: DocumentChange<T>): void {
    const { caller } = by;
    if (caller === "SERVER" || by.actor.actor_type === "SYSTEM") return;
    // A mistake in this server, so it is no 403.
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

/** A change of a stored document that is not known yet. */
export function unchanged<T extends Document>(document: T): DocumentChange<T> {
  return { id: document.id, before: document, after: document };
}

function actionOf({ before, after }: DocumentChange<unknown>): Action {
  if (!before && after) return "CREATE";
  return after || !before ? "UPDATE" : "DELETE";
}
