import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { entryPoints } from "../entry-points.ts";
import { pageOf, REFERENCE, ROOT } from "./pages.ts";

interface Item {
  text: string;
  link: string;
}

/** Pages by theme, as paths in the repository. A `#` names a section. Titles come from the headings. */
const THEMES: Record<string, string[]> = {
  Start: [
    "README.md",
    "docs/getting-started.md",
    "docs/first-steps.md",
    "docs/console.md",
    "docs/cli.md",
    "docs/architecture.md",
  ],
  "In your application": [
    "docs/openfeature.md",
    "docs/embedding.md",
    "docs/edge.md",
    "packages/client/README.md",
    "docs/mcp.md",
  ],
  Hosts: [
    "docs/embedding.md#nodehttp",
    "docs/embedding.md#express",
    "docs/embedding.md#fastify",
    "docs/embedding.md#h3-and-other-fetch-based-frameworks",
    "docs/embedding.md#hono",
    "docs/embedding.md#koa",
    "docs/embedding.md#nextjs",
    "docs/embedding.md#nuxt-and-nitro-2",
    "docs/embedding.md#nitro-3",
    "docs/embedding.md#sveltekit",
    "docs/embedding.md#react-router-remix",
    "docs/embedding.md#astro",
    "docs/embedding.md#bun",
    "docs/embedding.md#deno",
    "docs/embedding.md#cloudflare-workers",
  ],
  "Feature flags": [
    "docs/evaluation.md",
    "docs/targeting-and-exclusion.md",
    "docs/rollouts.md",
    "docs/flag-lifecycle.md",
    "docs/flags-as-code.md",
    "docs/environments.md",
    "docs/approvals.md",
  ],
  Experiments: [
    "docs/experiments.md",
    "docs/tracking-and-results.md",
    "docs/results.md",
    "docs/bandits.md",
    "docs/interactions.md",
    "docs/warehouse.md",
    "docs/ai.md",
  ],
  Statistics: [
    "docs/statistics/index.md",
    "docs/statistics/two-proportions.md",
    "docs/statistics/welch-means.md",
    "docs/statistics/ratio.md",
    "docs/statistics/quantiles.md",
    "docs/statistics/lift.md",
    "docs/statistics/winsorising.md",
    "docs/statistics/cuped.md",
    "docs/statistics/regression-adjustment.md",
    "docs/statistics/sample-ratio.md",
    "docs/statistics/multiple-comparisons.md",
    "docs/statistics/sequential.md",
    "docs/statistics/group-sequential.md",
    "docs/statistics/non-inferiority.md",
    "docs/statistics/power.md",
    "docs/statistics/beta-binomial.md",
    "docs/statistics/normal-bayes.md",
    "docs/statistics/bandit.md",
    "docs/statistics/shrinkage.md",
    "docs/statistics/novelty.md",
    "docs/statistics/interactions.md",
    "docs/statistics/multivariate.md",
    "docs/statistics/clusters.md",
    "docs/statistics/switchback.md",
    "docs/statistics/simulations.md",
  ],
  Operations: [
    "docs/operations.md",
    "docs/storage.md",
    "docs/scaling.md",
    "docs/clickhouse.md",
    "docs/relay.md",
    "docs/reliability.md",
    "docs/security.md",
    "docs/identity.md",
    "docs/limits.md",
    "docs/audit.md",
    "docs/upgrading.md",
    "docs/scheduler.md",
    "docs/data.md",
    "docs/integrations.md",
    "docs/notifications.md",
  ],
  Migrating: [
    "docs/migrating.md",
    "docs/migrating.md#unleash",
    "docs/migrating.md#growthbook",
    "docs/migrating.md#launchdarkly",
    "docs/migrating.md#flagd",
    "docs/migrating.md#flagsmith",
    "docs/migrating.md#statsig",
  ],
  API: ["docs/api-conventions.md", "docs/api.md", "site/try-it.md"],
  Benchmarks: ["docs/benchmarks.md", "docs/benchmarks/growth.md", "docs/benchmarks/scale.md"],
};

/** Titles of files whose heading is the name of the product. */
const TITLES: Record<string, string> = { "README.md": "Overview" };

/** The sidebar: the pages of each theme, then the packages, what they export, and the examples. */
export function sidebar(packages: readonly string[], examples: readonly string[]) {
  const themes = Object.entries({
    ...THEMES,
    Packages: packages,
    Examples: examples,
    Contributing: ["CONTRIBUTING.md"],
  });
  const groups = themes.map(([text, pages]) => ({ text, items: pages.map(itemOf) }));
  groups.splice(-2, 0, {
    text: "Exports",
    items: entryPoints().map(({ name }) => ({ text: name, link: exportsOf(name) })),
  });
  return groups.map((group, index) => ({ ...group, collapsed: index > 1 }));
}

/** Returns the page that typedoc writes for an entry point. It numbers names that differ by their case only. */
function exportsOf(name: string): string {
  const page = existsSync(join(ROOT, REFERENCE, `${name}-1.md`)) ? `${name}-1` : name;
  return pageOf(`${REFERENCE}/${page}.md`);
}

/** @throws Error if the page has no such section */
function itemOf(page: string): Item {
  const [file = "", section] = page.split("#");
  const source = readFileSync(join(ROOT, file), "utf8");
  const text = section === undefined ? (TITLES[file] ?? titleOf(source)) : headingOf(source, section);
  if (text === undefined) throw new Error(`The sidebar names ${page}, which does not exist`);
  return { text, link: `${pageOf(file)}${section === undefined ? "" : `#${section}`}` };
}

function titleOf(source: string): string | undefined {
  return /^# (.+)$/m.exec(source)?.[1]?.replaceAll("`", "");
}

function headingOf(source: string, section: string): string | undefined {
  const headings = [...source.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading!.replaceAll("`", ""));
  return headings.find((heading) => slugOf(heading) === section);
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}
