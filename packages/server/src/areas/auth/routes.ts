import type { auth } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { requireUser } from "../../model/caller.ts";

export const routes = defineHandlers<typeof auth>({
  "POST /auth/signup": ({ body, services, change }) => services.accounts.signup(body, change("auth.signup")),
  "POST /auth/confirm": ({ body, caller, services }) =>
    services.accounts.confirm(body.username, body.confirmation_code, caller.actor),
  "POST /auth/resend-confirmation": ({ body, caller, services }) =>
    services.accounts.resendConfirmation(body.username, caller.actor),
  "POST /auth/forgot-password": ({ body, caller, services }) =>
    services.accounts.forgotPassword(body.username, caller.actor),
  "POST /auth/reset-password": ({ body, caller, services }) =>
    services.accounts.resetPassword(body.username, body.reset_code, body.new_password, caller.actor),
  "POST /auth/token": ({ body, caller, services }) => services.auth.login(body.username, body.password, caller.actor),
  "POST /auth/login": ({ body, caller, services }) => services.auth.login(body.username, body.password, caller.actor),
  "POST /auth/refresh": ({ body, caller, services }) => services.auth.refresh(body.refresh_token, caller.actor),
  "POST /auth/logout": ({ caller, services, change }) =>
    services.auth.logout(requireUser(caller).sessionId, change("auth.logout")),
  "GET /auth/me": ({ caller, services }) => services.users.require(requireUser(caller).userId),
});
