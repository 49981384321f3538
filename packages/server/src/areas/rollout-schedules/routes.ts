import type { rolloutSchedules } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";

export const routes = defineHandlers<typeof rolloutSchedules>({
  "POST /rollout-schedules": ({ body, caller, services, change }) =>
    services.rolloutSchedules.create(body, caller, change("rollout_schedule.create")),
  "GET /rollout-schedules": ({ query, services }) => pageOf(services.rolloutSchedules.list(query), query),
  "GET /rollout-schedules/{id}": ({ params, services }) => services.rolloutSchedules.show(params.id),
  "PUT /rollout-schedules/{id}": ({ params, body, services, change, ifVersion }) =>
    services.rolloutSchedules.update(params.id, body, change("rollout_schedule.update"), ifVersion),
  "DELETE /rollout-schedules/{id}": ({ params, services, change, ifVersion }) =>
    services.rolloutSchedules.remove(params.id, change("rollout_schedule.delete"), ifVersion),
  "POST /rollout-schedules/{id}/activate": ({ params, services, change, ifVersion }) =>
    services.rolloutSchedules.activate(params.id, change, ifVersion),
  "POST /rollout-schedules/{id}/pause": ({ params, services, change, ifVersion }) =>
    services.rolloutSchedules.move(params.id, "PAUSED", change("rollout_schedule.pause"), ifVersion),
  "POST /rollout-schedules/{id}/cancel": ({ params, services, change, ifVersion }) =>
    services.rolloutSchedules.move(params.id, "CANCELLED", change("rollout_schedule.cancel"), ifVersion),
  "POST /rollout-schedules/{id}/stages": ({ params, body, services, change, ifVersion }) =>
    services.rolloutSchedules.addStage(params.id, body, change("rollout_schedule.add_stage"), ifVersion),
  "PUT /rollout-schedules/stages/{stage_id}": ({ params, body, services, change, ifVersion }) =>
    services.rolloutSchedules.updateStage(params.stage_id, body, change("rollout_schedule.update_stage"), ifVersion),
  "DELETE /rollout-schedules/stages/{stage_id}": ({ params, services, change, ifVersion }) =>
    services.rolloutSchedules.removeStage(params.stage_id, change("rollout_schedule.delete_stage"), ifVersion),
  "POST /rollout-schedules/stages/{stage_id}/advance": ({ params, services, change }) =>
    services.rolloutSchedules.advance(params.stage_id, change),
});
