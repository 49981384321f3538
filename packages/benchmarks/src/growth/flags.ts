import type { Contestant } from "../evaluation/contestant.ts";
import { assay, floor } from "../evaluation/ours.ts";
import { bulk, type Scenario } from "../evaluation/scenario.ts";
import { timeEngine } from "../evaluation/time-engine.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf } from "../measure/statistics.ts";
import { importPeer } from "../peers/installed.ts";
import { addPoints, type Curve, type Growth, powersOfTen } from "./growth.ts";

/** The peers that evaluate fastest; the others would take minutes for 10,000 flags. */
const PEERS = ["GrowthBook", "flagd-core"];

function growthOf(name: string, title: string, y: string, setting: string, toScenario: (flags: number) => Scenario) {
  return {
    name,
    title,
    setting,
    x: "flags",
    comparesPeers: true,
    y,
    async run({ isQuick, say }): Promise<Curve[]> {
      const { peers } = (await importPeer("evaluation/peers.ts")) as { peers: readonly Contestant[] };
      const contestants = [floor, assay, ...peers.filter((peer) => PEERS.includes(peer.name))];
      const curves: Curve[] = [];
      for (const flags of powersOfTen(10, 10_000)) {
        say(`${flags} flags`);
        const scenario = toScenario(flags);
        const subjects = [];
        for (const { name: subject, load } of contestants) {
          const engine = await load(scenario.flags);
          subjects.push({ name: subject, ...(await timeEngine(engine, scenario, isQuick ? 10 : 40)) });
        }
        const figures = await interleave(subjects, isQuick ? 5 : 15);
        addPoints(curves, flags, new Map([...figures].map(([subject, rounds]) => [subject, medianOf(rounds)])));
      }
      return curves;
    },
  } satisfies Growth;
}

export const oneOfFlags: Growth = growthOf(
  "one-flag",
  "One of many flags",
  "nanoseconds of CPU an evaluation",
  "One boolean flag is evaluated while an engine holds more and more of them.",
  (flags) => ({ ...bulk(flags), isBulk: false }),
);

export const allFlags: Growth = growthOf(
  "all-flags",
  "All flags of a user",
  "nanoseconds of CPU for all flags",
  "All flags of one user are evaluated at once.",
  bulk,
);
