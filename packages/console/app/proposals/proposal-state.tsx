import type { ProposalSummary } from "@assay/client";
import { TEXT } from "../text.ts";

/** The state of a proposal, in colour and words. */
export function ProposalState({ proposal: { status, is_stale } }: { proposal: ProposalSummary }) {
  if (is_stale) return <span className="badge warn">{TEXT.proposals.stale}</span>;
  return <span className={status === "OPEN" ? "badge state-active" : "badge"}>{TEXT.proposals.states[status]}</span>;
}
