import type { Contestant } from "../../src/evaluation/contestant.ts";
import { configCat } from "./configcat.ts";
import { flagd } from "./flagd.ts";
import { flagsmith } from "./flagsmith.ts";
import { growthBook } from "./growthbook.ts";
import { launchDarkly } from "./launchdarkly.ts";
import { postHog } from "./posthog.ts";
import { statsig } from "./statsig.ts";
import { unleashClient } from "./unleash.ts";

/** Every peer of evaluation. */
export const peers: readonly Contestant[] = [
  growthBook,
  flagd,
  unleashClient,
  launchDarkly,
  configCat,
  statsig,
  flagsmith,
  postHog,
];
