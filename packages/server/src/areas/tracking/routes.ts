import type { tracking } from "@assay/contract";
import type { Overrides } from "@assay/core/overrides";
import { type Sender, TRUSTED } from "../../events/exposure-check.ts";
import type { Awaitable } from "../../ground/awaitable.ts";
import { defineHandlers } from "../../http/handler.ts";
import { nextLink } from "../../http/page.ts";
import type { Caller } from "../../model/caller.ts";

/** The sender of the events. The arms that a CLIENT key names are checked. */
async function senderOf(caller: Caller, forced: () => Awaitable<Overrides | null>): Promise<Sender> {
  const isPublic = caller.type === "API_KEY" && caller.kind === "CLIENT";
  return isPublic ? { isPublic, overrides: await forced() } : TRUSTED;
}

export const routes = defineHandlers<typeof tracking>({
  "GET /tracking/assignments/{user_id}": ({ params, query, services }) =>
    services.tracking.assignments(params.user_id, { activeOnly: query.active_only }),
  "POST /tracking/assign": async ({ body, query, services, forced }) =>
    services.tracking.assign(body, { peek: query.peek, overrides: await forced() }),
  "POST /tracking/identify": ({ body, caller, services }) => services.tracking.identify(body, caller.actor),
  "GET /tracking/users/{user_id}": async ({ params, query, services, change, request, headers }) => {
    const part = await services.tracking.exportUser(params.user_id, change("person.export"), query.after);
    if (part.next !== null) headers.Link = nextLink(request, query, { after: part.next });
    return part;
  },
  "DELETE /tracking/users/{user_id}": ({ params, services, change }) =>
    services.tracking.eraseUser(params.user_id, change("person.erase")),
  "POST /tracking/track": async ({ body, services, caller, forced }) =>
    services.tracking.track(body, await senderOf(caller, forced)),
  "POST /tracking/events": async ({ body, services, caller, forced }) =>
    services.tracking.events(body, await senderOf(caller, forced)),
});
