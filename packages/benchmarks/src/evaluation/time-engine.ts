import { createTimer, INPUTS, type Timer } from "../measure/timer.ts";
import type { Engine } from "./contestant.ts";
import { matchingUsers, type Scenario } from "./scenario.ts";

/** Users who meet all conditions, so that every engine does all the work. */
const USERS = matchingUsers(INPUTS);

/** Creates the timer of an engine. The contexts are prepared beforehand. @param roundMs about how long a round lasts */
export function timeEngine(engine: Engine, { flags, isBulk }: Scenario, roundMs: number): Promise<Timer> {
  const contexts = USERS.map((user) => engine.toContext(user)) as never[];
  return createTimer(isBulk ? (context: never) => engine.all(context) : engine.one(flags[0]!), contexts, roundMs);
}
