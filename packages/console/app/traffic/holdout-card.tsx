import type { Holdout } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { hasDraft, useDialogDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { toCount, toDay, toPercent } from "../parts/format.ts";
import { RoleButton } from "../parts/needs-role.tsx";
import { RemoveDialog } from "../parts/remove-dialog.tsx";
import { issueOf, Problem, Skeleton } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { SlotBar } from "./bar.tsx";
import { TRAFFIC_READS, useTrafficChange } from "./data.ts";

const { traffic: text } = TEXT;

/** Names the draft of a holdout. */
const DRAFT = "holdout";

/** The share of all users that no experiment reaches. */
export function HoldoutCard() {
  const [open, setOpen] = useState<"start" | "end" | undefined>(() => (hasDraft(DRAFT) ? "start" : undefined));
  const {
    data: holdout,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: ["holdout"],
    queryFn: () => api.request("GET /holdout"),
  });
  const close = () => setOpen(undefined);
  if (isPending) return <Skeleton rows={2} />;
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  return (
    <section className="card stack" aria-label={text.holdout}>
      <div className="title-row">
        <div>
          <h2>{holdout ? text.holdoutNamed(holdout.name) : text.holdout}</h2>
          <p className="muted">{holdout?.description || text.holdoutLead}</p>
        </div>
        <RoleButton
          needs="ADMIN"
          className={holdout ? "danger" : "primary"}
          onClick={() => setOpen(holdout ? "end" : "start")}
        >
          {holdout ? text.endHoldout : text.startHoldout}
        </RoleButton>
      </div>
      {holdout ? <Running holdout={holdout} /> : <p>{text.noHoldout}</p>}
      {open === "start" && !holdout && <Start onClose={close} />}
      {open === "end" && holdout && <End holdout={holdout} onClose={close} />}
    </section>
  );
}

function Running({ holdout }: { holdout: Holdout }) {
  const { percentage, started_at } = holdout;
  const report = useQuery({
    queryKey: ["holdout-report", holdout.id],
    queryFn: () => api.request("GET /holdout/{id}", { params: { id: holdout.id }, query: {} }),
  });
  const { effect, programme } = report.data ?? {};
  return (
    <>
      <SlotBar
        slots={[
          { label: text.heldOut, start: 0, end: percentage, kind: "held" },
          { label: text.experiments, start: percentage, end: 100, kind: "free" },
        ]}
      />
      <p>
        {text.held(toPercent(percentage))} {started_at && text.since(toDay(started_at))}
      </p>
      {effect && (
        <p className="muted">
          {text.heldSeen(toCount(effect.sample_size.held_out), toCount(effect.sample_size.not_held_out))}{" "}
          {programme && text.shipped(programme.shipped)}
        </p>
      )}
    </>
  );
}

function Start({ onClose }: { onClose: () => void }) {
  const { draft, set, close } = useDialogDraft(DRAFT, { name: "", share: "5" }, onClose);
  const { name, share } = draft;
  const creation = useTrafficChange(
    () => api.request("POST /holdout", { body: { name, percentage: Number(share) } }),
    close,
  );
  return (
    <FormDialog
      title={text.startHoldout}
      submit={text.startHoldout}
      action={creation}
      fields={["name", "percentage"]}
      onSubmit={() => creation.mutate(undefined)}
      onClose={close}
    >
      <p>{text.startLead}</p>
      <Field label={text.holdoutName} error={issueOf(creation.error, "name")}>
        <input required value={name} onInput={(event) => set({ name: event.currentTarget.value })} />
      </Field>
      <Field label={text.holdoutShare} error={issueOf(creation.error, "percentage")}>
        <input
          type="number"
          step="any"
          required
          value={share}
          onInput={(event) => set({ share: event.currentTarget.value })}
        />
      </Field>
    </FormDialog>
  );
}

function End({ holdout, onClose }: { holdout: Holdout; onClose: () => void }) {
  const params = { id: holdout.id };
  return (
    <RemoveDialog
      title={text.endTitle(holdout.name)}
      lead={text.endLead}
      submit={text.endHoldout}
      remove={() => api.request("PUT /holdout/{id}", { params, body: { status: "ENDED" } })}
      reads={TRAFFIC_READS}
      onClose={onClose}
    />
  );
}
