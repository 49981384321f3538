import type { Runtime } from "../ground/runtime.ts";
import { timestampOf } from "../ground/runtime.ts";
import type { Actor, AuditEntry } from "../storage/change.ts";
import type { Collections } from "../storage/collections.ts";

/** An event that changed no document: a login, a failure, the first use of a key. */
export interface Incident {
  action: string;
  actor: Actor;
  resource_type: string;
  resource_id?: string | null;
  resource_name?: string | null;
  detail?: Record<string, unknown>;
}

/** Writes incidents to the audit trail off the request path. Only logs store failures. */
export interface Trail {
  record(incident: Incident): void;
  /** Waits until all recorded incidents are written. */
  flush(): Promise<void>;
}

/** Maximum number of waiting entries while the store is slow. Beyond it, the trail logs new ones and drops them. */
const CAPACITY = 10_000;

export function createTrail(collections: Collections, runtime: Runtime): Trail {
  let queue: AuditEntry[] = [];
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (queue.length > 0) {
      const entries = queue;
      queue = [];
      try {
        await collections.record(entries);
      } catch (error) {
        runtime.logger.error("Audit entries could not be written", { count: entries.length, error: String(error) });
      }
    }
  }

  return {
    record({ action, actor, resource_type, resource_id = null, resource_name = null, detail }) {
      if (queue.length >= CAPACITY) {
        runtime.logger.error("Audit queue is full", { action });
        return;
      }
      const timestamp = timestampOf(runtime.now());
      queue.push({
        ...actor,
        id: runtime.id(),
        timestamp,
        action,
        resource_type,
        resource_id,
        resource_name,
        old_value: null,
        new_value: detail ?? null,
        reason: null,
      });
      writing ??= write().finally(() => {
        writing = null;
      });
    },
    flush: () => writing ?? Promise.resolve(),
  };
}
