import type { Integration } from "@assay/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { RemoveDialog } from "../parts/remove-dialog.tsx";
import { CopyButton } from "../parts/secret.tsx";
import { ActionError, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { useMe } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { CONFIGS, useIntegration, webhookOf } from "./data.ts";
import { Deliveries } from "./deliveries.tsx";
import { draftKey, IntegrationForm } from "./integration-form.tsx";
import { IntegrationState } from "./states.tsx";

const { integrations: text } = TEXT;

/** One integration: its settings without secrets, a test of the connection, and what was sent and received. */
export function IntegrationPage() {
  const { id } = useParams({ from: "/integrations/$id" });
  const { data, error, isPending, refetch } = useIntegration(id);
  return (
    <div className="page">
      {isPending && <Skeleton rows={4} />}
      {!isPending && !data && <Problem error={error} onRetry={() => void refetch()} />}
      {data && <Detail key={id} integration={data} />}
    </div>
  );
}

function Detail({ integration }: { integration: Integration }) {
  const { id, name, description, is_active } = integration;
  const [open, setOpen] = useState<"edit" | "remove" | undefined>(hasDraft(draftKey(integration)) ? "edit" : undefined);
  const me = useMe();
  const queries = useQueryClient();
  const close = () => setOpen(undefined);
  const trial = useMutation({
    mutationFn: () => api.request("POST /integrations/{id}/test", { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["integration-deliveries", id] }),
  });
  // Who created it may change it with any role.
  const needs = me?.id === integration.created_by ? "VIEWER" : "DEVELOPER";
  return (
    <>
      <div>
        <h1>
          {name} <IntegrationState isActive={is_active} />
        </h1>
        {description && <p className="muted">{description}</p>}
      </div>
      {is_active ? (
        <div className="buttons start">
          <RoleButton needs="DEVELOPER" className="primary" disabled={trial.isPending} onClick={() => trial.mutate()}>
            {text.test}
          </RoleButton>
          <RoleButton needs={needs} onClick={() => setOpen("edit")}>
            {text.edit}
          </RoleButton>
          <RoleButton needs={needs} className="danger" onClick={() => setOpen("remove")}>
            {text.remove}
          </RoleButton>
        </div>
      ) : (
        <p className="note">{text.removed}</p>
      )}
      <div aria-live="polite">
        {trial.data && (
          <p className="sentence">
            <span className={`badge ${trial.data.success ? "state-active" : "critical"}`}>
              {trial.data.success ? text.works : text.fails}
            </span>{" "}
            {trial.data.reason ?? text.took(trial.data.latency_ms)}
          </p>
        )}
        <ActionError error={trial.error} />
      </div>
      <Settings integration={integration} />
      <h2>{text.deliveries}</h2>
      <Deliveries id={id} />
      {open === "edit" && <IntegrationForm integration={integration} onClose={close} />}
      {open === "remove" && (
        <RemoveDialog
          title={text.removeTitle(name)}
          lead={text.removeLead}
          submit={text.remove}
          remove={() => api.request("DELETE /integrations/{id}", { params: { id } })}
          reads={["integrations", "integration"]}
          onClose={close}
        />
      )}
    </>
  );
}

function Settings({ integration }: { integration: Integration }) {
  const { integration_type, config, is_active } = integration;
  return (
    <section className="card stack" aria-label={text.settings}>
      <dl className="facts">
        <div>
          <dt>{text.type}</dt>
          <dd>{text.types[integration_type]}</dd>
        </div>
        {CONFIGS[integration_type].map(({ name, kind }) => (
          <div key={name}>
            <dt>{text.fields[name]}</dt>
            <dd className="break">
              {kind === "secret" ? saySecret(config[name], is_active) : sayValue(kind, config[name])}
            </dd>
          </div>
        ))}
      </dl>
      {is_active && (
        <div>
          <p className="label">{text.webhook}</p>
          <div className="secret">
            <code>{webhookOf(integration)}</code>
            <CopyButton text={webhookOf(integration)} />
          </div>
        </div>
      )}
    </section>
  );
}

const saySecret = (value: unknown, isActive: boolean) => (value != null && isActive ? text.isSet : text.isUnset);

/** Says a field of the config that is no secret. */
function sayValue(kind: "text" | "check" | "transitions", value: unknown): string {
  if (kind === "check") return value === true ? TEXT.words.yes : TEXT.words.no;
  if (kind === "text") return value == null ? TEXT.none : String(value);
  if (value == null) return text.usual;
  return Object.entries(value)
    .map(([status, action]) => `${status} → ${text.actions[action as keyof typeof text.actions] ?? action}`)
    .join(", ");
}
