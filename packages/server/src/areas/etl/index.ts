import type { AreaInput } from "../../area.ts";
import { createRetentionJob } from "./job.ts";
import { createEtlService } from "./service.ts";
import type { WarehouseSyncing } from "./tasks/warehouse-sync.ts";
import { createTasks } from "./tasks.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

type Needed = { warehouse: { sync: WarehouseSyncing } };

export function create({ options, store, runtime, analysis, records, trail, services }: AreaInput<Needed>) {
  const { exports, retention } = options;
  const { experiments, syncs } = records;
  const { sync } = services.warehouse;
  const tasks = createTasks({ store, runtime, analysis, experiments, syncs, sync, exports, retention });
  const etl = createEtlService({ store, runtime, trail, tasks });
  const jobs = [createRetentionJob({ store, runtime, analysis, retention })];
  return { services: { etl }, jobs, start: etl.start, close: etl.close };
}
