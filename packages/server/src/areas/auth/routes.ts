import type { auth } from "@assay/contract";
import { type Call, defineHandlers } from "../../http/handler.ts";
import { requireUser } from "../../model/caller.ts";
import { forget, renew, signIn } from "./session-cookie.ts";

const logIn = (call: Call<(typeof auth)["POST /auth/login"]>) => {
  const { username, password } = call.body;
  return signIn(call, () => call.services.auth.login(username, password, call.caller.actor));
};

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
  "POST /auth/token": logIn,
  "POST /auth/login": logIn,
  "POST /auth/refresh": (call) =>
    renew(call, call.body?.refresh_token, (token) => call.services.auth.refresh(token, call.caller.actor)),
  "POST /auth/logout": async (call) => {
    const { caller, request, services, change } = call;
    await services.auth.logout(requireUser(caller).sessionId, change("auth.logout"));
    if (request.headers.has("cookie")) forget(call);
  },
  "GET /auth/me": ({ caller, services }) => services.users.require(requireUser(caller).userId),
});
