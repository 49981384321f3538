import { readFlagd } from "./flagd/read.ts";
import { readFlagsmith } from "./flagsmith/read.ts";
import { readGrowthBook } from "./growthbook/read.ts";
import { readLaunchDarkly } from "./launchdarkly/read.ts";
import type { Read } from "./mapping/migration.ts";
import { readStatsig } from "./statsig/read.ts";
import { readUnleash } from "./unleash/read.ts";

/** A product from which flags can be migrated. */
export interface Product {
  /** Name as people write it. */
  title: string;
  read: Read;
  /** The headers that authenticate a request for its payload. */
  headersOf(token: string): Record<string, string>;
}

/** The products, by the name of their task. */
export const PRODUCTS: Readonly<Record<string, Product>> = {
  unleash: { title: "Unleash", read: readUnleash, headersOf: (token) => ({ authorization: token }) },
  growthbook: {
    title: "GrowthBook",
    read: readGrowthBook,
    headersOf: (token) => ({ authorization: `Bearer ${token}` }),
  },
  launchdarkly: { title: "LaunchDarkly", read: readLaunchDarkly, headersOf: (token) => ({ authorization: token }) },
  flagd: { title: "flagd", read: readFlagd, headersOf: (token) => ({ authorization: `Bearer ${token}` }) },
  flagsmith: {
    title: "Flagsmith",
    read: readFlagsmith,
    headersOf: (token) => ({ "x-environment-key": token }),
  },
  statsig: { title: "Statsig", read: readStatsig, headersOf: (token) => ({ "statsig-api-key": token }) },
};
