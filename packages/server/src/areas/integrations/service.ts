import type {
  Integration,
  IntegrationCreate,
  IntegrationCreated,
  IntegrationTest,
  IntegrationType,
  IntegrationUpdate,
  SecretConfigField,
} from "@assay/contract";
import { badRequest, forbidden, notFound } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { contains } from "../../http/page.ts";
import type { Trail } from "../../identity/trail.ts";
import { type Caller, mayAs, personOf } from "../../model/caller.ts";
import { type Secrets, SecretUnreadable } from "../../secrets/secrets.ts";
import type { Actor, Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import { checkConnection } from "./check.ts";
import { maskedConfig, mergeConfig, type SplitConfig, toConfig } from "./config.ts";
import type { Connections } from "./connection.ts";
import type { Deliveries, DeliveryRecord } from "./delivery.ts";
import { contextOf, type IntegrationRecord } from "./record.ts";
import { warningsOf } from "./unsigned.ts";
import type { Webhooks } from "./webhook.ts";

export interface IntegrationFilter {
  type?: IntegrationType | undefined;
  is_active?: boolean | undefined;
  search?: string | undefined;
}

export interface IntegrationService {
  /** @throws ApiError 400 naming missing config fields, 409 if an active one has this type and name, 422 */
  create(body: IntegrationCreate, caller: Caller, by: Change): Promise<Integration & IntegrationCreated>;
  /** Newest first. */
  list(filter: IntegrationFilter): Integration[];
  /** Secrets masked. @throws ApiError 404 */
  get(id: string): Integration;
  /** @throws ApiError 400 if it is not active, 403, 404, 409, 412, 422 */
  update(id: string, body: IntegrationUpdate, caller: Caller, by: Change, ifVersion?: number): Promise<Integration>;
  /** Deactivates and erases its secrets. An inactive one stays unchanged. @throws ApiError 403, 404, 412 */
  deactivate(id: string, caller: Caller, by: Change, ifVersion?: number): Promise<void>;
  /** Calls the other system, and records the attempt in the audit trail. @throws ApiError 400 if it is not active, 404 */
  test(id: string, actor: Actor): Promise<IntegrationTest>;
  /** Newest first. @throws ApiError 404 */
  deliveries(id: string): Promise<DeliveryRecord[]>;
  /** @throws ApiError 400, 401, 404, 415, 422 */
  receive: Webhooks["receive"];
}

export function createIntegrationService(deps: {
  runtime: Runtime;
  integrations: Collection<IntegrationRecord>;
  secrets: Secrets;
  connections: Connections;
  deliveries: Deliveries;
  webhooks: Webhooks;
  trail: Trail;
}): IntegrationService {
  const { runtime, integrations, secrets, connections, deliveries, webhooks, trail } = deps;

  const toAnswer = (record: IntegrationRecord): Integration => ({ ...record, config: maskedConfig(record) });

  /** Decrypts a secret. Returns null if no key can decrypt it. */
  function open(integration: IntegrationRecord, field: SecretConfigField): string | null {
    try {
      return secrets.open(integration.secrets[field] ?? "", contextOf(integration.id, field));
    } catch (error) {
      if (error instanceof SecretUnreadable) return null;
      throw error;
    }
  }

  function sealed(id: string, { shown, secrets: plain }: SplitConfig, before?: IntegrationRecord) {
    const own: IntegrationRecord["secrets"] = {};
    const setAt: IntegrationRecord["secrets_set_at"] = {};
    for (const [field, text] of Object.entries(plain) as [SecretConfigField, string][]) {
      const old = before?.secrets[field];
      const isSame = old && before && open(before, field) === text;
      own[field] = isSame ? old : secrets.seal(text, contextOf(id, field));
      setAt[field] = (isSame && before?.secrets_set_at[field]) || timestampOf(runtime.now());
    }
    return { config: shown, secrets: own, secrets_set_at: setAt };
  }

  function requireActive(integration: IntegrationRecord): IntegrationRecord {
    if (!integration.is_active) throw badRequest("The integration is not active");
    return integration;
  }

  /** Requires a DEVELOPER or the creator. Others cannot find out whether it exists. */
  function requireEditor(id: string, caller: Caller): IntegrationRecord {
    const integration = integrations.get(id);
    const isOwner = integration !== undefined && integration.created_by === personOf(caller);
    if (caller.type === "ANONYMOUS" || !(isOwner || mayAs(caller, "DEVELOPER"))) throw forbidden("DEVELOPER or owner");
    if (!integration) throw notFound();
    return integration;
  }

  return {
    async create({ config, ...body }, caller, by) {
      const id = runtime.id();
      const creator = personOf(caller) ?? "";
      const fields = { ...body, is_active: true, created_by: creator, edited_by: creator };
      const integration = { id, ...fields, ...sealed(id, toConfig(body.integration_type, config)) };
      const record = await integrations.insert(integration, by);
      return { ...toAnswer(record), ...warningsOf(record) };
    },
    list({ type, is_active, search }) {
      return integrations
        .all()
        .reverse()
        .filter((one) => type === undefined || one.integration_type === type)
        .filter((one) => is_active === undefined || one.is_active === is_active)
        .filter(({ name, description }) => contains([name, description], search))
        .map(toAnswer);
    },
    get: (id) => toAnswer(integrations.require(id)),
    async update(id, { config, name, description }, caller, by, ifVersion) {
      requireEditor(id, caller);
      const change = (current: IntegrationRecord): IntegrationRecord => {
        requireActive(current);
        return {
          ...current,
          edited_by: personOf(caller) ?? current.created_by,
          name: name ?? current.name,
          description: description === undefined ? current.description : (description ?? ""),
          ...(config
            ? sealed(
                id,
                mergeConfig(current, config, (field) => open(current, field)),
                current,
              )
            : {}),
        };
      };
      return toAnswer(await integrations.update(id, change, by, { ifVersion }));
    },
    async deactivate(id, caller, by, ifVersion) {
      requireEditor(id, caller);
      const change = (current: IntegrationRecord): IntegrationRecord => ({
        ...current,
        is_active: false,
        secrets: Object.fromEntries(Object.keys(current.secrets).map((field) => [field, ""])),
      });
      await integrations.update(id, change, by, { ifVersion });
    },
    async test(id, actor) {
      const integration = requireActive(integrations.require(id));
      const answer = await checkConnection(integration, { connections, runtime });
      const { success, status } = answer;
      const of = { resource_type: "integration", resource_id: integration.id, resource_name: integration.name };
      trail.record({ action: "integration.test", actor, ...of, detail: { success, status } });
      return answer;
    },
    deliveries: async (id) => deliveries.list(integrations.require(id).id),
    receive: webhooks.receive,
  };
}
