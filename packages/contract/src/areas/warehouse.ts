import * as z from "zod";
import { IdOrKey, page, paging, Uuid } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import {
  WarehouseConnection,
  WarehouseConnectionCreate,
  WarehouseConnectionTest,
  WarehouseConnectionUpdate,
  WarehouseTestResult,
} from "./warehouse/connection.ts";
import { WarehouseSource, WarehouseSync } from "./warehouse/source.ts";

export * from "./warehouse/connection.ts";
export * from "./warehouse/source.ts";

const byId = z.object({ id: Uuid });
const developers = { auth: { user: "DEVELOPER" }, limit: "api" } as const;

export const warehouse = defineArea({
  "GET /warehouse/connections": {
    operationId: "warehouse.connections",
    summary: "Connections to warehouses, newest first",
    ...developers,
    query: z.object(paging(500, 100)),
    response: page(WarehouseConnection),
  },
  "POST /warehouse/connections": {
    operationId: "warehouse.createConnection",
    summary: "Keep a connection to a warehouse; it is not tried",
    ...developers,
    body: WarehouseConnectionCreate,
    status: 201,
    response: WarehouseConnection,
  },
  "GET /warehouse/connections/{id}": {
    operationId: "warehouse.connection",
    summary: "One connection, without its password",
    auth: { user: true },
    limit: "api",
    params: byId,
    response: WarehouseConnection,
  },
  "PUT /warehouse/connections/{id}": {
    operationId: "warehouse.updateConnection",
    summary: "Change a connection; a new host or port needs the password again",
    ...developers,
    params: byId,
    body: WarehouseConnectionUpdate,
    response: WarehouseConnection,
  },
  "DELETE /warehouse/connections/{id}": {
    operationId: "warehouse.deleteConnection",
    summary: "Forget a connection; results that came through it stay",
    ...developers,
    params: byId,
    status: 204,
  },
  "POST /warehouse/connections/test": {
    operationId: "warehouse.testConnection",
    summary: "Connect now, with stored settings, those of the body, or these over those",
    ...developers,
    body: WarehouseConnectionTest,
    response: WarehouseTestResult,
  },
  "POST /warehouse/sync/{experiment_id}": {
    operationId: "warehouse.sync",
    summary: "Let the warehouse sum an experiment up; results come from there from then on",
    auth: { user: "DEVELOPER", own: true },
    limit: "api",
    params: z.object({ experiment_id: IdOrKey }),
    body: WarehouseSource,
    response: WarehouseSync,
  },
});
