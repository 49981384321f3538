import type { Results } from "@assay/contract";
import type { Operation, Store } from "@assay/store";
import { every } from "../../ground/every.ts";
import type { Runtime } from "../../ground/runtime.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { Collection } from "../../storage/collection.ts";
import { createOutbox, type Settle } from "../../storage/outbox.ts";
import type { Deliveries, DeliveryRecord } from "./delivery.ts";
import type { MessageQueue } from "./message-queue.ts";
import { isConcerned, toPush } from "./push.ts";
import type { IntegrationRecord } from "./record.ts";

/** Notifies third parties of experiment changes, off the request path. */
export interface Notifier {
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
export function createNotifier(deps: {
  store: Store;
  runtime: Runtime;
  integrations: Collection<IntegrationRecord>;
  experiments: Collection<ExperimentRecord>;
  resultsOf: (experimentId: string) => Promise<Results>;
  deliveries: Deliveries;
  queue: MessageQueue;
  isTicking: boolean;
}): Notifier {
  const { runtime, integrations, experiments, resultsOf, deliveries, queue, isTicking } = deps;
  const inFlight = new Set<Promise<void>>();
  let stop = () => {};
  let isSweeping = false;

  /** Logs failures; never rejects. */
  function run(work: () => Promise<void>): Promise<void> {
    const running = work()
      .catch((error: unknown) => runtime.logger.error("Third parties could not be notified", { error: String(error) }))
      .finally(() => inFlight.delete(running));
    inFlight.add(running);
    return running;
  }

  const outbox = createOutbox<News>(deps, "pushes", notify);

  /** Stores the messages to all integrations atomically, then starts sending. */
  async function notify({ experiment, integration_ids }: News, settle: Settle<News>): Promise<void> {
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
        operations.push(...queue.additions(delivery, request));
        messages.push(delivery);
      } else operations.push(deliveries.addition({ ...delivery, status: "FAILED", reason }));
    }
    if (!(await settle(operations))) return;
    for (const message of messages) run(() => queue.send(message));
  }

  function sweep(): void {
    if (isSweeping) return;
    isSweeping = true;
    run(async () => {
      await outbox.sweep();
      await queue.sweep();
    }).finally(() => {
      isSweeping = false;
    });
  }

  experiments.alongside((write) => {
    const concerned = integrations.all().filter((one) => one.is_active && isConcerned(one, write));
    return concerned.length > 0
      ? outbox.enqueue({ experiment: write.after!, integration_ids: concerned.map(({ id }) => id) })
      : null;
  });

  return {
    start() {
      if (!isTicking) return;
      sweep();
      stop = every(SWEEP_MS, sweep);
    },
    async close() {
      stop();
      await outbox.settled();
      await Promise.all(inFlight);
    },
  };
}
