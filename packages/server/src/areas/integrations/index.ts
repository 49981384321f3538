import type { AreaInput } from "../../area.ts";
import type { Rights } from "../../identity/rights.ts";
import { SYSTEM } from "../../storage/change.ts";
import type { Collections } from "../../storage/collections.ts";
import type { ExperimentService } from "../experiments/service.ts";
import type { ResultsService } from "../results/service.ts";
import type { RoleService } from "../roles/service.ts";
import { createConnections } from "./connection.ts";
import { createDeliveries } from "./delivery.ts";
import { createMessageQueue } from "./message-queue.ts";
import { createNotifier } from "./notifier.ts";
import { integrationCollection } from "./record.ts";
import { createIntegrationService } from "./service.ts";
import { createWebhooks } from "./webhook.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ integrations: define(integrationCollection) });

/** The address of a webhook; its sender knows no environments. */
const WEBHOOK = /\/integrations\/([0-9a-f-]{36})\/webhook\//;

type Needed = {
  rights: Rights;
  roles: Pick<RoleService, "allows">;
  experiments: Pick<ExperimentService, "move" | "complete">;
  results: Pick<ResultsService, "get">;
};

export function create(input: AreaInput<Needed>) {
  const { store, runtime, records, secrets, outbound, trail, access, isTicking } = input;
  const { integrations, experiments, users } = records;
  const { rights, roles, results, experiments: experimentService } = input.services;
  const closing = new AbortController();
  const connections = createConnections({ runtime, secrets, outbound, signal: closing.signal });
  const deliveries = createDeliveries(store, runtime);
  const resultsOf = (id: string) => results.get(id, { type: "ANONYMOUS", actor: SYSTEM });
  const queue = createMessageQueue({ store, runtime, integrations, deliveries, connections });
  const notifier = createNotifier({
    store,
    runtime,
    integrations,
    experiments,
    resultsOf,
    deliveries,
    queue,
    isTicking,
  });
  const webhooks = createWebhooks({
    runtime,
    integrations,
    experiments,
    users,
    roles,
    rights,
    experimentService,
    secrets,
    trail,
    access,
    deliveries,
  });
  notifier.start();
  return {
    services: {
      integrations: createIntegrationService({
        runtime,
        integrations,
        secrets,
        connections,
        deliveries,
        webhooks,
        trail,
      }),
    },
    claims({ url }: Request) {
      const id = WEBHOOK.exec(url)?.[1];
      return id !== undefined && integrations.get(id) !== undefined;
    },
    /** Aborts outgoing requests, which the next start repeats, and waits for the rest. */
    close() {
      closing.abort();
      return notifier.close();
    },
  };
}
