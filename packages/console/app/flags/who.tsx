import type { FeatureFlag, FlagExplanation } from "@assay/client";
import { useMutation } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { toValue } from "../parts/format.ts";
import { ActionError } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { parseAttributes } from "./attributes.ts";

/** What one user gets, and why, step by step. */
export function Who({ flag }: { flag: FeatureFlag }) {
  const { draft, setDraft } = useDraft("who", { user: "", attributes: "" });
  const [badLine, setBadLine] = useState<string>();
  const question = useMutation({
    mutationFn: (body: { user_id: string; context: Record<string, unknown>; flag_key: string }) =>
      api.request("POST /feature-flags/explain", { body }),
  });
  function ask(event: FormEvent) {
    event.preventDefault();
    try {
      const context = parseAttributes(draft.attributes);
      setBadLine(undefined);
      question.mutate({ user_id: draft.user, context, flag_key: flag.key });
    } catch (line) {
      setBadLine(String(line));
    }
  }
  const answer = question.data?.flags[0];
  return (
    <div className="split">
      <form className="stack" onSubmit={ask}>
        <p className="muted">{TEXT.who.lead}</p>
        <Field label={TEXT.who.user}>
          <input
            required
            value={draft.user}
            onInput={(event) => setDraft({ ...draft, user: event.currentTarget.value })}
          />
        </Field>
        <Field label={TEXT.who.attributes} hint={TEXT.who.attributesHint}>
          <textarea
            className="mono"
            rows={4}
            value={draft.attributes}
            onInput={(event) => setDraft({ ...draft, attributes: event.currentTarget.value })}
          />
        </Field>
        {badLine !== undefined && (
          <p role="alert" className="problem">
            {TEXT.who.badLine(badLine)}
          </p>
        )}
        <ActionError error={question.error} />
        <div>
          <button type="submit" className="primary" disabled={question.isPending}>
            {TEXT.who.submit}
          </button>
        </div>
      </form>
      <div aria-live="polite">{answer && <Answer user={question.variables?.user_id ?? ""} answer={answer} />}</div>
    </div>
  );
}

/** Replaces the names of operators by words. */
const toWords = (subject: string) =>
  subject.replace(/\b[A-Z_]{2,}\b/g, (name) => TEXT.words.operators[name as keyof typeof TEXT.words.operators] ?? name);

function Answer({ user, answer }: { user: string; answer: FlagExplanation }) {
  const { trace, bucket, reason, value } = answer;
  return (
    <section className="card">
      <p className="sentence">{TEXT.who.gets(user, toValue(value))}</p>
      <p>
        {TEXT.who.reasons[reason]} {bucket !== null && TEXT.who.bucket((bucket * 100).toFixed(2))}
      </p>
      <h3>{TEXT.who.trace}</h3>
      <ol className="trace">
        {trace.map((step, index) => {
          const Icon = step.matched ? Check : X;
          return (
            <li key={index} className={step.matched ? "matched" : "unmatched"}>
              <Icon size={16} role="img" aria-label={step.matched ? TEXT.who.matched : TEXT.who.notMatched} />
              <span>
                <b>{TEXT.who.steps[step.step] ?? step.step}</b> {toWords(step.subject)}: {step.detail}
                {"actual" in step && (
                  <span className="muted">
                    {" "}
                    (
                    {step.actual === null || step.actual === "null"
                      ? TEXT.who.actualNone
                      : TEXT.who.actual(String(step.actual))}
                    )
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
