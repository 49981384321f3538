import { written } from "../measure/number.ts";
import type { Cost, Work } from "../scale/measure.ts";
import { planOf, TRAFFIC } from "../scale/model.ts";

/** The costs of all shapes, as they are kept in `measured/`. */
export interface StoredScale {
  command: string;
  /** The day, as YYYY-MM-DD. */
  date: string;
  machine: string;
  costs: Cost[];
}

/** The populations of the model. */
const POPULATIONS = [1e6, 1e7, 1e8, 1e9];
/** The shape whose costs the model takes. */
export const MODELLED = "1 server, PostgreSQL";

const TITLES: Record<Work, string> = {
  evaluation: "Evaluations of one flag over OFREP",
  assignment: "First assignments",
  events: "Batches of 100 events",
};

const HEAD = `# Scale

What requests cost in each [shape](../scaling.md#shapes): \`pnpm bench:scale\` measures them and writes this page. Every server, relay and
database runs on this one machine, beside the program that sends the requests, with 16 requests under way at each server. So requests a second do
not grow with servers here, and CPU a request is higher where more processes share the cores: compare shapes of as many servers. PostgreSQL
and Redis keep what they acknowledge on disk. With ClickHouse, the CPU of its process and of PostgreSQL is that of the database, and the
measurement of events ends when ClickHouse has all of them; it is the engine in the package chdb. Figures are medians of the rounds, of which there are three without \`--quick\`.`;

/** Returns the page about scale as Markdown. */
export function toScalePage({ command, date, machine, costs }: StoredScale): string {
  const sections = (Object.keys(TITLES) as Work[]).map(
    (work) => `## ${TITLES[work]}\n\n${costTable(costs.filter((cost) => cost.work === work))}`,
  );
  return `${[HEAD, `Measured by \`${command}\` on ${date}: ${machine}.`, ...sections, modelOf(costs)].join("\n\n")}\n`;
}

function costTable(costs: readonly Cost[]): string {
  return table(
    [
      "Shape",
      "Requests a second",
      "Median, ms",
      "99 %, ms",
      "CPU of servers, us a request",
      "CPU of the database, us a request",
      "Memory of a server, MB",
    ],
    costs.map(({ shape, throughput, median, slow, serverCpu, databaseCpu, memory }) => [
      shape,
      written(throughput),
      written(median),
      written(slow),
      written(serverCpu),
      /PostgreSQL|Redis|ClickHouse/.test(shape) ? written(databaseCpu) : "",
      written(memory / 1e6),
    ]),
  );
}

/** Returns the section about populations of users, as `pnpm simulate:scale` prints it. */
export function modelOf(costs: readonly Cost[], users: readonly number[] = POPULATIONS, traffic = TRAFFIC): string {
  const rows = users.map((of) => {
    const plan = planOf({ ...traffic, users: of }, MODELLED, costs);
    return [
      of.toLocaleString("en"),
      written(plan.eventsPerSecond),
      written(plan.assignmentsPerSecond),
      written(plan.serverCores),
      written(plan.databaseCores),
      String(plan.stores),
      plan.relays.toLocaleString("en"),
    ];
  });
  const { active, events, assignments, online, peak } = traffic;
  return [
    "## Users",
    `A model, not a measurement: \`pnpm simulate:scale\` multiplies the CPU of "${MODELLED}" above by the requests of so many users. ${active * 100} % of
them come on a day, with ${events} events and ${assignments} first assignments over HTTP each; the busiest time has ${peak} times the mean, and then ${online * 100} % of them have a stream open.
Evaluations cost nothing here: [providers](../openfeature.md) make them in your applications. Cores are busy for 60 % of the time; a store has at most 32 cores for its database,
and takes no more events a second than the most above; a relay has 5,000 streams.
Results are not in it: [ClickHouse](../clickhouse.md) answers them.`,
    table(
      [
        "Users",
        "Events a second",
        "Assignments a second",
        "Cores of servers",
        "Cores of databases",
        "Stores",
        "Relays",
      ],
      rows,
    ),
  ].join("\n\n");
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
