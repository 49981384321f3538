import type { NotificationEvent } from "@assay/contract";
import { hideEmails } from "../../audit/privacy.ts";
import type { PageLinks } from "../../http/page-links.ts";
import type { ActorNames } from "../../identity/actor-names.ts";
import type { UserRecord } from "../../model/user.ts";
import type { Collection, DocumentWrite } from "../../storage/collection.ts";
import type { NotificationService } from "../notifications/service.ts";
import type { ProposalRecord } from "./record.ts";

/** The events, by the state that a proposal gets. Who withdraws their own needs no notice. */
const EVENTS: Partial<Record<ProposalRecord["status"], [NotificationEvent, string]>> = {
  OPEN: ["PROPOSAL_CREATED", "proposed by"],
  APPLIED: ["PROPOSAL_APPROVED", "approved by"],
  REJECTED: ["PROPOSAL_REJECTED", "rejected by"],
};

/**
 * Notifies of proposals: their authors, and the users who may decide them, but not of what they did themselves. Messages
 * contain no values, which only those see who open the proposal.
 */
export function watchProposals(deps: {
  proposals: Collection<ProposalRecord>;
  notifications: Pick<NotificationService, "prepare">;
  environment: { name: string };
  actorNames: ActorNames;
  pageLinks: PageLinks;
  mayDecide: (user: UserRecord, proposal: ProposalRecord) => boolean;
}): void {
  const { proposals, notifications, environment, actorNames, pageLinks, mayDecide } = deps;

  proposals.alongside(({ id, before, after }: DocumentWrite<ProposalRecord>) => {
    const event = after && after.status !== before?.status ? EVENTS[after.status] : undefined;
    if (!event || !after) return null;
    const { action, resource_type, resource_id, resource_name, author_id, decided_by } = after;
    const [name, verb] = event;
    const actor = decided_by ?? author_id;
    const reason = decided_by === null ? after.reason : after.decision_reason;
    const who = hideEmails(actorNames.nameOf({ actor_type: "USER", actor_id: actor }) ?? "a former user");
    const change = `${action.replaceAll(/[_.]/g, " ")} of ${JSON.stringify(resource_name)}`;
    const url = pageLinks(`proposals/${id}`);
    return notifications.prepare({
      concerns: (user) => user.id !== actor && (user.id === author_id || mayDecide(user, after)),
      notice: {
        event: name,
        title: `Proposal ${verb} ${who}: ${change}`,
        text: [
          `The ${change} in ${environment.name} was ${verb} ${who}.`,
          ...(reason ? [`Reason: ${reason}`] : []),
          url === null ? `Proposal: ${id}` : `See the proposal: ${url}`,
        ].join("\n"),
        data: {
          ...{ proposal_id: id, environment: environment.name, action },
          ...{ resource_type, resource_id, resource_name, author_id, decided_by, reason },
          ...(url !== null && { url }),
        },
      },
    });
  });
}
