import type { auth } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { requireUser } from "../../identity/caller.ts";

export default defineHandlers<typeof auth>({
  "POST /auth/token": ({ body, caller, services }) => services.auth.login(body.username, body.password, caller.actor),
  "POST /auth/login": ({ body, caller, services }) => services.auth.login(body.username, body.password, caller.actor),
  "POST /auth/refresh": ({ body, caller, services }) => services.auth.refresh(body.refresh_token, caller.actor),
  "POST /auth/logout": ({ caller, services, change }) =>
    services.auth.logout(requireUser(caller).sessionId, change("auth.logout")),
  "GET /auth/me": ({ caller, services }) => services.users.require(requireUser(caller).userId),
});
