import type { AreaInput } from "../../area.ts";
import type { Rights } from "../../identity/rights.ts";
import type { Collections } from "../../storage/collections.ts";
import type { NotificationService } from "../notifications/service.ts";
import { createDeciders } from "./deciders.ts";
import { watchProposals } from "./notices.ts";
import { protect } from "./protection.ts";
import { proposalCollection } from "./record.ts";
import { createProposalService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ proposals: define(proposalCollection) });

type Needed = {
  rights: Rights;
  roles: Parameters<typeof createProposalService>[0]["roles"];
  notifications: Pick<NotificationService, "prepare">;
};

export function create(input: AreaInput<Needed>) {
  const { runtime, records, environment, actorNames, pageLinks, api, services } = input;
  const { rights, roles, notifications } = services;
  protect({ records, environment, runtime, rights });
  const proposals = createProposalService({ records, environment, runtime, rights, roles, actorNames, api });
  const mayDecide = createDeciders({ records, rights, roles, allows: api.allows });
  watchProposals({ proposals: records.proposals, notifications, environment, actorNames, pageLinks, mayDecide });
  return { services: { proposals } };
}
