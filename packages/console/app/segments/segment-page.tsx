import type { Segment, SegmentUse } from "@assay/client";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { Stored } from "../parts/change.ts";
import { hasDraft } from "../parts/draft.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { RemoveDialog } from "../parts/remove-dialog.tsx";
import { ReviewChange } from "../parts/review.tsx";
import { Problem, Skeleton } from "../parts/states.tsx";
import { ProposalBanner } from "../proposals/banner.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { editSegment, saySegment, toFacts, useSegment } from "./data.ts";
import { Membership } from "./membership.tsx";
import { EditSegment } from "./segment-editor.tsx";
import { SegmentState } from "./segment-state.tsx";

const { segments: text } = TEXT;

export function SegmentPage() {
  const { id } = useParams({ from: "/segments/$id" });
  const { data: stored, error, isPending, refetch } = useSegment(id);
  return (
    <div className="page">
      {isPending && <Skeleton rows={4} />}
      {!isPending && !stored && <Problem error={error} onRetry={() => void refetch()} />}
      {stored && <SegmentDetail key={id} stored={stored} />}
    </div>
  );
}

function SegmentDetail({ stored }: { stored: Stored<Segment> }) {
  const { value: segment } = stored;
  const navigate = useNavigate();
  const isDrafted = hasDraft(`segment.${segment.id}`);
  const [open, setOpen] = useState<"edit" | "status" | "remove" | undefined>(isDrafted ? "edit" : undefined);
  const close = () => setOpen(undefined);
  const isActive = segment.status === "ACTIVE";
  return (
    <>
      <div>
        <h1>
          {segment.name} <SegmentState status={segment.status} />
        </h1>
        {segment.description && <p className="muted">{segment.description}</p>}
      </div>
      <p className="sentence">{saySegment(segment)}</p>
      <ProposalBanner id={segment.id} />
      {open !== "edit" && (
        <div className="buttons start">
          <RoleButton needs="DEVELOPER" className="primary" onClick={() => setOpen("edit")}>
            {text.edit}
          </RoleButton>
          <RoleButton needs="DEVELOPER" onClick={() => setOpen("status")}>
            {isActive ? text.archive : text.restore}
          </RoleButton>
          <RoleButton needs="DEVELOPER" className="danger" onClick={() => setOpen("remove")}>
            {text.remove}
          </RoleButton>
        </div>
      )}
      {open === "edit" && <EditSegment stored={stored} onClose={close} />}
      {open === "status" && (
        <ReviewChange
          title={isActive ? text.archiveTitle(segment.name) : text.restoreTitle(segment.name)}
          stored={stored}
          fields={{ status: isActive ? "ARCHIVED" : "ACTIVE" }}
          editable={editSegment(segment.id)}
          toFacts={toFacts}
          submit={isActive ? text.archive : text.restore}
          onClose={close}
        />
      )}
      {open === "remove" && (
        <RemoveDialog
          title={text.removeTitle(segment.name)}
          lead={text.removeLead}
          submit={text.remove}
          remove={() => api.request("DELETE /segments/{id}", { params: { id: segment.id } })}
          reads={["segments"]}
          onRemoved={() => navigate({ to: "/segments" })}
          onClose={close}
        />
      )}
      <h2>{text.uses}</h2>
      <Uses uses={segment.used_by} />
      <h2>{text.listed}</h2>
      {segment.user_ids.length === 0 ? (
        <p className="muted">{TEXT.none}</p>
      ) : (
        <p>
          {segment.user_ids.slice(0, 50).map((id) => (
            <code key={id} className="tag">
              {id}
            </code>
          ))}
          {segment.user_ids.length > 50 && text.more(segment.user_ids.length - 50)}
        </p>
      )}
      <h2>{text.check}</h2>
      <Membership id={segment.id} />
    </>
  );
}

function Uses({ uses }: { uses: readonly SegmentUse[] }) {
  if (uses.length === 0) return <p className="muted">{text.unused}</p>;
  return (
    <ul className="rules">
      {uses.map(({ type, id, key }) => (
        <li key={id}>
          <span className="muted">{text.useKinds[type]}</span>
          {type === "FEATURE_FLAG" && (
            <Link to="/flags/$key" params={{ key }}>
              {key}
            </Link>
          )}
          {type === "EXPERIMENT" && (
            <Link to="/experiments/$key" params={{ key }}>
              {key}
            </Link>
          )}
          {type === "SEGMENT" && (
            <Link to="/segments/$id" params={{ id }}>
              {key}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
