import type { FeatureFlag } from "@assay/client";
import { useState } from "react";
import { RoleButton } from "../parts/needs-role.tsx";
import { TEXT } from "../text.ts";
import type { StoredFlag } from "./data.ts";
import { Review } from "./review.tsx";
import { RuleEditor } from "./rule-editor.tsx";
import { sayCondition, sayServe, sayTargeting } from "./words.ts";

/** The rules and the targeting of a flag in words, with an editor of the rules. */
export function Rules({ stored }: { stored: StoredFlag }) {
  const { flag } = stored;
  const hasDraft = sessionStorage.getItem(`assay.draft.rules.${flag.key}`) !== null;
  const [isEditing, setEditing] = useState(hasDraft);
  const [isEnabling, setEnabling] = useState(false);
  if (isEditing) return <RuleEditor stored={stored} isKept={hasDraft} onClose={() => setEditing(false)} />;
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
      <Targeting flag={flag} />
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

function Targeting({ flag }: { flag: FeatureFlag }) {
  const parts = sayTargeting(flag.targeting_rules);
  if (parts.length === 0) return <p className="muted">{TEXT.rules.noTargeting}</p>;
  return (
    <ul className="rules">
      {parts.map((part) => (
        <li key={part}>{part}</li>
      ))}
    </ul>
  );
}
