import { lineChart } from "@assay/simulations/chart";
import type { Curve, Growth } from "../growth/growth.ts";
import type { Picture } from "../measure/group.ts";
import { written } from "../measure/number.ts";

/** The curves of a question about growth, as they are kept in `measured/`. */
export interface StoredGrowth {
  command: string;
  /** The day, as YYYY-MM-DD. */
  date: string;
  machine: string;
  curves: Curve[];
}

const HEAD = `# Growth

How costs grow: \`pnpm bench:growth\` measures them and writes this page; \`--quick\` measures shorter and ends at a million
events and users, \`--only=flags\` measures one question. Both axes are logarithmic, so a cost that grows in proportion is a straight line of slope one.
Points are medians, and all subjects of a size are measured in turns.`;

/** Draws the curves of a question. */
export function growthPicture({ name, title, x, y }: Growth, { curves }: StoredGrowth): Picture {
  const series = curves.map(({ subject, points }) => ({ name: subject, points }));
  return {
    file: `growth-${name}.svg`,
    caption: `${title}: ${y} by ${x}.`,
    chart: lineChart({ x, y, yFormat: "number", isLogarithmic: true }, series),
  };
}

/** Returns the page about growth as Markdown. @param stored by name of the question */
export function toGrowthPage(growths: readonly Growth[], stored: ReadonlyMap<string, StoredGrowth>): string {
  const sections = growths.map((growth) => {
    const run = stored.get(growth.name);
    return run ? sectionOf(growth, run) : `## ${growth.title}\n\nNot measured yet.`;
  });
  return `${[HEAD, ...sections].join("\n\n")}\n`;
}

function sectionOf(growth: Growth, run: StoredGrowth): string {
  const { file, caption } = growthPicture(growth, run);
  const sizes = [...new Set(run.curves.flatMap(({ points }) => points.map(([size]) => size)))].sort((a, b) => a - b);
  const rows = sizes.map((size) => {
    const costs = run.curves.map(({ points }) => points.find(([own]) => own === size)?.[1]);
    return `| ${[written(size), ...costs.map((cost) => (cost === undefined ? "" : written(cost)))].join(" | ")} |`;
  });
  return [
    `## ${growth.title}`,
    growth.setting,
    `Measured by \`${run.command}\` on ${run.date}: ${run.machine}.`,
    `![${caption}](${file})\n\n${caption}`,
    [
      `| ${[growth.x, ...run.curves.map(({ subject }) => subject)].join(" | ")} |`,
      `| ${["---", ...run.curves.map(() => "---")].join(" | ")} |`,
      ...rows,
    ].join("\n"),
  ].join("\n\n");
}
