import type { tracking } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { nextLink } from "../../http/page.ts";

/** The handlers of the tracking area. */
export default defineHandlers<typeof tracking>({
  "GET /tracking/assignments/{user_id}": ({ params, query, services }) =>
    services.tracking.assignments(params.user_id, { activeOnly: query.active_only }),
  "POST /tracking/assign": async ({ body, query, services, forced }) =>
    services.tracking.assign(body, { peek: query.peek, overrides: await forced() }),
  "POST /tracking/identify": ({ body, services }) => services.tracking.identify(body),
  "GET /tracking/users/{user_id}": async ({ params, query, services, change, request, headers }) => {
    const part = await services.tracking.exportUser(params.user_id, change("person.export"), query.after);
    if (part.next !== null) headers.Link = nextLink(request, { after: part.next });
    return part;
  },
  "DELETE /tracking/users/{user_id}": ({ params, services, change }) =>
    services.tracking.eraseUser(params.user_id, change("person.erase")),
  "POST /tracking/track": ({ body, services }) => services.tracking.track(body),
  "POST /tracking/events": ({ body, services }) => services.tracking.events(body),
});
