import type { Results } from "@assay/contract";
import type { Operation, Store } from "@assay/store";
import { every } from "../../every.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { Runtime } from "../../runtime.ts";
import type { Collection } from "../../storage/collection.ts";
import { createErrands, type Settle } from "../../storage/errands.ts";
import type { Deliveries, DeliveryRecord } from "./delivery.ts";
import type { Outbox } from "./outbox.ts";
import { isTold, toPush } from "./push.ts";
import type { IntegrationRecord } from "./record.ts";

/** Notifies third parties of experiment changes, off the request path. */
export interface Teller {
  /** Starts to send due messages. */
  start(): void;
  /** Waits for work in progress. */
  close(): Promise<void>;
}

const SWEEP_MS = 30_000;

/** An experiment at its transition, and the integrations to notify. */
interface News {
  experiment: ExperimentRecord;
  integration_ids: string[];
}

/** @param isTicking whether this node retries failures on a timer */
export function createTeller(deps: {
  store: Store;
  runtime: Runtime;
  integrations: Collection<IntegrationRecord>;
  experiments: Collection<ExperimentRecord>;
  resultsOf: (experimentId: string) => Promise<Results>;
  deliveries: Deliveries;
  outbox: Outbox;
  isTicking: boolean;
}): Teller {
  const { runtime, integrations, experiments, resultsOf, deliveries, outbox, isTicking } = deps;
  const underWay = new Set<Promise<void>>();
  let stop = () => {};
  let isSweeping = false;

  /** Logs failures; never rejects. */
  function run(work: () => Promise<void>): Promise<void> {
    const running = work()
      .catch((error: unknown) => runtime.logger.error("Third parties could not be notified", { error: String(error) }))
      .finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  }

  const news = createErrands<News>(deps, "pushes", tell);

  /** Stores the messages to all integrations atomically, then starts sending. */
  async function tell({ experiment, integration_ids }: News, settle: Settle<News>): Promise<void> {
    const results = experiment.status === "COMPLETED" ? await resultsOf(experiment.id).catch(() => null) : null;
    const operations: Operation[] = [];
    const messages: DeliveryRecord[] = [];
    for (const integration of integration_ids.flatMap((id) => integrations.get(id) ?? [])) {
      const { event, subject, request, reason = null } = toPush(integration, experiment, results);
      const delivery = deliveries.create({
        integration_id: integration.id,
        direction: "OUTBOUND",
        event,
        subject,
        experiment_id: experiment.id,
        experiment_key: experiment.key,
      });
      if (request) {
        operations.push(...outbox.additions(delivery, request));
        messages.push(delivery);
      } else operations.push(deliveries.addition({ ...delivery, status: "FAILED", reason }));
    }
    if (!(await settle(operations))) return;
    for (const message of messages) run(() => outbox.send(message));
  }

  function sweep(): void {
    if (isSweeping) return;
    isSweeping = true;
    run(async () => {
      await news.sweep();
      await outbox.sweep();
    }).finally(() => {
      isSweeping = false;
    });
  }

  experiments.alongside((write) => {
    const told = integrations.all().filter((one) => one.is_active && isTold(one, write));
    return told.length > 0 ? news.leave({ experiment: write.after!, integration_ids: told.map(({ id }) => id) }) : null;
  });

  return {
    start() {
      if (!isTicking) return;
      sweep();
      stop = every(SWEEP_MS, sweep);
    },
    async close() {
      stop();
      await news.settled();
      await Promise.all(underWay);
    },
  };
}
