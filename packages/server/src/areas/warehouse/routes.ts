import type { warehouse } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";
import { pageOf } from "../../http/page.ts";

export const routes = defineHandlers<typeof warehouse>({
  "GET /warehouse/connections": ({ query, services }) => pageOf(services.warehouse.list(), query),
  "POST /warehouse/connections": ({ body, caller, services, change }) =>
    services.warehouse.create(body, caller, change("warehouse_connection.create")),
  "GET /warehouse/connections/{id}": ({ params, services }) => services.warehouse.get(params.id),
  "PUT /warehouse/connections/{id}": ({ params, body, services, change, ifVersion }) =>
    services.warehouse.update(params.id, body, change("warehouse_connection.update"), ifVersion),
  "DELETE /warehouse/connections/{id}": ({ params, services, change, ifVersion }) =>
    services.warehouse.remove(params.id, change("warehouse_connection.delete"), ifVersion),
  "POST /warehouse/connections/test": ({ body, caller, services }) => services.warehouse.test(body, caller.actor),
  "POST /warehouse/sync/{experiment_id}": ({ params, body, services, change }) =>
    services.warehouse.sync(params.experiment_id, body, change("warehouse.sync")),
});
