import type { Role, UserCreate } from "@assay/contract";
import { conflict, forbidden, invalid, notFound } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { Exclusively } from "../../identity/exclusive.ts";
import type { Passwords } from "../../identity/passwords.ts";
import { endSession } from "../../identity/sessions.ts";
import type { ApiKeyRecord } from "../../model/api-key.ts";
import { type Caller, personOf } from "../../model/caller.ts";
import type { RoleRecord } from "../../model/role.ts";
import type { SessionRecord } from "../../model/session.ts";
import type { UserRecord } from "../../model/user.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import {
  isSuperuser,
  mayBe,
  nameFields,
  requireFlag,
  requireOwnEmail,
  requireRank,
  seesEveryone,
  usernameFollowing,
} from "./user.ts";

/** Changeable fields of a user. {@link UserService.update} lists who may change which. */
export interface UserChanges {
  full_name?: string | null | undefined;
  password?: string | undefined;
  email?: string | undefined;
  role?: Role | undefined;
  custom_roles?: string[] | undefined;
  is_active?: boolean | undefined;
  is_superuser?: boolean | undefined;
}

/** The data a new user enters at sign-up. */
export type Registration = Pick<UserRecord, "username" | "email" | "given_name" | "family_name"> & { password: string };

export interface UserService {
  /** @throws ApiError 404, also for deleted users */
  require(id: string): UserRecord;
  /** Undefined for deleted users too. */
  find(id: string): UserRecord | undefined;
  /** By username or e-mail, ignoring case. */
  findByLogin(login: string): UserRecord | undefined;
  /** All users for an ADMIN, the caller for other users, oldest first. */
  visibleTo(caller: Caller): UserRecord[];
  /** @throws ApiError 404 if the caller may not see this user */
  get(id: string, caller: Caller): UserRecord;
  /** @throws ApiError 403 for a role above the caller's, or if a key or an ADMIN would create a superuser, 409, 422 */
  create(body: UserCreate, caller: Caller, by: Change): Promise<UserRecord>;
  /**
   * Users change their own full_name and password. An ADMIN changes everything of everyone but superusers, and only a
   * superuser changes `is_superuser`. @throws ApiError 403, 404, 409, 422
   */
  update(id: string, changes: UserChanges, caller: Caller, by: Change): Promise<UserRecord>;
  /** @throws ApiError 403 for a user or rank above the caller's own, 404, 409, 422 for an unknown role */
  administer(id: string, changes: UserChanges, caller: Caller, by: Change): Promise<UserRecord>;
  /** Creates a user at sign-up: an unconfirmed VIEWER. @throws ApiError 409 for a taken name or e-mail, 422 */
  register(body: Registration, by: Change): Promise<UserRecord>;
  confirm(id: string, by: Change): Promise<void>;
  /** Sets a new password after the user has verified the e-mail, and confirms the e-mail. Ends every session. */
  resetPassword(id: string, password: string, by: Change): Promise<void>;
  /** @throws ApiError 403 if a key would remove a superuser, 404, 409 for the last administrator */
  remove(id: string, caller: Caller, by: Change): Promise<void>;
  /** Creates the first administrator if there is none, on one node. Returns whether it did. */
  ensureAdministrator(admin: { username: string; password: string; email: string }, by: Change): Promise<boolean>;
  hasAdministrator(): boolean;
}

const ADMINISTRATORS = "administrators";
const UNCONFIRMED_KEPT_MS = 24 * 3600 * 1000;

export function createUserService(deps: {
  runtime: Runtime;
  passwords: Passwords;
  users: Collection<UserRecord>;
  sessions: Collection<SessionRecord>;
  /** The API keys of each environment. */
  apiKeysOfAll: readonly Collection<ApiKeyRecord>[];
  roles: Collection<RoleRecord>;
  exclusively: Exclusively;
}): UserService {
  const { runtime, passwords, users, sessions, apiKeysOfAll, roles, exclusively } = deps;

  const isAdministrator = (user: UserRecord) => user.is_superuser && user.is_active && !user.deleted_at;

  function requireAnotherAdministrator(user: UserRecord): void {
    const others = users.all().some((other) => other.id !== user.id && isAdministrator(other));
    if (isAdministrator(user) && !others) throw conflict("The last administrator cannot be demoted or deleted");
  }

  /** Makes a change that could take away the last administrator, while no other node does. */
  function withAdministrators<T>(user: UserRecord, by: Change, work: (by: Change) => Promise<T>): Promise<T> {
    if (!isAdministrator(user)) return work(by);
    return exclusively(ADMINISTRATORS, (fence) => {
      requireAnotherAdministrator(service.require(user.id));
      return work({ ...by, fence });
    });
  }

  async function endSessions(userId: string, by: Change): Promise<void> {
    const own = sessions.all().filter((session) => session.user_id === userId);
    for (const session of own) await endSession(sessions, session.id, { ...by, action: "session.revoke" });
  }

  async function dropStale(registration: Registration, by: Change): Promise<void> {
    const { username, email } = registration;
    for (const user of [users.findBy("username", username.toLowerCase()), users.findBy("email", email.toLowerCase())]) {
      const age = user && runtime.now() - Date.parse(user.created_at);
      // An unconfirmed user blocks a name or e-mail for a day only.
      if (user?.confirmed_at === null && age! > UNCONFIRMED_KEPT_MS && users.get(user.id)) {
        await users.remove(user.id, { ...by, action: "user.expire" });
      }
    }
  }

  async function apply(id: string, changes: UserChanges, by: Change): Promise<UserRecord> {
    const user = service.require(id);
    const losesRank =
      changes.is_active === false || changes.is_superuser === false || (changes.role && changes.role !== "ADMIN");
    const { password, full_name, ...plain } = changes;
    const password_hash = password === undefined ? undefined : await passwords.hash(password);
    const change = (current: UserRecord): UserRecord => ({
      ...current,
      ...definedFields(plain),
      ...usernameFollowing(current, plain.email),
      ...(full_name === undefined ? {} : nameFields(full_name ?? "")),
      ...(password_hash ? { password_hash } : {}),
    });
    const update = (own: Change) => users.update(id, change, own);
    const updated = losesRank ? await withAdministrators(user, by, update) : await update(by);
    if (password_hash || changes.is_active === false) await endSessions(id, by);
    return updated;
  }

  async function insert(body: UserCreate, by: Change): Promise<UserRecord> {
    requireOwnEmail(body);
    const { password, role, full_name = "", ...rest } = body;
    return users.insert(
      {
        ...rest,
        ...nameFields(full_name),
        role: role ?? (rest.is_superuser ? "ADMIN" : "VIEWER"),
        custom_roles: [],
        password_hash: await passwords.hash(password),
        confirmed_at: timestampOf(runtime.now()),
        deleted_at: null,
      },
      by,
    );
  }

  const service: UserService = {
    require(id) {
      const user = users.require(id);
      if (user.deleted_at) throw notFound();
      return user;
    },
    find(id) {
      const user = users.get(id);
      return user?.deleted_at ? undefined : user;
    },
    findByLogin(login) {
      const name = login.toLowerCase();
      return users.findBy("username", name) ?? users.findBy("email", name);
    },
    visibleTo(caller) {
      const all = users.all().filter((user) => !user.deleted_at);
      return seesEveryone(caller) ? all : all.filter((user) => user.id === personOf(caller));
    },
    get(id, caller) {
      const user = service.require(id);
      if (!seesEveryone(caller) && personOf(caller) !== id) throw notFound();
      return user;
    },
    async create(body, caller, by) {
      if (body.is_superuser && !isSuperuser(caller)) throw forbidden("superuser");
      if (body.role && !mayBe(caller, body.role)) throw forbidden(body.role);
      return insert(body, by);
    },
    async register({ password, ...registration }, by) {
      requireOwnEmail(registration);
      const password_hash = await passwords.hash(password);
      await dropStale({ ...registration, password }, by);
      const full_name = `${registration.given_name} ${registration.family_name}`.trim();
      return users.insert(
        {
          ...registration,
          full_name,
          role: "VIEWER",
          custom_roles: [],
          is_active: true,
          is_superuser: false,
          password_hash,
          confirmed_at: null,
          deleted_at: null,
        },
        by,
      );
    },
    async confirm(id, by) {
      const confirmed_at = timestampOf(runtime.now());
      await users.update(id, (user) => ({ ...user, confirmed_at: user.confirmed_at ?? confirmed_at }), by);
    },
    async resetPassword(id, password, by) {
      await apply(id, { password }, by);
      await service.confirm(id, { ...by, action: "user.confirm" });
    },
    async update(id, changes, caller, by) {
      const user = service.get(id, caller);
      const { full_name, password, ...rank } = changes;
      if (mayBe(caller, "ADMIN")) {
        requireRank(caller, user);
        requireFlag(caller, user, changes);
        return apply(id, changes, by);
      }
      const wantsMore = Object.entries(rank).some(
        ([field, value]) => value !== undefined && value !== user[field as keyof typeof rank],
      );
      // A new password or e-mail takes the account over, so it needs more than the permission to manage users.
      if (wantsMore || personOf(caller) !== id) throw forbidden("ADMIN");
      return apply(id, { full_name, password }, by);
    },
    async administer(id, { role, custom_roles, is_active, is_superuser }, caller, by) {
      const user = service.require(id);
      requireRank(caller, user);
      requireFlag(caller, user, { is_superuser });
      if (role && !mayBe(caller, role)) throw forbidden(role);
      // Otherwise users who may manage users could give themselves any role.
      if (custom_roles && !mayBe(caller, "ADMIN")) throw forbidden("ADMIN");
      custom_roles?.forEach((name, index) => {
        if (!roles.findBy("name", name))
          throw invalid(["body", "custom_roles", index], `Role "${name}" does not exist`);
      });
      const distinct = custom_roles && [...new Set(custom_roles)];
      return apply(id, { role, custom_roles: distinct, is_active, is_superuser }, by);
    },
    async remove(id, caller, by) {
      const user = service.require(id);
      requireRank(caller, user);
      const deleted_at = timestampOf(runtime.now());
      await withAdministrators(user, by, (own) =>
        users.update(id, (current) => ({ ...current, is_active: false, deleted_at }), own),
      );
      await endSessions(id, by);
      const revoke = { ...by, action: "api_key.revoke" };
      for (const apiKeys of apiKeysOfAll) {
        for (const key of apiKeys.all().filter((key) => key.created_by === id && key.is_active)) {
          await apiKeys.update(key.id, (current) => ({ ...current, is_active: false }), revoke);
        }
      }
    },
    hasAdministrator: () => users.all().some(isAdministrator),
    async ensureAdministrator({ username, password, email }, by) {
      const isNeeded = () => !service.hasAdministrator() && !service.findByLogin(username);
      if (!isNeeded()) return false;
      const rank = { is_active: true, is_superuser: true, role: "ADMIN", full_name: "Administrator" } as const;
      return exclusively(ADMINISTRATORS, async (fence) => {
        if (!isNeeded()) return false;
        await insert({ username, password, email, ...rank }, { ...by, fence });
        return true;
      });
    },
  };
  return service;
}

function definedFields<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
