import type { AreaInput } from "../../area.ts";
import type { Collections } from "../../storage/collections.ts";
import type { ExperimentService } from "../experiments/service.ts";
import { draftCollection } from "./record.ts";
import { createWizardService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ drafts: define(draftCollection) });

export function create({ records, services }: AreaInput<{ experiments: ExperimentService }>) {
  const { drafts, experiments } = records;
  const experimentService = services.experiments;
  return { services: { wizard: createWizardService({ drafts, experiments, experimentService }) } };
}
