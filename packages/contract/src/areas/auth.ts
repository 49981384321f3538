import * as z from "zod";
import { Name } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { Email, Password, Username } from "./users.ts";

export const Login = z.object({
  username: z.string().min(1).max(320).meta({ description: "Username or e-mail" }),
  password: z.string().min(1).max(1024),
});

export const Tokens = z
  .object({
    access_token: z.string(),
    refresh_token: z.string().optional().meta({
      description: "Absent with `X-Assay-Session: cookie`: it is then in a cookie that scripts cannot read",
    }),
    token_type: z.literal("bearer"),
    expires_in: z.int().meta({ description: "Lifetime of the access token, in seconds" }),
  })
  .meta({ id: "Tokens" });
export type Tokens = z.infer<typeof Tokens>;

export const AuthProfile = z
  .object({ username: z.string(), email: z.string(), given_name: z.string(), family_name: z.string() })
  .meta({ id: "AuthProfile" });

export const Signup = z.object({
  username: Username,
  password: Password,
  email: Email,
  given_name: Name.optional(),
  family_name: Name.optional(),
  full_name: Name.optional().meta({ description: "Instead of given_name and family_name" }),
});
export type Signup = z.infer<typeof Signup>;

export const SignedUp = z
  .object({ username: z.string(), user_id: z.string(), confirmation_required: z.boolean() })
  .meta({ id: "SignedUp" });
export type SignedUp = z.infer<typeof SignedUp>;

/** A message for the user. */
export const Message = z.object({ message: z.string() }).meta({ id: "Message" });

const login = z.string().min(1).max(320).meta({ description: "Username or e-mail" });
const code = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: "Code from the e-mail; letter case, spaces and hyphens do not matter" });

export const auth = defineArea({
  "POST /auth/signup": {
    operationId: "auth.signup",
    summary: "Create an account with the role VIEWER and send a confirmation code by e-mail",
    description:
      "If the username or the e-mail is taken, the response is the same, no account is created, and an e-mail says so.",
    auth: "public",
    limit: "auth",
    body: Signup,
    status: 201,
    response: SignedUp,
  },
  "POST /auth/confirm": {
    operationId: "auth.confirm",
    summary:
      "Confirm an account with the code from the e-mail; the code is valid once, for 15 minutes and five attempts per client network",
    auth: "public",
    limit: "auth",
    body: z.object({ username: login, confirmation_code: code }),
    response: Message,
  },
  "POST /auth/resend-confirmation": {
    operationId: "auth.resendConfirmation",
    summary: "Send a new confirmation code; the response is the same if there is no such account",
    auth: "public",
    limit: "auth",
    body: z.object({ username: login }),
    status: 202,
    response: Message,
  },
  "POST /auth/forgot-password": {
    operationId: "auth.forgotPassword",
    summary: "Send a code for setting a new password; the response is the same if there is no such account",
    auth: "public",
    limit: "auth",
    body: z.object({ username: login }),
    status: 202,
    response: Message,
  },
  "POST /auth/reset-password": {
    operationId: "auth.resetPassword",
    summary: "Set a new password with the code from the e-mail; ends all sessions",
    auth: "public",
    limit: "auth",
    body: z.object({ username: login, reset_code: code, new_password: Password }),
    response: Message,
  },
  "POST /auth/token": {
    operationId: "auth.token",
    summary: "Exchange a username and password, form-encoded or JSON, for tokens",
    auth: "public",
    limit: "auth",
    form: true,
    body: Login,
    response: Tokens,
  },
  "POST /auth/login": {
    operationId: "auth.login",
    summary: "Exchange a username and password for tokens",
    auth: "public",
    limit: "auth",
    body: Login,
    response: Tokens,
  },
  "POST /auth/refresh": {
    operationId: "auth.refresh",
    summary: "Exchange a refresh token for new tokens; each refresh token is valid once",
    auth: "public",
    limit: "auth",
    description:
      "With `X-Assay-Session: cookie` and no body, the refresh token is that of the cookie; only for pages of the same origin.",
    body: z.object({ refresh_token: z.string().min(1).max(1024) }).optional(),
    response: Tokens,
  },
  "POST /auth/logout": {
    operationId: "auth.logout",
    summary: "End the session and revoke its refresh tokens",
    auth: { user: true },
    limit: "auth",
    status: 204,
  },
  "GET /auth/me": {
    operationId: "auth.me",
    summary: "Retrieve the signed-in user",
    auth: { user: true },
    limit: "api",
    response: AuthProfile,
  },
});
