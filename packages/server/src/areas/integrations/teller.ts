import type { Results } from "@assay/contract";
import type { Runtime } from "../../runtime.ts";
import type { Collection, DocumentWrite } from "../../storage/collection.ts";
import type { ExperimentRecord } from "../experiments/record.ts";
import type { Deliveries } from "./delivery.ts";
import type { Outbox } from "./outbox.ts";
import { isTold, toPush } from "./push.ts";
import type { IntegrationRecord } from "./record.ts";

/** Tells third parties what became of experiments, off the path of any request. */
export interface Teller {
  /** Begins to look for what is due. */
  start(): void;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

const SWEEP_MS = 30_000;

/** @param isTicking whether this node tries again by the clock what has failed */
export function createTeller(deps: {
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
  let timer: ReturnType<typeof setInterval> | undefined;
  let isSweeping = false;

  /** Runs it; whatever goes wrong is nobody's problem but the log's. */
  function run(work: () => Promise<void>): Promise<void> {
    const running = work()
      .catch((error: unknown) => runtime.logger.error("Third parties could not be told", { error: String(error) }))
      .finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  }

  async function tell(experiment: ExperimentRecord, told: IntegrationRecord[]): Promise<void> {
    const results = experiment.status === "COMPLETED" ? await resultsOf(experiment.id).catch(() => null) : null;
    await Promise.all(
      told.map(async (integration) => {
        const { event, subject, request, reason } = toPush(integration, experiment, results);
        const delivery = deliveries.create({
          integration_id: integration.id,
          direction: "OUTBOUND",
          event,
          subject,
          experiment_id: experiment.id,
          experiment_key: experiment.key,
        });
        if (request) await outbox.post(delivery, request);
        else await deliveries.save({ ...delivery, status: "FAILED", reason: reason ?? null });
      }),
    );
  }

  function sweep(): void {
    if (isSweeping) return;
    isSweeping = true;
    run(() => outbox.sweep()).finally(() => {
      isSweeping = false;
    });
  }

  experiments.onWrite((write: DocumentWrite<ExperimentRecord>) => {
    const told = integrations.all().filter((one) => one.is_active && isTold(one, write));
    if (told.length > 0) run(() => tell(write.after!, told));
  });

  return {
    start() {
      if (!isTicking) return;
      sweep();
      timer = setInterval(sweep, SWEEP_MS);
      timer.unref?.();
    },
    async close() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}
