import * as z from "zod";
import { defineArea } from "../route.ts";

export const Login = z.object({
  username: z.string().min(1).max(320).meta({ description: "Username or e-mail" }),
  password: z.string().min(1).max(1024),
});

export const Tokens = z
  .object({
    access_token: z.string(),
    refresh_token: z.string(),
    token_type: z.literal("bearer"),
    expires_in: z.int().meta({ description: "Seconds" }),
  })
  .meta({ id: "Tokens" });
export type Tokens = z.infer<typeof Tokens>;

export const AuthProfile = z
  .object({ username: z.string(), email: z.string(), given_name: z.string(), family_name: z.string() })
  .meta({ id: "AuthProfile" });

export const auth = defineArea({
  "POST /auth/token": {
    operationId: "auth.token",
    summary: "Exchange username and password, form-encoded or JSON, for tokens",
    auth: "public",
    limit: "auth",
    form: true,
    body: Login,
    response: Tokens,
  },
  "POST /auth/login": {
    operationId: "auth.login",
    summary: "Exchange username and password for tokens",
    auth: "public",
    limit: "auth",
    body: Login,
    response: Tokens,
  },
  "POST /auth/refresh": {
    operationId: "auth.refresh",
    summary: "Exchange a refresh token for new tokens; the old one is spent",
    auth: "public",
    limit: "auth",
    body: z.object({ refresh_token: z.string().min(1).max(1024) }),
    response: Tokens,
  },
  "POST /auth/logout": {
    operationId: "auth.logout",
    summary: "End the session: revokes its refresh tokens",
    auth: { user: true },
    limit: "auth",
    status: 204,
  },
  "GET /auth/me": {
    operationId: "auth.me",
    summary: "The signed-in user's profile",
    auth: { user: true },
    limit: "api",
    response: AuthProfile,
  },
});
