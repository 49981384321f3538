import type { Answer, Engine } from "./contestant.ts";
import { type Flag, isTargeted, mixedUsers, NONE, type Scenario, VARIANTS } from "./scenario.ts";

const USERS = 4_000;
/** Users where an engine may evaluate all flags to answer one. */
const FEWER_USERS = 400;
/** Number of flags from which on there are fewer. */
const MANY_FLAGS = 1_000;
/** Standard errors that a share may be off: a correct engine is further off once in 1.7 million shares. */
const ERRORS = 5;

/**
 * Checks that an engine answers what the flags say: targeting exactly, each share within the error of sampling, and all
 * flags together as one by one.
 *
 * @throws Error that names the first wrong answer
 */
export async function checkAnswers(name: string, engine: Engine, { flags, isBulk }: Scenario): Promise<void> {
  const users = mixedUsers(flags.length < MANY_FLAGS ? USERS : FEWER_USERS);
  for (const flag of [flags[0]!, flags.at(-1)!]) {
    const evaluate = engine.one(flag) as (context: unknown) => unknown;
    const answers: Answer[] = [];
    for (const user of users) {
      const context = engine.toContext(user);
      const result = (await evaluate(context)) as never;
      const answer = engine.read ? engine.read(result, flag) : result;
      if (flag.kind === "ruled" && (answer === NONE) === isTargeted(user)) {
        throw new Error(`${name} answers ${answer} to ${JSON.stringify(user)}`);
      }
      answers.push(answer);
    }
    checkShares(name, flag, answers);
    if (!isBulk) continue;
    for (const [index, user] of users.slice(0, 50).entries()) {
      const result = (await engine.all(engine.toContext(user) as never)) as never;
      const together = engine.readAll(result, flag);
      if (together !== answers[index]) {
        throw new Error(`${name} answers ${answers[index]} to one flag, and ${together} to the same among all`);
      }
    }
  }
}

function checkShares(name: string, flag: Flag, answers: readonly Answer[]): void {
  const drawn = answers.filter((answer) => answer !== NONE);
  const expected: readonly Answer[] = flag.kind === "half" ? [true, false] : VARIANTS;
  const strange = drawn.find((answer) => !expected.includes(answer));
  if (strange !== undefined) throw new Error(`${name} answers ${strange}, which is no variant of ${flag.key}`);
  const share = 1 / expected.length;
  const error = Math.sqrt((share * (1 - share)) / drawn.length);
  for (const variant of expected) {
    const found = drawn.filter((answer) => answer === variant).length / drawn.length;
    if (Math.abs(found - share) > ERRORS * error) {
      throw new Error(`${name} gives ${variant} to ${found.toFixed(3)} of the users of ${flag.key}, not to ${share}`);
    }
  }
}
