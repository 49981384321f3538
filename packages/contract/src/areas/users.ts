import * as z from "zod";
import { isCommonPassword } from "../shared/common-passwords.ts";
import { Name, page, paging, Timestamp, Uuid, upper } from "../shared/fields.ts";
import { defineArea, ROLES } from "../shared/route.ts";

export const Username = z
  .string()
  .trim()
  .min(3)
  .max(50)
  .regex(/^[\p{L}\p{N}._@+-]+$/u, "Letters, digits and . _ @ + - only");
export const Email = z.email().max(320);
export const Password = z
  .string()
  .min(8)
  .max(128)
  .refine((password) => !isCommonPassword(password), "This password is too common; choose another one")
  .meta({ description: "8 to 128 characters; common passwords are rejected" });

/** A user. Never contains credentials. */
export const User = z
  .object({
    id: z.string(),
    username: z.string(),
    email: z.string(),
    full_name: z.string(),
    role: z.enum(ROLES),
    custom_roles: z
      .array(z.string())
      .default([])
      .meta({ description: "Names of custom roles, in addition to the built-in role" }),
    is_active: z.boolean(),
    is_superuser: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "User" });
export type User = z.infer<typeof User>;

export const CurrentUser = z
  .object({
    id: z.string(),
    username: z.string(),
    email: z.string(),
    role: z.enum(["viewer", "analyst", "developer", "admin"]),
    is_active: z.boolean(),
  })
  .meta({ id: "CurrentUser" });

export const UserCreate = z.object({
  username: Username,
  email: Email,
  password: Password,
  full_name: Name.optional(),
  is_active: z.boolean().default(true),
  is_superuser: z.boolean().default(false).meta({ description: "Only a superuser may set it, not an API key" }),
  role: upper(ROLES).optional(),
});
export type UserCreate = z.infer<typeof UserCreate>;

const byId = z.object({ user_id: Uuid });
const paged = z.object(paging(100, 100));

export const users = defineArea({
  "GET /users/me": {
    operationId: "users.me",
    summary: "Retrieve the signed-in user",
    auth: { user: true },
    limit: "api",
    response: CurrentUser,
  },
  "GET /users/": {
    operationId: "users.list",
    summary: "List users: all for an ADMIN, only oneself for other users",
    auth: { user: true },
    limit: "api",
    query: paged,
    response: page(User),
  },
  "POST /users/": {
    operationId: "users.create",
    summary: "Create a confirmed user; only a superuser can create a superuser",
    auth: { user: "ADMIN", key: "admin" },
    limit: "admin",
    body: UserCreate,
    status: 201,
    response: User,
  },
  "GET /users/{user_id}": {
    operationId: "users.get",
    summary: "Retrieve a user: oneself, or anyone as an ADMIN",
    auth: { user: true },
    limit: "api",
    params: byId,
    response: User,
  },
  "PUT /users/{user_id}": {
    operationId: "users.update",
    summary: "Update oneself (full_name, password), or as an ADMIN anyone but superusers",
    auth: { user: true },
    limit: "api",
    params: byId,
    body: z.object({
      full_name: z
        .preprocess((name) => (name === "" ? null : name), Name.nullish())
        .meta({ description: "Empty or null clears it" }),
      password: Password.optional(),
      email: Email.optional(),
      role: upper(ROLES).optional(),
      is_active: z.boolean().optional(),
      is_superuser: z.boolean().optional().meta({ description: "Only a superuser may change it" }),
    }),
    response: User,
  },
  "GET /admin/users": {
    operationId: "adminUsers.list",
    summary: "List all users",
    auth: { user: "ADMIN", key: "admin" },
    limit: "admin",
    resource: "users",
    query: paged,
    response: page(User),
  },
  "PATCH /admin/users/{user_id}": {
    operationId: "adminUsers.update",
    summary: "Update the role, the custom roles, the active state or the superuser flag of a user",
    auth: { user: "ADMIN" },
    limit: "admin",
    resource: "users",
    params: byId,
    body: z.object({
      role: upper(ROLES).optional(),
      custom_roles: z
        .array(z.string().max(50))
        .max(20)
        .optional()
        .meta({ description: "Replaces all custom roles; only an ADMIN may set it" }),
      is_active: z.boolean().optional(),
      is_superuser: z.boolean().optional().meta({ description: "Only a superuser may change it" }),
    }),
    response: User,
  },
  "DELETE /admin/users/{user_id}": {
    operationId: "adminUsers.delete",
    summary: "Deactivate a user and revoke their sessions and keys; what they created stays",
    auth: { user: "ADMIN", key: "admin" },
    limit: "admin",
    resource: "users",
    params: byId,
    status: 204,
  },
});
