import type { Cost, Work } from "./measure.ts";

/** What a population of users asks for. Evaluations cost servers nothing: providers make them in the applications. */
export interface Traffic {
  users: number;
  /** The share of the users who come on a day. */
  active: number;
  /** Events of an active user on a day, sent in batches of 100. */
  events: number;
  /** First assignments over HTTP of an active user on a day. */
  assignments: number;
  /** The share of the active users whose pages have a stream open at the busiest time. */
  online: number;
  /** The rate of the busiest time, in multiples of the mean. */
  peak: number;
}

export const TRAFFIC: Omit<Traffic, "users"> = { active: 0.2, events: 30, assignments: 0.1, online: 0.05, peak: 3 };

/** Cores are busy for this share of the time at most, so that requests wait for each other little. */
const BUSY = 0.6;
/** Cores of the database of one store. */
const DATABASE_CORES = 32;
/** Streams of one relay: as many as `pnpm bench:growth --only=readers` opens at one server. */
const STREAMS = 5_000;
const DAY_SECONDS = 86_400;
const BATCH = 100;

/** What serves a population at its busiest time. */
export interface Plan {
  eventsPerSecond: number;
  assignmentsPerSecond: number;
  /** Cores of all servers, and of all databases. */
  serverCores: number;
  databaseCores: number;
  /** Stores among which users are divided. */
  stores: number;
  relays: number;
}

/**
 * Computes what serves a population from the costs of a shape: CPU a request times requests, at most 60 % busy. A store
 * appends to one journal, so it takes no more events a second than any number of servers on it did.
 * @throws RangeError if a cost of the shape was not measured
 */
export function planOf(traffic: Traffic, shape: string, costs: readonly Cost[]): Plan {
  const costOf = (work: Work) => {
    const cost = costs.find((one) => one.shape === shape && one.work === work);
    if (!cost) throw new RangeError(`The cost of ${work} was not measured with ${shape}`);
    return cost;
  };
  const actives = traffic.users * traffic.active;
  const perSecond = (eachDay: number) => (traffic.peak * actives * eachDay) / DAY_SECONDS;
  const [eventsPerSecond, assignmentsPerSecond] = [perSecond(traffic.events), perSecond(traffic.assignments)];
  const cores = (kind: "serverCpu" | "databaseCpu") =>
    ((eventsPerSecond / BATCH) * costOf("events")[kind] + assignmentsPerSecond * costOf("assignment")[kind]) /
    1e6 /
    BUSY;
  const databaseCores = cores("databaseCpu");
  const isSameStore = (cost: Cost) => cost.work === "events" && cost.shape.endsWith(shape.split(", ").at(-1)!);
  const eventsOfStore = BATCH * Math.max(...costs.filter(isSameStore).map(({ throughput }) => throughput));
  return {
    eventsPerSecond,
    assignmentsPerSecond,
    serverCores: cores("serverCpu"),
    databaseCores,
    stores: Math.max(Math.ceil(databaseCores / DATABASE_CORES), Math.ceil(eventsPerSecond / eventsOfStore)),
    relays: Math.ceil((actives * traffic.online) / STREAMS),
  };
}
