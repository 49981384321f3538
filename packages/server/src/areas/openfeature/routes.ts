import type { openfeature } from "@assay/contract";
import { versionOf } from "../../definitions/version.ts";
import { andThen } from "../../ground/awaitable.ts";
import { mapInSlices } from "../../ground/slices.ts";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof openfeature>({
  "GET /openfeature/flags": ({ caller, services: { openfeature }, headers, representation }) =>
    andThen(openfeature.prepare(caller, representation !== undefined), () => {
      const version = openfeature.version(caller);
      const document = representation ? openfeature.program(caller) : openfeature.definitions(caller);
      // Starts with the version of the definitions, which streams announce. The suffix distinguishes programs, also those
      // of other releases of this server.
      headers.ETag = representation ? `W/"${version}.${versionOf(document).slice(0, 8)}"` : `"${version}"`;
      return document;
    }),
  "POST /openfeature/evaluate": ({ body, caller, services, forced }) =>
    andThen(forced(), (overrides) => services.openfeature.evaluateOne(body, caller, overrides)),
  "POST /openfeature/bulk-evaluate": async ({ body, caller, services, forced }) => {
    const overrides = await forced();
    return mapInSlices(body, (question) => services.openfeature.evaluate(question, caller, overrides));
  },
  "GET /openfeature/stream": async ({ caller, request, services, readmit }) => {
    await services.openfeature.prepare(caller, false);
    return services.openfeature.stream(caller, request.headers.get("last-event-id"), readmit!);
  },
});
