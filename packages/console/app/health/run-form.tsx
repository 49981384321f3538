import type { EtlJob } from "@assay/client";
import { useDialogDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { issueOf } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";
import { useWork } from "./data.ts";

const { health: text } = TEXT;

/** What the form reads of the JSON Schema of a parameter. */
interface Parameter {
  description?: string;
  enum?: string[];
}

const toLabel = (name: string) => {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Names the draft of a run. */
export const runDraft = ({ name }: Pick<EtlJob, "name">) => `run.${name}`;

/** Starts a run of a data job, with its parameters. */
export function RunForm({ job, onClose }: { job: EtlJob; onClose: () => void }) {
  const { draft: values, set, close } = useDialogDraft<Record<string, string>>(runDraft(job), {}, onClose);
  const parameters = Object.entries((job.parameters as { properties?: Record<string, Parameter> }).properties ?? {});
  const start = useWork(() => {
    const chosen = Object.entries(values).filter(([, value]) => value.trim() !== "");
    const body = { parameters: Object.fromEntries(chosen.map(([name, value]) => [name, value.trim()])) };
    return api.request("POST /etl/jobs/{job_name}/run", { params: { job_name: job.name }, body });
  }, close);
  const errorOf = (name: string) => issueOf(start.error, "parameters", name);
  return (
    <FormDialog
      title={text.startTitle(job.name)}
      submit={text.start}
      action={start}
      fields={parameters.some(([name]) => errorOf(name)) ? ["parameters"] : []}
      onSubmit={() => start.mutate()}
      onClose={close}
    >
      <p className="muted">{job.description}</p>
      {parameters.map(([name, { description, enum: choices }]) => (
        <Field key={name} label={toLabel(name)} hint={description} error={errorOf(name)}>
          {choices ? (
            <select value={values[name] ?? ""} onChange={(event) => set({ [name]: event.currentTarget.value })}>
              <option value="">{text.standard}</option>
              {choices.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          ) : (
            <input value={values[name] ?? ""} onInput={(event) => set({ [name]: event.currentTarget.value })} />
          )}
        </Field>
      ))}
    </FormDialog>
  );
}
