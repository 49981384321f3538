import type { openfeature } from "@assay/contract";
import { versionOf } from "../../definitions/version.ts";
import { mapInSlices } from "../../ground/slices.ts";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof openfeature>({
  "GET /openfeature/flags": async ({ caller, services, headers, representation }) => {
    await services.openfeature.prepare(caller, representation !== undefined);
    const version = services.openfeature.version(caller);
    const document = representation ? services.openfeature.program(caller) : services.openfeature.definitions(caller);
    // Starts with the version of the definitions, which streams announce. The suffix distinguishes programs, also those
    // of other releases of this server.
    headers.ETag = representation ? `W/"${version}.${versionOf(document).slice(0, 8)}"` : `"${version}"`;
    return document;
  },
  "POST /openfeature/evaluate": async ({ body, caller, services, forced }) =>
    services.openfeature.evaluate(body, caller, await forced()),
  "POST /openfeature/bulk-evaluate": async ({ body, caller, services, forced }) => {
    const overrides = await forced();
    return mapInSlices(body, (question) => services.openfeature.evaluate(question, caller, overrides));
  },
  "GET /openfeature/stream": async ({ caller, request, services, readmit }) => {
    await services.openfeature.prepare(caller, false);
    return services.openfeature.stream(caller, request.headers.get("last-event-id"), readmit!);
  },
});
