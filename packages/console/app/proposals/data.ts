import type { ProposalSummary } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { useProtected } from "../protection.ts";
import { api } from "../session.ts";
import { useHasRole } from "../shell/me.ts";

/** Returns the newest open proposals, of all resources or of one, and their number. Empty for those who may not read them. */
export function useOpenProposals(resource_id?: string): { items: ProposalSummary[]; total: number } {
  const enabled = useProtected();
  const mayRead = useHasRole("ANALYST");
  const { data = { items: [], total: 0 } } = useQuery({
    queryKey: ["proposals", "open", resource_id],
    enabled: enabled && mayRead,
    queryFn: () => api.request("GET /proposals", { query: { status: "OPEN", resource_id, limit: 5 } }),
  });
  return data;
}

export function useProposal(id: string) {
  return useQuery({
    queryKey: ["proposals", id],
    queryFn: () => api.request("GET /proposals/{id}", { params: { id } }),
  });
}
