import { TEXT } from "../text.ts";
import { useOpenProposals } from "./data.ts";

/** The number of open proposals. */
export function OpenCount() {
  const { total } = useOpenProposals();
  return total === 0 ? null : <span className="nav-count">{TEXT.proposals.count(total)}</span>;
}
