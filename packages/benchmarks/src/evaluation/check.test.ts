import { describe, expect, it } from "vitest";
import { hasPeers, importPeer } from "../peers/installed.ts";
import { checkAnswers } from "./check.ts";
import type { Contestant, Engine } from "./contestant.ts";
import { assay, assayBare, floor } from "./ours.ts";
import { bulk, HALF, isTargeted, mixedUsers, NONE, RULED, VARIANTS } from "./scenario.ts";

const SCENARIOS = [HALF, RULED, bulk(3)];
const { peers = [] } = hasPeers()
  ? ((await importPeer("evaluation/peers.ts")) as { peers: readonly Contestant[] })
  : {};

// Peers are installed by the first `pnpm bench`; without them, only ours are checked.
describe.each([floor, assay, assayBare, ...peers].map((one) => [one.name, one] as const))("%s", (name, { load }) => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    "answers %s rightly",
    async (_, scenario) => {
      const engine = await load(scenario.flags);
      await checkAnswers(name, engine, scenario);
      await engine.close?.();
    },
  );
});

describe("the check of answers", () => {
  const [half, ruled] = [HALF.flags[0]!, RULED.flags[0]!];
  type Context = { index: number; isTargeted: boolean };
  let next = 0;
  const engineOf = (answer: (context: Context) => boolean | string, together = answer): Engine => ({
    toContext: (user) => ({ index: next++, isTargeted: isTargeted(user) }),
    one: () => answer as never,
    all: (context: Context) => together(context),
    readAll: (result: boolean | string) => result,
  });
  const variantOf = ({ index }: Context) => VARIANTS[index % VARIANTS.length]!;
  const toHalf = ({ index }: Context) => index % 2 === 0;
  const checked = (engine: Engine, scenario = RULED) => {
    next = 0;
    return checkAnswers("It", engine, scenario);
  };

  it("accepts exact targeting and equal shares", async () => {
    await checked(engineOf((context) => (context.isTargeted ? variantOf(context) : NONE)));
    await checked(engineOf(toHalf), HALF);
  });

  it("refuses a variant for a user who is not targeted, and none for one who is", async () => {
    await expect(checked(engineOf(variantOf))).rejects.toThrow(/^It answers [abcd] to/);
    await expect(checked(engineOf(() => NONE))).rejects.toThrow("It answers none to");
  });

  it("refuses shares beyond the error of sampling: 0.55 instead of 0.5 of 4,000 users", async () => {
    const share = (on: number) => engineOf(({ index }) => index % 100 < on);
    await checked(share(52), HALF);
    await expect(checked(share(55), HALF)).rejects.toThrow("It gives true to 0.550 of the users of half, not to 0.5");
    await expect(checked(share(45), HALF)).rejects.toThrow("It gives true to 0.450");
  });

  it("refuses answers that are no variants", async () => {
    await expect(
      checked(
        engineOf(() => "on"),
        HALF,
      ),
    ).rejects.toThrow("It answers on, which is no variant of half");
  });

  it("refuses other answers among all flags than to one", async () => {
    const flags = { ...HALF, isBulk: true };
    await expect(
      checked(
        engineOf(toHalf, () => true),
        flags,
      ),
    ).rejects.toThrow(/It answers .* to the same among all/);
  });

  it("has users who miss each condition, and users who miss none", () => {
    const users = mixedUsers(1_000);
    expect(users.filter(isTargeted).length).toBeGreaterThan(300);
    expect(users.filter((user) => !isTargeted(user)).length).toBeGreaterThan(200);
    expect([half.kind, ruled.kind]).toEqual(["half", "ruled"]);
  });
});
