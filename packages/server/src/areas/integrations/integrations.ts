import type { Results } from "@assay/contract";
import type { Store } from "@assay/store";
import type { AccessTrail } from "../../identity/access.ts";
import type { Rights } from "../../identity/rights.ts";
import type { Trail } from "../../identity/trail.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { UserRecord } from "../../model/user.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Runtime } from "../../runtime.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Collection } from "../../storage/collection.ts";
import type { ExperimentService } from "../experiments/service.ts";
import type { RoleService } from "../roles/service.ts";
import { createConnections } from "./connection.ts";
import { createDeliveries } from "./delivery.ts";
import { createOutbox } from "./outbox.ts";
import type { IntegrationRecord } from "./record.ts";
import { createIntegrationService, type IntegrationService } from "./service.ts";
import { createTeller } from "./teller.ts";
import { createWebhooks } from "./webhook.ts";

/** The integrations area: the API and the background work. */
export interface Integrations {
  service: IntegrationService;
  /** Aborts outgoing requests, which the next start repeats, and waits for the rest. */
  close(): Promise<void>;
}

export function createIntegrations(deps: {
  store: Store;
  runtime: Runtime;
  integrations: Collection<IntegrationRecord>;
  experiments: Collection<ExperimentRecord>;
  users: Collection<UserRecord>;
  roles: Pick<RoleService, "allows">;
  rights: Rights;
  experimentService: Pick<ExperimentService, "move" | "complete">;
  resultsOf: (experimentId: string) => Promise<Results>;
  secrets: Secrets;
  outbound: Outbound;
  trail: Trail;
  access: AccessTrail;
  isTicking: boolean;
}): Integrations {
  const closing = new AbortController();
  const connections = createConnections({ ...deps, signal: closing.signal });
  const deliveries = createDeliveries(deps.store, deps.runtime);
  const outbox = createOutbox({ ...deps, deliveries, connections });
  const teller = createTeller({ ...deps, deliveries, outbox });
  const webhooks = createWebhooks({ ...deps, deliveries });
  teller.start();
  return {
    service: createIntegrationService({ ...deps, connections, deliveries, webhooks }),
    close() {
      closing.abort();
      return teller.close();
    },
  };
}
