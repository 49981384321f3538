import type { ApiKey } from "@assay/contract";
import type { Store } from "@assay/store";
import type { Job } from "../../jobs/job.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { UserRecord } from "../../model/user.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Runtime } from "../../runtime.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Collection } from "../../storage/collection.ts";
import type { ResultsService } from "../results/service.ts";
import { createChannels } from "./channels.ts";
import { createDeliveryLog } from "./delivery-log.ts";
import { createKeyHygieneJob, createNotificationRetryJob, createResultsSnapshotJob } from "./job.ts";
import { createPreferences } from "./preferences.ts";
import type { PreferencesRecord } from "./record.ts";
import { createNotificationService, type NotificationService } from "./service.ts";
import { type Sources, watchDefinitions } from "./sources.ts";

/** Dependencies of notifications. */
export interface NotificationDependencies extends Sources {
  store: Store;
  runtime: Runtime;
  users: Collection<UserRecord>;
  preferences: Collection<PreferencesRecord>;
  secrets: Secrets;
  mailer: Mailer;
  outbound: Outbound;
  results: Pick<ResultsService, "sequential">;
  keys: { all(): ApiKey[] };
}

/** Starts to notify of writes, and creates the jobs that detect the rest. */
export function createNotifications(deps: NotificationDependencies): { service: NotificationService; jobs: Job[] } {
  const { store, runtime, users, experiments, results, keys } = deps;
  const notifications = createNotificationService({
    store,
    runtime,
    users,
    preferences: createPreferences(deps),
    log: createDeliveryLog(store),
    channels: createChannels(deps),
  });
  watchDefinitions(notifications, deps);
  const jobs = [
    createNotificationRetryJob(notifications),
    createResultsSnapshotJob({ experiments, results, notifications }),
    createKeyHygieneJob({ keys, notifications }),
  ];
  return { service: notifications, jobs };
}
