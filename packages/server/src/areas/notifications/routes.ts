import type { notifications } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";
import { requireUser } from "../../model/caller.ts";

export const routes = defineHandlers<typeof notifications>({
  "GET /notifications/preferences": ({ caller, services }) =>
    services.notifications.preferences.get(requireUser(caller).userId),
  "PUT /notifications/preferences": ({ body, caller, services, change }) =>
    services.notifications.preferences.update(requireUser(caller), body, change("notification_preferences.update")),
  "GET /notifications/admin/preferences": ({ query, services }) =>
    pageOf(services.notifications.preferences.all(), query),
  "GET /notifications/delivery-log": ({ query, services }) => services.notifications.deliveries(query),
  "POST /notifications/test": ({ caller, services }) => services.notifications.test(requireUser(caller).userId),
});
