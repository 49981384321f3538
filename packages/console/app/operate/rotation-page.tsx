import type { ApiKey } from "@assay/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { toAgo } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { RemoveDialog } from "../parts/remove-dialog.tsx";
import { Secret } from "../parts/secret.tsx";
import { ActionError, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { KeySnippet } from "./key-snippet.tsx";
import { isQuiet, successorOf } from "./rotation.ts";

const { keys: text } = TEXT;
const { rotation: words } = text;
const POLL_MS = 2_000;
const revoke = (id: string) => api.request("DELETE /api-keys/{id}", { params: { id } });

/** Replaces a key without an outage. The server knows how far it is, so anyone can go on. */
export function RotationPage() {
  const { id } = useParams({ from: "/keys/$id/rotate" });
  // The secret is in memory only.
  const [secret, setSecret] = useState<{ id: string; key: string }>();
  const [asked, setAsked] = useState<"old" | "successor">();
  const keys = useQuery({
    queryKey: ["keys"],
    queryFn: () => api.request("GET /api-keys"),
    refetchInterval: POLL_MS,
  });
  const queries = useQueryClient();
  const creation = useMutation({
    mutationFn: () => api.request("POST /api-keys/{id}/rotate", { params: { id } }),
    async onSuccess(created) {
      if (created.key) setSecret({ id: created.id, key: created.key });
      await queries.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  const old = keys.data?.find((key) => key.id === id);
  const successor = successorOf({ id }, keys.data ?? []);
  const shown = secret?.id === successor?.id ? secret : undefined;
  return (
    <div className="page narrow">
      <h1>{old ? words.title(old.name) : text.rotateNow}</h1>
      <p className="muted">{words.lead}</p>
      <p>
        <Link to="/keys">{words.back}</Link>
      </p>
      {keys.isPending && <Skeleton rows={3} />}
      {keys.isError && <Problem error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data && !old && <p className="note">{words.notFound}</p>}
      {old && !old.is_active && (
        <p className="note" role="status">
          {successor ? words.done : words.revokedBefore}
        </p>
      )}
      {old?.is_active && (
        <ol className="steps">
          <li className="card stack">
            <h2>1. {words.steps[0]}</h2>
            {successor ? (
              <>
                <p role="status">{words.created(toAgo(successor.created_at))}</p>
                {shown ? <Secret value={shown.key} label={text.once} /> : <p className="hint">{words.hidden}</p>}
                <div className="buttons start">
                  <RoleButton needs="DEVELOPER" onClick={() => setAsked("successor")}>
                    {words.discard}
                  </RoleButton>
                </div>
              </>
            ) : (
              <>
                <p>{words.same(old.scopes.map((scope) => text.scopes[scope]).join(", "))}</p>
                <div className="buttons start">
                  <RoleButton
                    needs="DEVELOPER"
                    className="primary"
                    disabled={creation.isPending}
                    onClick={() => creation.mutate()}
                  >
                    {words.create}
                  </RoleButton>
                </div>
                <ActionError error={creation.error} />
              </>
            )}
          </li>
          {successor && (
            <>
              <li className="card stack">
                <h2>2. {words.steps[1]}</h2>
                {shown && <KeySnippet apiKey={shown.key} isWeb={successor.kind === "CLIENT"} />}
                <p role="status">
                  {successor.last_used_at ? <span className="seen">{words.used}</span> : words.waiting}
                </p>
              </li>
              <li className="card stack">
                <h2>3. {words.steps[2]}</h2>
                <Uses old={old} successor={successor} />
                <div className="buttons start">
                  <RoleButton needs="DEVELOPER" className="danger" onClick={() => setAsked("old")}>
                    {words.revoke}
                  </RoleButton>
                </div>
              </li>
            </>
          )}
        </ol>
      )}
      {asked === "old" && old && successor && (
        <RemoveDialog
          title={text.revokeTitle(old.name)}
          lead={consequence(old, successor)}
          submit={text.revokeSubmit}
          remove={() => revoke(old.id)}
          reads={["keys"]}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === "successor" && successor && (
        <RemoveDialog
          title={words.discardTitle}
          lead={words.discardLead}
          submit={words.discardSubmit}
          remove={() => revoke(successor.id)}
          reads={["keys"]}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

/** When each key was last used, and what that means for the old one. */
function Uses({ old, successor }: { old: ApiKey; successor: ApiKey }) {
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{words.lastUse.old}</dt>
          <dd>{toAgo(old.last_used_at)}</dd>
        </div>
        <div>
          <dt>{words.lastUse.new}</dt>
          <dd>{toAgo(successor.last_used_at)}</dd>
        </div>
      </dl>
      <p role="status">{isQuiet(old) ? words.quiet : words.busy(toAgo(old.last_used_at))}</p>
    </>
  );
}

/** Says what stops working if the old key ends now. */
function consequence(old: ApiKey, successor: ApiKey): string {
  if (!isQuiet(old)) return words.revokeLead.busy(toAgo(old.last_used_at));
  return successor.last_used_at === null ? words.revokeLead.unused : words.revokeLead.quiet;
}
