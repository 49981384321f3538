import type { scheduler } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";

export const routes = defineHandlers<typeof scheduler>({
  "GET /scheduler/health": ({ services }) => services.scheduler.health(),
  "GET /scheduler/jobs": async ({ query, services }) => pageOf(await services.scheduler.list(), query),
  "GET /scheduler/jobs/{job_name}": ({ params, services }) => services.scheduler.require(params.job_name),
  "POST /scheduler/jobs/{job_name}/trigger": ({ params, caller, services }) =>
    services.scheduler.trigger(params.job_name, caller.actor),
});
