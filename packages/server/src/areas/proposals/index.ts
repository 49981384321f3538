import type { AreaInput } from "../../area.ts";
import type { Rights } from "../../identity/rights.ts";
import type { Collections } from "../../storage/collections.ts";
import { protect } from "./protection.ts";
import { proposalCollection } from "./record.ts";
import { createProposalService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ proposals: define(proposalCollection) });

type Needed = { rights: Rights; roles: Parameters<typeof createProposalService>[0]["roles"] };

export function create({ runtime, records, environment, actorNames, api, services }: AreaInput<Needed>) {
  const { rights, roles } = services;
  protect({ records, environment, runtime, rights });
  const proposals = createProposalService({ records, environment, runtime, rights, roles, actorNames, api });
  return { services: { proposals } };
}
