import type { FeatureFlag } from "@assay/client";
import { lazy, Suspense, useState } from "react";
import { hasDraft } from "../parts/draft.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Skeleton } from "../parts/states.tsx";
import { TEXT } from "../text.ts";
import type { StoredFlag } from "./data.ts";
import { Review } from "./review.tsx";
import { RuleEditor } from "./rule-editor.tsx";
import { sayCondition, sayServe, sayTargeting } from "./words.ts";

const TargetingEditor = lazy(() =>
  import("./targeting-editor.tsx").then((module) => ({ default: module.TargetingEditor })),
);

/** The rules and the targeting of a flag in words, with an editor of the rules. */
export function Rules({ stored }: { stored: StoredFlag }) {
  const { flag } = stored;
  const isDrafted = hasDraft(`rules.${flag.key}`);
  const [isEditing, setEditing] = useState(isDrafted);
  const [isEnabling, setEnabling] = useState(false);
  if (isEditing) return <RuleEditor stored={stored} isKept={isDrafted} onClose={() => setEditing(false)} />;
  return (
    <div className="stack">
      {!flag.rules_enabled && (
        <div className="note">
          {TEXT.rules.disabled}{" "}
          <RoleButton needs="DEVELOPER" owner={flag.created_by} onClick={() => setEnabling(true)}>
            {TEXT.rules.enable}
          </RoleButton>
        </div>
      )}
      {isEnabling && (
        <Review
          title={TEXT.flag.reviewTitle}
          stored={stored}
          fields={{ rules_enabled: true }}
          onClose={() => setEnabling(false)}
        />
      )}
      {flag.rules.length === 0 ? (
        <p className="muted">{TEXT.rules.empty}</p>
      ) : (
        <>
          <p className="muted">{TEXT.rules.lead}</p>
          <RuleList rules={flag.rules} />
        </>
      )}
      <div>
        <RoleButton needs="DEVELOPER" owner={flag.created_by} onClick={() => setEditing(true)}>
          {TEXT.rules.edit}
        </RoleButton>
      </div>
      <h2>{TEXT.rules.targeting}</h2>
      <Targeting stored={stored} />
    </div>
  );
}

function RuleList({ rules }: { rules: FeatureFlag["rules"] }) {
  return (
    <ol className="rules">
      {rules.map(({ id, when, serve }) => (
        <li key={id}>
          <b>{id}</b>
          <span>
            {TEXT.rules.if} {sayCondition(when)}, {TEXT.rules.thenServe} <strong>{sayServe(serve)}</strong>
          </span>
        </li>
      ))}
    </ol>
  );
}

function Targeting({ stored }: { stored: StoredFlag }) {
  const { flag } = stored;
  const isDrafted = hasDraft(`targeting.${flag.key}`);
  const [isEditing, setEditing] = useState(isDrafted);
  const parts = sayTargeting(flag.targeting_rules);
  if (isEditing) {
    return (
      <Suspense fallback={<Skeleton rows={4} />}>
        <TargetingEditor stored={stored} onClose={() => setEditing(false)} />
      </Suspense>
    );
  }
  return (
    <>
      {parts.length === 0 ? (
        <p className="muted">{TEXT.rules.noTargeting}</p>
      ) : (
        <ul className="rules">
          {parts.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      )}
      <div>
        <RoleButton needs="DEVELOPER" owner={flag.created_by} onClick={() => setEditing(true)}>
          {TEXT.targeting.edit}
        </RoleButton>
      </div>
    </>
  );
}
