import * as z from "zod";
import { page, paging, Text, Timestamp, TimestampInput, Uuid, upper } from "../shared/fields.ts";
import { ACTIONS } from "../shared/permission.ts";
import { defineArea, ROLES } from "../shared/route.ts";

/** The allowed actions on one resource: an area such as `feature-flags`, or `*` for all areas. */
export const Permission = z
  .object({
    resource: z.string().min(1).max(50).meta({ description: "An area such as `feature-flags`, or `*` for all areas" }),
    actions: z.array(upper(ACTIONS)).min(1).max(ACTIONS.length),
  })
  .meta({ id: "Permission" });
export type Permission = z.infer<typeof Permission>;

/** A built-in or custom role: a named set of permissions. */
export const NamedRole = z
  .object({
    name: z.string(),
    description: z.string(),
    is_built_in: z.boolean(),
    permissions: z.array(Permission),
    created_at: Timestamp.nullable(),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: "NamedRole" });
export type NamedRole = z.infer<typeof NamedRole>;

export const RoleCreate = z.object({
  name: z
    .string()
    .min(2)
    .max(50)
    .regex(/^[a-z][a-z0-9_-]*$/, "Lower-case letters, digits, - and _; begins with a letter"),
  description: Text.default(""),
  permissions: z.array(Permission).min(1).max(100),
});
export type RoleCreate = z.infer<typeof RoleCreate>;

export const RoleUpdate = z.object({
  description: Text.nullish(),
  permissions: z.array(Permission).min(1).max(100).optional(),
});
export type RoleUpdate = z.infer<typeof RoleUpdate>;

/** A temporary permission of one user. */
export const Grant = z
  .object({
    id: z.string(),
    user_id: z.string(),
    resource: z.string(),
    actions: z.array(z.enum(ACTIONS)),
    reason: z.string(),
    expires_at: Timestamp,
    created_by: z.string(),
    created_at: Timestamp,
  })
  .meta({ id: "Grant" });
export type Grant = z.infer<typeof Grant>;

export const GrantCreate = Permission.extend({
  expires_at: TimestampInput,
  reason: Text.default(""),
}).meta({ id: "GrantCreate" });
export type GrantCreate = z.infer<typeof GrantCreate>;

/** The current permissions of a user, with their origins. */
export const UserPermissions = z
  .object({
    user_id: z.string(),
    role: z.enum(ROLES),
    is_superuser: z.boolean(),
    custom_roles: z.array(z.string()),
    grants: z.array(Grant),
    permissions: z.array(
      Permission.extend({
        own_actions: z.array(z.enum(ACTIONS)).meta({ description: "Actions allowed only on what the user created" }),
      }).meta({ id: "EffectivePermission" }),
    ),
  })
  .meta({ id: "UserPermissions" });
export type UserPermissions = z.infer<typeof UserPermissions>;

const byName = z.object({ role_name: z.string().min(1).max(50) });
const byUser = z.object({ user_id: Uuid });
const paged = z.object(paging(500, 100));
const admins = { auth: { user: "ADMIN" }, limit: "admin", resource: "roles" } as const;

export const roles = defineArea({
  "GET /roles": {
    operationId: "roles.list",
    summary: "List built-in and custom roles with their permissions",
    ...admins,
    query: paged,
    response: page(NamedRole),
  },
  "POST /roles": {
    operationId: "roles.create",
    summary: "Create a custom role, which adds permissions to the built-in role of its holders",
    ...admins,
    body: RoleCreate,
    status: 201,
    response: NamedRole,
  },
  "PUT /roles/{role_name}": {
    operationId: "roles.update",
    summary: "Update a custom role; the change applies to its holders from the next request on",
    ...admins,
    params: byName,
    body: RoleUpdate,
    response: NamedRole,
  },
  "DELETE /roles/{role_name}": {
    operationId: "roles.delete",
    summary: "Delete a custom role that no user has",
    ...admins,
    params: byName,
    status: 204,
  },
  "GET /users/{user_id}/permissions": {
    operationId: "roles.permissions",
    summary: "List the permissions of a user: one's own, or anyone's as ADMIN",
    auth: { user: true },
    limit: "api",
    resource: "roles",
    params: byUser,
    response: UserPermissions,
  },
  "GET /users/{user_id}/grants": {
    operationId: "grants.list",
    summary: "List the active temporary grants of a user",
    ...admins,
    params: byUser,
    query: paged,
    response: page(Grant),
  },
  "POST /users/{user_id}/grants": {
    operationId: "grants.create",
    summary: "Grant a user a permission temporarily, for at most a year",
    ...admins,
    params: byUser,
    body: GrantCreate,
    status: 201,
    response: Grant,
  },
  "DELETE /users/{user_id}/grants/{grant_id}": {
    operationId: "grants.revoke",
    summary: "Revoke a temporary grant",
    ...admins,
    params: z.object({ user_id: Uuid, grant_id: Uuid }),
    status: 204,
  },
});
