import type { AreaInput } from "../../area.ts";
import { createBanditUpdateJob } from "./job.ts";
import { createBanditService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ runtime, records, analysis }: AreaInput) {
  const bandit = createBanditService({ runtime, experiments: records.experiments, analysis });
  return { services: { bandit }, jobs: [createBanditUpdateJob({ bandit })] };
}
