import type { etl } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";
import { personOf } from "../../model/caller.ts";

export const routes = defineHandlers<typeof etl>({
  "GET /etl/jobs": async ({ query, services }) => pageOf(await services.etl.jobs(), query),
  "POST /etl/jobs/{job_name}/run": ({ params, body, caller, services, change }) =>
    services.etl.run(params.job_name, body?.parameters ?? {}, personOf(caller), change("etl.run")),
  "GET /etl/jobs/{run_id}": ({ params, services }) => services.etl.get(params.run_id),
  "GET /etl/jobs/{run_id}/logs": ({ params, services }) => services.etl.logs(params.run_id),
  "POST /etl/jobs/{run_id}/cancel": ({ params, services, change }) =>
    services.etl.cancel(params.run_id, change("etl.cancel")),
});
