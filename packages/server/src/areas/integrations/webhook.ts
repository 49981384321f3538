import { createHash } from "node:crypto";
import type { IntegrationType, LifecycleAction } from "@assay/contract";
import { ApiError, invalid, isApiError, notFound } from "../../ground/errors.ts";
import type { Runtime } from "../../ground/runtime.ts";
import { parseBody } from "../../http/parse-body.ts";
import type { AccessTrail } from "../../identity/access.ts";
import { type Rights, unchanged } from "../../identity/rights.ts";
import type { Trail } from "../../identity/trail.ts";
import { mayAs, type UserCaller } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { UserRecord } from "../../model/user.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Actor, Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import type { ExperimentService } from "../experiments/service.ts";
import type { RoleService } from "../roles/service.ts";
import type { Deliveries, DeliveryRecord } from "./delivery.ts";
import { codehostNotice, crmNotice, type Notice, trackerNotice } from "./notice.ts";
import { contextOf, type IntegrationRecord } from "./record.ts";
import { isSame, signatureOf } from "./signature.ts";
import { SET_SECRET } from "./unsigned.ts";

/** A webhook as received. */
export interface IncomingWebhook {
  type: IntegrationType;
  bytes: Uint8Array;
  request: Request;
  /** From the query. */
  token?: string | undefined;
  actor: Actor;
}

/** Receives webhooks: verifies, deduplicates and performs them. */
export interface Webhooks {
  /** @throws ApiError 400, 401, 404 also if it is inactive or of another type, 415, 422 */
  receive(id: string, webhook: IncomingWebhook): Promise<{ processed: boolean; duplicate?: boolean }>;
}

export interface WebhookDeps {
  runtime: Runtime;
  integrations: Collection<IntegrationRecord>;
  experiments: Collection<ExperimentRecord>;
  users: Collection<UserRecord>;
  roles: Pick<RoleService, "allows">;
  rights: Rights;
  experimentService: Pick<ExperimentService, "move" | "complete">;
  secrets: Secrets;
  trail: Trail;
  access: AccessTrail;
  deliveries: Deliveries;
}

/** The result of a notice. */
type Outcome = Pick<DeliveryRecord, "status" | "reason" | "action" | "experiment_id" | "experiment_key">;

/** The user a webhook acts for, the last editor of its integration, and the actor in the audit trail. */
interface Editor {
  caller: UserCaller;
  name: string;
}

const EXPERIMENTS_UPDATE = { resource: "experiments", action: "UPDATE" } as const;
const NEXT = { START: "ACTIVE", PAUSE: "PAUSED", ARCHIVE: "ARCHIVED" } as const;

export function createWebhooks(deps: WebhookDeps): Webhooks {
  const { runtime, integrations, experiments, secrets, trail, access, deliveries } = deps;
  /** Deliveries this node is processing. */
  const inFlight = new Set<string>();

  /**
   * Whether the webhook carries the configured secrets. Returns null if the integration has none. @throws ApiError 401
   */
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

  /** Returns the last editor of the integration with current rights, or null without any. */
  function editorOf({ created_by, edited_by = created_by }: IntegrationRecord, actor: Actor): Editor | null {
    const user = deps.users.get(edited_by);
    if (!user?.is_active || user.deleted_at !== null) return null;
    const caller: UserCaller = {
      type: "USER",
      actor,
      userId: user.id,
      role: user.role,
      isSuperuser: user.is_superuser,
      granted: deps.roles.allows(user.id, EXPERIMENTS_UPDATE) ? EXPERIMENTS_UPDATE : undefined,
      sessionId: null,
    };
    return mayAs(caller, "DEVELOPER") ? { caller, name: `${user.username} (${user.id})` } : null;
  }

  /** Changes one experiment. Returns the reason of a refusal, or null. */
  async function change(
    experiment: ExperimentRecord,
    action: LifecycleAction | "NOTE",
    caller: UserCaller,
    by: Change,
  ): Promise<string | null> {
    try {
      if (action === "NOTE") deps.rights.require(by, "experiments", unchanged(experiment));
      else if (action === "COMPLETE") await deps.experimentService.complete(experiment.id, undefined, caller, by);
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
    const editor = editorOf(integration, actor);
    const source = { integration: integration.name, editor: editor?.name ?? null };
    const because = `${reason} (integration "${source.integration}", for its last editor ${source.editor})`;
    const does = `experiment.${action.toLowerCase()}`;
    const refusals: string[] = [];
    for (const experiment of concerned) {
      const about = { actor, resource_type: "experiment", resource_id: experiment.id, resource_name: experiment.key };
      const by: Change = { actor, caller: editor?.caller, action: does, reason: because };
      const refusal = editor ? await change(experiment, action, editor.caller, by) : NO_EDITOR;
      if (refusal === null) {
        if (action === "NOTE") trail.record({ ...about, action: does, detail: { note: reason, ...source } });
        continue;
      }
      refusals.push(refusal);
      trail.record({
        ...about,
        action: "experiment.change_refused",
        detail: { asked: action, because: reason, refusal, ...source },
      });
    }
    if (refusals.length === concerned.length) return ignored([...new Set(refusals)].join("; "));
    return { status: "PROCESSED", action: does, reason, ...named };
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
          // Only signed bodies can be replayed by others. Without a signature, an equal body is a new message.
          body_hash: integration.secrets.webhook_secret ? hashOf(webhook.bytes) : null,
        }),
      );
      // An interrupted delivery is processed again when it is repeated.
      if (isRepeat && (delivery?.status !== "RECEIVED" || inFlight.has(delivery.id))) {
        return { processed: true, duplicate: true };
      }
      inFlight.add(delivery!.id);
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
        inFlight.delete(delivery!.id);
      }
      return { processed: true };
    },
  };
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const NO_EDITOR = "The last editor of the integration may no longer change experiments";
const UNTRUSTED = {
  status: "IGNORED" as const,
  reason: `The integration has no webhook secret; ${SET_SECRET}, or allow_unsigned`,
};
