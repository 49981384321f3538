import type { AreaInput } from "../../area.ts";
import type { Rights } from "../../identity/rights.ts";
import { connectionCollection, syncCollection } from "../../model/warehouse.ts";
import { createAddressRule } from "../../outbound/address.ts";
import type { Collections } from "../../storage/collections.ts";
import { createEngines } from "./engines.ts";
import { createWarehouseService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({
  connections: define(connectionCollection),
  syncs: define(syncCollection),
});

export function create({ options, runtime, secrets, records, services, trail }: AreaInput<{ rights: Rights }>) {
  const { connections, syncs, experiments } = records;
  const { rights } = services;
  const isAllowed = createAddressRule(options.outbound?.allowPrivateNetworks ?? false);
  const engines = createEngines(options.warehouse, isAllowed);
  const { warehouse, warehouseQuestions } = createWarehouseService({
    runtime,
    secrets,
    connections,
    syncs,
    experiments,
    engines,
    rights,
    trail,
  });
  return { services: { warehouse, warehouseQuestions } };
}
