import type { ExperimentDesign } from "@assay/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useDraft } from "../../parts/draft.ts";
import { Field } from "../../parts/field.tsx";
import { ActionError } from "../../parts/states.tsx";
import { api } from "../../session.ts";
import { TEXT } from "../../text.ts";
import { type ExperimentDraft, withDesign, withSize, withTemplate } from "./draft.ts";
import { toIssues } from "./issues.ts";

const { from: words } = TEXT.newExperiment;

interface Props {
  draft: ExperimentDraft;
  setDraft: (draft: ExperimentDraft) => void;
}

/** Fills the form from a sentence or from a template. */
export function StartFrom({ draft, setDraft }: Props) {
  const { draft: sentence, setDraft: setSentence } = useDraft("new-experiment-sentence", "");
  /** What filled the form, and what was typed before. */
  const [filled, setFilled] = useState<{ from: string; before: ExperimentDraft }>();
  const templates = useQuery({
    queryKey: ["templates"],
    queryFn: () => api.request("GET /ai/templates", { query: { limit: 500 } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  function fill(from: string, next: ExperimentDraft) {
    setFilled({ from, before: draft });
    setDraft(next);
  }
  const design = useMutation({
    mutationFn: () => api.request("POST /ai/design", { body: { description: sentence } }),
    onSuccess: (answer) => fill(answer.name, withSize(withDesign(draft, answer), answer)),
  });
  const issue = toIssues(design.error).get("description");

  function submit(event: FormEvent) {
    event.preventDefault();
    design.mutate();
  }
  function choose(id: string) {
    const template = templates.data?.items.find((one) => one.id === id);
    if (!template) return;
    design.reset();
    fill(template.title, withTemplate(draft, template));
  }

  function undo() {
    if (filled) setDraft(filled.before);
    setFilled(undefined);
    design.reset();
  }

  return (
    <section className="card stack" aria-labelledby="from">
      <h2 id="from">{words.title}</h2>
      <form className="stack" onSubmit={submit}>
        <Field label={words.sentence} hint={words.sentenceHint} error={issue}>
          <textarea rows={3} value={sentence} onInput={(event) => setSentence(event.currentTarget.value)} />
        </Field>
        {!issue && <ActionError error={design.error} />}
        <div className="buttons start">
          <button type="submit" disabled={design.isPending}>
            {words.submit}
          </button>
        </div>
      </form>
      <Field label={words.template}>
        <select value="" onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">{words.choose}</option>
          {templates.data?.items.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      <ActionError error={templates.error} />
      <div aria-live="polite" className="stack">
        {filled && (
          <p>
            {words.filled(filled.from)}{" "}
            <button type="button" onClick={undo}>
              {words.undo}
            </button>
          </p>
        )}
        {design.data && <Notes design={design.data} />}
      </div>
    </section>
  );
}

/** What the design asks, and what it assumed. */
function Notes({ design: { questions, assumptions } }: { design: ExperimentDesign }) {
  return (
    <>
      {questions.length > 0 && (
        <div className="note">
          <p>{words.questions}</p>
          <ul className="reasons">
            {questions.map(({ question }) => (
              <li key={question}>{question}</li>
            ))}
          </ul>
        </div>
      )}
      {assumptions.length > 0 && (
        <details>
          <summary>{words.assumptions}</summary>
          <ul className="reasons">
            {assumptions.map(({ field, reason }) => (
              <li key={field}>{reason}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
