import type { Integration } from "@assay/client";
import { CONFIGS, type ConfigField, type IntegrationType } from "./data.ts";

export type Config = Integration["config"];

/** What the form keeps over a reload; secrets are not in it. */
export interface IntegrationDraft {
  name: string;
  description: string;
  type: IntegrationType;
  config: Partial<Record<ConfigField, string | boolean>>;
}

export const EMPTY: IntegrationDraft = { name: "", description: "", type: "CODEHOST", config: {} };

/** "Done = COMPLETE", one status a line. */
const toLines = (transitions: unknown) =>
  Object.entries((transitions ?? {}) as Record<string, string>)
    .map(([status, action]) => `${status} = ${action}`)
    .join("\n");

/** @throws the line without a status or an action */
function fromLines(lines: string): Record<string, string> | null {
  const written = lines.split("\n").filter((line) => line.trim() !== "");
  const entries = written.map((line) => {
    const [, status, action] = /^\s*(.*\S)\s*=\s*(\w+)\s*$/.exec(line) ?? [];
    if (!status || !action) throw line;
    return [status, action.toUpperCase()];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

export function toDraft({ name, description, integration_type, config }: Integration): IntegrationDraft {
  const shown = CONFIGS[integration_type].filter(({ kind, name: field }) => kind !== "secret" && config[field] != null);
  const values = shown.map(({ name: field, kind }) => {
    const value = config[field];
    return [field, kind === "transitions" ? toLines(value) : kind === "check" ? value === true : String(value)];
  });
  return { name, description, type: integration_type, config: Object.fromEntries(values) };
}

/**
 * The config that a draft and its secrets describe. What is empty is null; a secret that is empty stays as it is.
 * @throws the line of the transitions that is none
 */
export function toConfig(draft: IntegrationDraft, secrets: Partial<Record<ConfigField, string>>): Config {
  const fields = CONFIGS[draft.type].flatMap(({ name, kind }): [string, unknown][] => {
    const value = draft.config[name];
    if (kind === "secret") return secrets[name] ? [[name, secrets[name]]] : [];
    if (kind === "check") return [[name, value === true]];
    const written = String(value ?? "").trim();
    return [[name, kind === "transitions" ? fromLines(written) : written || null]];
  });
  return Object.fromEntries(fields);
}
