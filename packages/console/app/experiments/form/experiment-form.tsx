import type { ExperimentCreate } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef } from "react";
import { Field } from "../../parts/field.tsx";
import { toPercent } from "../../parts/format.ts";
import { api } from "../../session.ts";
import { useMissingRole } from "../../shell/me.ts";
import { TEXT } from "../../text.ts";
import { Adjust } from "./adjust.tsx";
import { Arms } from "./arms.tsx";
import { EMPTY, type ExperimentDraft, hasOwnArms, toBody } from "./draft.ts";
import { otherIssues, toIssues } from "./issues.ts";
import { Metrics } from "./metrics.tsx";
import { useSampleSize } from "./size.ts";
import { SizeCard } from "./size-card.tsx";
import { StartFrom } from "./start-from.tsx";

const words = TEXT.newExperiment;
const SHOWN =
  /^(name|key|hypothesis|feature_flag_key|mutual_exclusion_group_id|variants|split_url_config\.variants|variance_reduction|variance_reduction\.(method|lookback_days|attributes))$|^(variants|split_url_config\.variants|metrics)\.\d+\.(key|weight|url|name|event_type|denominator_event_type|quantile)$/;

interface Props {
  draft: ExperimentDraft;
  setDraft: (draft: ExperimentDraft) => void;
  /** Whether a sentence or a template may fill the form. */
  isNew: boolean;
  submit: string;
  owner?: string;
  saving: { mutate: (body: ExperimentCreate) => void; isPending: boolean; error: unknown };
}

/** The design of an experiment: sample size first. */
export function ExperimentForm({ draft: kept, setDraft, isNew, submit, owner, saving }: Props) {
  // A draft that an earlier version of this page kept has no newer parts.
  const draft = { ...EMPTY, ...kept };
  const form = useRef<HTMLFormElement>(null);
  const size = useSampleSize(draft);
  const missing = useMissingRole("DEVELOPER", owner);
  const issues = toIssues(saving.error);
  const rest = otherIssues(saving.error, issues, (path) => SHOWN.test(path));
  const set = (change: Partial<ExperimentDraft>) => setDraft({ ...draft, ...change });
  // The first wrong field is where the user goes on.
  useEffect(() => {
    if (saving.error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [saving.error]);

  function send(event: FormEvent) {
    event.preventDefault();
    saving.mutate(toBody(draft, size.size?.total ?? draft.planned));
  }

  const card = <SizeCard draft={draft} answer={size} onChange={set} />;
  return (
    <>
      {isNew ? (
        <div className="split">
          {card}
          <StartFrom draft={draft} setDraft={setDraft} />
        </div>
      ) : (
        card
      )}
      <form ref={form} className="stack" onSubmit={send}>
        <section className="card stack" aria-labelledby="about">
          <h2 id="about">{words.about}</h2>
          <Field label={words.name} error={issues.get("name")}>
            <input
              required
              maxLength={255}
              value={draft.name}
              onInput={(event) => set({ name: event.currentTarget.value })}
            />
          </Field>
          <Field label={words.key} hint={words.keyHint} error={issues.get("key")}>
            <input
              className="mono"
              value={draft.key}
              spellCheck={false}
              autoCapitalize="off"
              onInput={(event) => set({ key: event.currentTarget.value })}
            />
          </Field>
          <Field label={words.hypothesis} hint={words.hypothesisHint} error={issues.get("hypothesis")}>
            <textarea
              rows={2}
              value={draft.hypothesis}
              onInput={(event) => set({ hypothesis: event.currentTarget.value })}
            />
          </Field>
        </section>
        <section className="card stack" aria-labelledby="arms">
          <h2 id="arms">{words.arms.title}</h2>
          <FlagChoice draft={draft} error={issues.get("feature_flag_key")} onChange={(flag) => set({ flag })} />
          {hasOwnArms(draft) && <Arms draft={draft} issues={issues} onChange={(arms) => set({ arms })} />}
          {(draft.more.factors ?? []).map(({ name, levels }) => (
            <p key={name}>{words.arms.factor(name, levels.join(", "))}</p>
          ))}
          {draft.more.targeting_rules && <p className="note">{words.targeted}</p>}
          <GroupChoice
            draft={draft}
            error={issues.get("mutual_exclusion_group_id")}
            onChange={(group) => set({ group })}
          />
        </section>
        <section className="card stack" aria-labelledby="metrics">
          <h2 id="metrics">{words.metrics.title}</h2>
          <p className="hint">{words.metrics.lead}</p>
          <Metrics metrics={draft.metrics} issues={issues} onChange={(metrics) => set({ metrics })} />
        </section>
        <Adjust draft={draft} issues={issues} onChange={set} />
        {rest && (
          <p role="alert" className="problem">
            {rest}
          </p>
        )}
        <div className="buttons">
          <button type="submit" className="primary" disabled={saving.isPending || missing !== undefined}>
            {submit}
          </button>
          {missing && <span className="hint">{TEXT.needsRole(TEXT.roles[missing])}</span>}
        </div>
      </form>
    </>
  );
}

interface ChoiceProps {
  draft: ExperimentDraft;
  error: string | undefined;
  onChange: (value: string) => void;
}

function FlagChoice({ draft, error, onChange }: ChoiceProps) {
  const { data } = useQuery({
    queryKey: ["flags", "choice"],
    queryFn: () => api.request("GET /feature-flags/", { query: { limit: 500, sort: "key" } }),
  });
  // A flag beyond the first page stays chosen.
  const keys = new Set([...(data ?? []).map(({ key }) => key), ...(draft.flag ? [draft.flag] : [])]);
  const { data: flag } = useQuery({
    queryKey: ["flag", draft.flag, "arms"],
    queryFn: () => api.request("GET /feature-flags/{id}", { params: { id: draft.flag } }),
    enabled: draft.flag !== "",
  });
  return (
    <>
      <Field label={words.flag} hint={words.flagHint} error={error}>
        <select value={draft.flag} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{words.noFlag}</option>
          {[...keys].map((key) => (
            <option key={key} value={key}>
              {key}
            </option>
          ))}
        </select>
      </Field>
      {draft.flag && flag && (
        <p>
          {flag.variants.length > 0
            ? words.flagArms(flag.variants.map(({ key, weight }) => `${key} ${toPercent(weight ?? 0)}`).join(", "))
            : words.flagOnOff}
        </p>
      )}
    </>
  );
}

function GroupChoice({ draft, error, onChange }: ChoiceProps) {
  const { data } = useQuery({
    queryKey: ["groups", "choice"],
    queryFn: () => api.request("GET /mutual-exclusion-groups", { query: { limit: 500, status_filter: "ACTIVE" } }),
  });
  const groups = data?.items ?? [];
  if (groups.length === 0 && !draft.group) return null;
  return (
    <Field label={words.group} hint={words.groupHint} error={error}>
      <select value={draft.group} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{words.noGroup}</option>
        {groups.map(({ id, name, free_percentage }) => (
          <option key={id} value={id}>
            {words.groupOption(name, toPercent(free_percentage))}
          </option>
        ))}
      </select>
    </Field>
  );
}
