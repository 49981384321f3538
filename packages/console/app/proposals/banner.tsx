import { Link } from "@tanstack/react-router";
import { useProtected } from "../protection.ts";
import { TEXT } from "../text.ts";
import { useOpenProposals } from "./data.ts";

const { proposals: text } = TEXT;

/** Says on the page of a resource that changes need approval, and leads to the open proposals for it. */
export function ProposalBanner({ id }: { id: string }) {
  const isProtected = useProtected();
  const { items } = useOpenProposals(id);
  if (!isProtected) return null;
  return (
    <div className="note">
      <p>{text.banner}</p>
      {items.map((one) => (
        <p key={one.id}>
          <Link to="/proposals/$id" params={{ id: one.id }}>
            {text.openBy(one.author_name ?? text.someone)}
          </Link>
        </p>
      ))}
    </div>
  );
}
