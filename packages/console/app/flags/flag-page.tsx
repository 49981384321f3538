import type { FeatureFlag } from "@assay/client";
import { isAssayError } from "@assay/client";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { toAgo, toValue } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Empty, Problem, Skeleton } from "../parts/states.tsx";
import { ProposalBanner } from "../proposals/banner.tsx";
import { TEXT } from "../text.ts";
import { type StoredFlag, useFlag } from "./data.ts";
import { FlagState } from "./flag-state.tsx";
import { History } from "./history.tsx";
import { Review } from "./review.tsx";
import { Rules } from "./rules.tsx";
import { TABS } from "./tabs.ts";
import { Variants } from "./variants.tsx";
import { Who } from "./who.tsx";
import { sayFlag } from "./words.ts";

const ScheduleTab = lazy(() =>
  import("../rollouts/schedule-tab.tsx").then((module) => ({ default: module.ScheduleTab })),
);
const SafetyTab = lazy(() => import("../rollouts/safety-tab.tsx").then((module) => ({ default: module.SafetyTab })));

const Settings = lazy(() => import("./settings.tsx").then((module) => ({ default: module.Settings })));

export function FlagPage() {
  const { key } = useParams({ from: "/flags/$key" });
  const { tab = "rules" } = useSearch({ from: "/flags/$key" });
  const { data: stored, error, isPending, refetch } = useFlag(key);
  if (isPending) {
    return (
      <div className="page">
        <h1>
          <code>{key}</code>
        </h1>
        <Skeleton rows={5} />
      </div>
    );
  }
  if (!stored) {
    const isUnknown = isAssayError(error) && error.status === 404;
    return (
      <div className="page">
        {isUnknown ? (
          <Empty
            action={
              <Link to="/flags" className="button">
                {TEXT.flags.clear}
              </Link>
            }
          >
            {TEXT.flag.notFound}
          </Empty>
        ) : (
          <Problem error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  const { flag } = stored;
  return (
    <div className="page">
      <div className="title-row">
        <div>
          <h1>
            {flag.name} <code className="key">{flag.key}</code> <FlagState status={flag.status} />
          </h1>
          {flag.description && <p className="muted">{flag.description}</p>}
        </div>
        <Toggle stored={stored} />
      </div>
      <p className="sentence">{sayFlag(flag)}</p>
      <ProposalBanner id={flag.id} />
      {flag.stale && (
        <p className="note">
          {TEXT.flag.stale(flag.stale_reasons.map((one) => TEXT.flags.staleReasons[one]).join(", "))}
        </p>
      )}
      <div className="split">
        <Rollout key={flag.version} stored={stored} />
        <FlagFacts flag={flag} />
      </div>
      <nav className="tabs" aria-label={flag.key}>
        {TABS.map((one) => (
          <Link
            key={one}
            to="/flags/$key"
            params={{ key }}
            search={{ tab: one }}
            replace
            aria-current={one === tab ? "page" : undefined}
          >
            {TEXT.flag.tabs[one]}
          </Link>
        ))}
      </nav>
      <section aria-label={TEXT.flag.tabs[tab]}>
        {tab === "rules" && <Rules stored={stored} />}
        {tab === "variants" && <Variants stored={stored} />}
        {tab === "who" && <Who flag={flag} />}
        <Suspense fallback={<Skeleton rows={3} />}>
          {tab === "schedule" && <ScheduleTab flag={flag} />}
          {tab === "settings" && <Settings stored={stored} />}
          {tab === "safety" && <SafetyTab flag={flag} />}
        </Suspense>
        {tab === "history" && <History stored={stored} />}
      </section>
    </div>
  );
}

/** Kill, or turn on. */
function Toggle({ stored }: { stored: StoredFlag }) {
  const [isOpen, setOpen] = useState(false);
  const { flag } = stored;
  if (flag.status === "ARCHIVED") return <p className="muted">{TEXT.flag.archived}</p>;
  const isOn = flag.status === "ACTIVE";
  const labels = isOn
    ? {
        title: TEXT.flag.killTitle(flag.key),
        lead: TEXT.flag.killLead(toValue(flag.default_value)),
        submit: TEXT.flag.killSubmit,
      }
    : { title: TEXT.flag.onTitle(flag.key), lead: sayFlag({ ...flag, status: "ACTIVE" }), submit: TEXT.flag.onSubmit };
  return (
    <>
      <RoleButton
        needs="DEVELOPER"
        owner={flag.created_by}
        className={isOn ? "danger" : "primary"}
        onClick={() => setOpen(true)}
      >
        {isOn ? TEXT.flag.kill : TEXT.flag.on}
      </RoleButton>
      {isOpen && (
        <Review
          {...labels}
          stored={stored}
          fields={{ status: isOn ? "INACTIVE" : "ACTIVE" }}
          isDangerous={isOn}
          reasonIsRequired={isOn}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function Rollout({ stored }: { stored: StoredFlag }) {
  const { flag } = stored;
  const { draft, setDraft, isChanged, clear } = useDraft(`rollout.${flag.key}`, flag.rollout_percentage);
  const [isOpen, setOpen] = useState(false);
  const isValid = Number.isFinite(draft) && draft >= 0 && draft <= 100;
  const change = (text: string) => setDraft(text === "" ? Number.NaN : Number(text));
  return (
    <section className="card">
      <h2>{TEXT.flag.rollout}</h2>
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
      >
        <input
          type="range"
          min={0}
          max={100}
          step={1}
          aria-label={TEXT.flag.rollout}
          value={isValid ? draft : 0}
          onInput={(event) => change(event.currentTarget.value)}
        />
        <Field label={TEXT.flag.rolloutLabel}>
          <input
            type="number"
            min={0}
            max={100}
            step="any"
            required
            value={Number.isFinite(draft) ? draft : ""}
            onInput={(event) => change(event.currentTarget.value)}
          />
        </Field>
        <RoleButton
          needs="DEVELOPER"
          owner={flag.created_by}
          disabled={!isChanged || !isValid}
          onClick={() => setOpen(true)}
        >
          {TEXT.flag.rolloutReview}
        </RoleButton>
      </form>
      {isOpen && isValid && (
        <Review
          title={TEXT.flag.reviewTitle}
          lead={sayFlag({ ...flag, rollout_percentage: draft })}
          stored={stored}
          fields={{ rollout_percentage: draft }}
          onClose={() => setOpen(false)}
          onSaved={clear}
        />
      )}
    </section>
  );
}

function FlagFacts({ flag }: { flag: FeatureFlag }) {
  const { facts } = TEXT.flag;
  return (
    <dl className="facts card">
      <div>
        <dt>{facts.evaluated}</dt>
        <dd>{toAgo(flag.last_evaluated_at)}</dd>
      </div>
      <div>
        <dt>{facts.changed}</dt>
        <dd>{toAgo(flag.updated_at)}</dd>
      </div>
      <div>
        <dt>{facts.type}</dt>
        <dd>{TEXT.newFlag.types[flag.value_type]}</dd>
      </div>
      <div>
        <dt>{facts.version}</dt>
        <dd>{flag.version}</dd>
      </div>
      <div>
        <dt>{facts.tags}</dt>
        <dd>
          {flag.tags.length === 0
            ? TEXT.none
            : flag.tags.map((tag) => (
                <span key={tag} className="tag">
                  {tag}
                </span>
              ))}
        </dd>
      </div>
    </dl>
  );
}
