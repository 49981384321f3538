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
    summary: "List warehouse connections, newest first",
    ...developers,
    query: z.object(paging(500, 100)),
    response: page(WarehouseConnection),
  },
  "POST /warehouse/connections": {
    operationId: "warehouse.createConnection",
    summary: "Create a warehouse connection, without testing it",
    ...developers,
    body: WarehouseConnectionCreate,
    status: 201,
    response: WarehouseConnection,
  },
  "GET /warehouse/connections/{id}": {
    operationId: "warehouse.connection",
    summary: "Retrieve a warehouse connection, without its password",
    auth: { user: true },
    limit: "api",
    params: byId,
    response: WarehouseConnection,
  },
  "PUT /warehouse/connections/{id}": {
    operationId: "warehouse.updateConnection",
    summary: "Update a warehouse connection; a new host or port requires the password again",
    ...developers,
    params: byId,
    body: WarehouseConnectionUpdate,
    response: WarehouseConnection,
  },
  "DELETE /warehouse/connections/{id}": {
    operationId: "warehouse.deleteConnection",
    summary: "Delete a warehouse connection; the results of its syncs stay",
    ...developers,
    params: byId,
    status: 204,
  },
  "POST /warehouse/connections/test": {
    operationId: "warehouse.testConnection",
    summary: "Test a connection: stored settings, settings of the body, or both, where the body takes precedence",
    ...developers,
    body: WarehouseConnectionTest,
    response: WarehouseTestResult,
  },
  "POST /warehouse/sync/{experiment_id}": {
    operationId: "warehouse.sync",
    summary: "Compute the sums of an experiment in a warehouse; its results use the warehouse from then on",
    auth: { user: "DEVELOPER", own: true },
    limit: "api",
    params: z.object({ experiment_id: IdOrKey }),
    body: WarehouseSource,
    response: WarehouseSync,
  },
});
