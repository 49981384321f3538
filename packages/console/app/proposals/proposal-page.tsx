import type { Proposal } from "@assay/client";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { DiffTable, type Fact } from "../parts/diff.tsx";
import { toAction, toMinute, toValue } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { Problem, Skeleton } from "../parts/states.tsx";
import { useMe } from "../shell/me.ts";
import { TEXT } from "../text.ts";
import { useProposal } from "./data.ts";
import { Decide, type Decision } from "./decide.tsx";
import { ProposalState } from "./proposal-state.tsx";

const { proposals: text } = TEXT;

export function ProposalPage() {
  const { id } = useParams({ from: "/proposals/$id" });
  const { data: proposal, error, isPending, refetch } = useProposal(id);
  return (
    <div className="page">
      {isPending && <Skeleton rows={4} />}
      {!isPending && !proposal && <Problem error={error} onRetry={() => void refetch()} />}
      {proposal && <ProposalDetail proposal={proposal} />}
    </div>
  );
}

function ProposalDetail({ proposal }: { proposal: Proposal }) {
  const { action, status, is_stale, problem, old_value, new_value } = proposal;
  return (
    <>
      <div className="title-row">
        <h1>
          {toAction(action)} <code className="key">{proposal.resource_name}</code> <ProposalState proposal={proposal} />
        </h1>
        {status === "OPEN" && <Buttons proposal={proposal} />}
      </div>
      <Subject proposal={proposal} />
      {is_stale && <p className="note">{text.staleLead}</p>}
      {problem && !is_stale && <p className="note">{text.problem(problem)}</p>}
      <dl className="facts card">
        <div>
          <dt>{text.columns.author}</dt>
          <dd>{proposal.author_name ?? text.someone}</dd>
        </div>
        <div>
          <dt>{text.columns.when}</dt>
          <dd>{toMinute(proposal.created_at)}</dd>
        </div>
        <div>
          <dt>{text.columns.reason}</dt>
          <dd>{proposal.reason ?? TEXT.none}</dd>
        </div>
        {proposal.decided_at && (
          <div>
            <dt>{text.states[status]}</dt>
            <dd>
              {proposal.decided_by_name ?? text.someone}, {toMinute(proposal.decided_at)}
              {proposal.decision_reason && <p className="muted">{proposal.decision_reason}</p>}
            </dd>
          </div>
        )}
      </dl>
      <h2>{text.difference}</h2>
      {old_value === null && <p>{text.creates}</p>}
      {new_value === null && <p>{text.deletes}</p>}
      <DiffTable before={toFacts(old_value)} after={toFacts(new_value)} />
    </>
  );
}

/** A link to what the proposal changes. */
function Subject({ proposal: { resource_type, resource_id } }: { proposal: Proposal }) {
  if (resource_id === null) return null;
  if (resource_type === "feature_flag") {
    return (
      <p>
        <Link to="/flags/$key" params={{ key: resource_id }}>
          {text.toFlag}
        </Link>
      </p>
    );
  }
  if (resource_type === "experiment") {
    return (
      <p>
        <Link to="/experiments/$key" params={{ key: resource_id }}>
          {text.toExperiment}
        </Link>
      </p>
    );
  }
  if (resource_type !== "segment") return null;
  return (
    <p>
      <Link to="/segments/$id" params={{ id: resource_id }}>
        {text.toSegment}
      </Link>
    </p>
  );
}

function Buttons({ proposal }: { proposal: Proposal }) {
  const me = useMe();
  const [open, setOpen] = useState<Decision>();
  const isOwn = me?.id === proposal.author_id;
  return (
    <div className="buttons">
      {isOwn ? (
        <button type="button" onClick={() => setOpen("withdraw")}>
          {text.withdraw}
        </button>
      ) : (
        <>
          <RoleButton needs="DEVELOPER" onClick={() => setOpen("reject")}>
            {text.reject}
          </RoleButton>
          <RoleButton
            needs="DEVELOPER"
            className="primary"
            disabled={proposal.is_stale || proposal.problem !== null}
            onClick={() => setOpen("approve")}
          >
            {text.approve}
          </RoleButton>
        </>
      )}
      {open && <Decide proposal={proposal} decision={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

function toFacts(fields: Proposal["old_value"]): Fact[] {
  return Object.entries(fields ?? {}).map(([name, value]) => ({
    label: name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " "),
    text: value === null ? TEXT.none : toValue(value),
  }));
}
