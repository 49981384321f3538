import { createHash } from "node:crypto";
import type { IntegrationType, LifecycleAction } from "@assay/contract";
import { parseBody } from "../../http/body.ts";
import { ApiError, invalid, isApiError, notFound } from "../../http/errors.ts";
import type { AccessTrail } from "../../identity/access.ts";
import { mayAs, type UserCaller } from "../../identity/caller.ts";
import type { Trail } from "../../identity/trail.ts";
import type { Runtime } from "../../runtime.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Actor } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import type { ExperimentRecord } from "../experiments/record.ts";
import type { ExperimentService } from "../experiments/service.ts";
import type { RoleService } from "../roles/service.ts";
import type { UserRecord } from "../users/record.ts";
import type { Deliveries, DeliveryRecord } from "./delivery.ts";
import { codehostNotice, crmNotice, type Notice, trackerNotice } from "./notice.ts";
import { contextOf, type IntegrationRecord } from "./record.ts";
import { isSame, signatureOf } from "./signature.ts";

/** A webhook as it came. */
export interface IncomingWebhook {
  type: IntegrationType;
  bytes: Uint8Array;
  request: Request;
  /** From the query. */
  token?: string | undefined;
  actor: Actor;
}

/** Receives webhooks: checks, remembers and does what they say. */
export interface Webhooks {
  /** @throws ApiError 400, 401, 404 also where it is not active or of another type, 415, 422 */
  receive(id: string, webhook: IncomingWebhook): Promise<{ processed: boolean; duplicate?: boolean }>;
}

export interface WebhookDeps {
  runtime: Runtime;
  integrations: Collection<IntegrationRecord>;
  experiments: Collection<ExperimentRecord>;
  users: Collection<UserRecord>;
  roles: Pick<RoleService, "allows">;
  experimentService: Pick<ExperimentService, "move" | "complete">;
  secrets: Secrets;
  trail: Trail;
  access: AccessTrail;
  deliveries: Deliveries;
}

/** What was done with a notice. */
type Outcome = Pick<DeliveryRecord, "status" | "reason" | "action" | "experiment_id" | "experiment_key">;

const NEXT = { START: "ACTIVE", PAUSE: "PAUSED", ARCHIVE: "ARCHIVED" } as const;

export function createWebhooks(deps: WebhookDeps): Webhooks {
  const { runtime, integrations, experiments, secrets, trail, access, deliveries } = deps;
  /** Deliveries that this node is working on. */
  const underWay = new Set<string>();

  /** Whether the secrets agreed on are there; null where none are. @throws ApiError 401 */
  function verify(integration: IntegrationRecord, { bytes, request, token, actor }: IncomingWebhook): true | null {
    const { webhook_secret, webhook_token } = integration.secrets;
    if (!webhook_secret && !webhook_token) return null;
    const open = (field: "webhook_secret" | "webhook_token") =>
      secrets.open(integration.secrets[field] ?? "", contextOf(integration.id, field));
    const { headers } = request;
    const signature = headers.get("x-hub-signature-256") ?? headers.get("x-hub-signature");
    const shown = headers.get("x-assay-webhook-token") ?? token ?? null;
    try {
      const isGood =
        (!webhook_secret || isSame(signature, signatureOf(bytes, open("webhook_secret")))) &&
        (!webhook_token || isSame(shown, open("webhook_token")));
      if (isGood) return true;
    } catch (error) {
      runtime.logger.error("A webhook cannot be checked", { integration: integration.id, error: String(error) });
    }
    access.webhookRefused(integration.id, actor);
    throw new ApiError(401, "Invalid webhook signature");
  }

  function toNotice(integration: IntegrationRecord, { bytes, request }: IncomingWebhook): Notice {
    const body = bytes.byteLength === 0 ? undefined : parseBody(bytes, request);
    if (body === null || typeof body !== "object" || Array.isArray(body)) {
      throw invalid(["body"], "Expected a JSON object", "invalid_type");
    }
    const { headers } = request;
    switch (integration.integration_type) {
      case "TRACKER":
        return trackerNotice(integration, body as Record<string, unknown>);
      case "CRM":
        return crmNotice(integration, body as Record<string, unknown>);
      case "CODEHOST": {
        const event = headers.get("x-codehost-event") ?? headers.get("x-github-event") ?? "unknown";
        return codehostNotice(event.slice(0, 100), body as Record<string, unknown>);
      }
    }
  }

  /** Whoever created the integration, with their rights of this moment; null where they have none any more. */
  function toCaller({ created_by }: IntegrationRecord, actor: Actor): UserCaller | null {
    const creator = deps.users.get(created_by);
    if (!creator?.is_active || creator.deleted_at !== null) return null;
    const caller: UserCaller = {
      type: "USER",
      actor,
      userId: creator.id,
      role: creator.role,
      isSuperuser: creator.is_superuser,
      granted: deps.roles.allows(creator.id, { resource: "experiments", action: "UPDATE" }),
      sessionId: null,
    };
    return mayAs(caller, "DEVELOPER") ? caller : null;
  }

  /** Does one thing to one experiment; answers why it was refused, null where it was done. */
  async function change(
    experiment: ExperimentRecord,
    action: LifecycleAction,
    caller: UserCaller | null,
    reason: string,
    actor: Actor,
  ): Promise<string | null> {
    if (!caller) return "Whoever created the integration may not change experiments any more";
    const by = { actor, action: `experiment.${action.toLowerCase()}`, reason };
    try {
      if (action === "COMPLETE") await deps.experimentService.complete(experiment.id, undefined, caller, by);
      else await deps.experimentService.move(experiment.id, NEXT[action], caller, by);
      return null;
    } catch (error) {
      if (isApiError(error)) return error.message;
      throw error;
    }
  }

  async function perform(integration: IntegrationRecord, notice: Notice, actor: Actor): Promise<Outcome> {
    const all = experiments.all().filter((one) => notice.concerns(one));
    const concerned = all.filter((one) => !notice.onlyActive || one.status === "ACTIVE");
    const [only] = all.length === 1 ? all : [];
    const named = { experiment_id: only?.id ?? null, experiment_key: only?.key ?? null };
    const ignored = (reason: string): Outcome => ({ status: "IGNORED", action: null, reason, ...named });
    const { action, reason } = notice;
    if (action === null) return ignored(reason);
    if (all.length === 0) return ignored(`No experiment is linked to ${notice.subject ?? "it"}`);
    if (concerned.length === 0) return ignored("The experiment is not ACTIVE");
    const caller = toCaller(integration, actor);
    const refusals: string[] = [];
    for (const experiment of concerned) {
      const about = { actor, resource_type: "experiment", resource_id: experiment.id, resource_name: experiment.key };
      if (action === "NOTE") {
        trail.record({ ...about, action: "experiment.note", detail: { note: reason } });
        continue;
      }
      const refusal = await change(experiment, action, caller, reason, actor);
      if (refusal === null) continue;
      refusals.push(refusal);
      trail.record({
        ...about,
        action: "experiment.change_refused",
        detail: { asked: action, because: reason, refusal },
      });
    }
    if (refusals.length === concerned.length) return ignored([...new Set(refusals)].join("; "));
    return { status: "PROCESSED", action: `experiment.${action.toLowerCase()}`, reason, ...named };
  }

  return {
    async receive(id, webhook) {
      const integration = integrations.get(id);
      if (!integration?.is_active || integration.integration_type !== webhook.type) throw notFound();
      const verified = verify(integration, webhook);
      const notice = toNotice(integration, webhook);
      const { headers } = webhook.request;
      const deliveryId =
        headers.get("x-codehost-delivery") ??
        headers.get("x-github-delivery") ??
        headers.get("x-atlassian-webhook-identifier");
      const { isRepeat, delivery } = await deliveries.receive(
        deliveries.create({
          integration_id: id,
          direction: "INBOUND",
          event: notice.event,
          subject: notice.subject,
          verified: verified === true,
          delivery_id: deliveryId?.slice(0, 256) ?? null,
          // Only what is signed can be replayed by others; without, the same words again are meant again.
          body_hash: integration.secrets.webhook_secret ? hashOf(webhook.bytes) : null,
        }),
      );
      // One that was cut off half-way is done when it comes again.
      if (isRepeat && (delivery?.status !== "RECEIVED" || underWay.has(delivery.id))) {
        return { processed: true, duplicate: true };
      }
      underWay.add(delivery!.id);
      try {
        const actor: Actor = { ...webhook.actor, actor_type: "WEBHOOK", actor_id: id };
        const isTrusted = verified || integration.config.allow_unsigned === true;
        const outcome = isTrusted ? await perform(integration, notice, actor) : UNTRUSTED;
        await deliveries.save({ ...delivery!, ...outcome });
      } catch (error) {
        if (error instanceof Error && error.name === "StoreUnavailable") throw error;
        runtime.logger.error("A webhook could not be processed", { integration: id, error: String(error) });
        await deliveries.save({ ...delivery!, status: "FAILED", reason: "Unexpected error" });
      } finally {
        underWay.delete(delivery!.id);
      }
      return { processed: true };
    },
  };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const UNTRUSTED = {
  status: "IGNORED" as const,
  reason: "It carries no secret: set webhook_secret or webhook_token, or allow_unsigned",
};
