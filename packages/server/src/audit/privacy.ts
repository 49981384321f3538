import type { AuditLogEntry } from "@assay/contract";
import type { ActorNames } from "../identity/actor-names.ts";
import { type Caller, hasRole } from "../model/caller.ts";

/** Stands for what only an ADMIN sees. */
const HIDDEN = "[hidden]";

/** Whether a caller sees the e-mail addresses and wizard drafts of others in the audit trail. */
export function seesPeople(caller: Caller): boolean {
  return caller.type !== "ANONYMOUS" && hasRole(caller, "ADMIN");
}

/** Returns a name as a caller may see it: below ADMIN without e-mail addresses. */
export function shownName(name: string | null, caller: Caller): string | null {
  return seesPeople(caller) ? name : withoutEmail(name);
}

/** Adds the name of the actor to an entry. */
export function withActorName<T extends AuditLogEntry>(entry: T, names: ActorNames): T {
  return { ...entry, actor_name: names.nameOf(entry) };
}

function withoutEmail(name: string | null): string | null {
  return name === null ? null : hideEmails(name);
}

/**
 * Returns an entry without e-mail addresses, and without the name and content of a wizard draft, which is private to
 * its owner. Returns the same entry if it contains none.
 */
export function hidePeople(entry: AuditLogEntry): AuditLogEntry {
  if (entry.resource_type === "wizard_draft") {
    const name = entry.actor_name === undefined ? {} : { actor_name: withoutEmail(entry.actor_name) };
    return { ...entry, ...name, resource_name: HIDDEN, old_value: null, new_value: null };
  }
  const { resource_name, old_value, new_value, reason, actor_name } = entry;
  const parts = { resource_name, old_value, new_value, reason, ...(actor_name === undefined ? {} : { actor_name }) };
  return JSON.stringify(parts).includes("@") ? { ...entry, ...(withoutEmails(parts) as typeof parts) } : entry;
}

function withoutEmails(value: unknown): unknown {
  if (typeof value === "string") return hideEmails(value);
  if (Array.isArray(value)) return value.map(withoutEmails);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [hideEmails(name), withoutEmails(one)]));
}

/** Returns a text without e-mail addresses. Works word by word, because a pattern for addresses takes quadratic time on long words. */
export function hideEmails(text: string): string {
  return text.includes("@") ? text.replace(/[^\s"'<>(),:;[\]]+/g, (word) => (isEmail(word) ? HIDDEN : word)) : text;
}

function isEmail(word: string): boolean {
  const at = word.lastIndexOf("@");
  return at > 0 && word.includes(".", at);
}
