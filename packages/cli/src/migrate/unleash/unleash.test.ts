import fc from "fast-check";
import type { Context } from "unleash-client";
import { afterEach, describe, expect, test } from "vitest";
import { idsOf, migrated } from "../mapping/equality.fixture.ts";
import { constraints, strategies, users } from "./generated.fixture.ts";
import { readUnleash } from "./read.ts";
import { constraint, everyone, feature, rollout, startUnleash, variant } from "./sdk.fixture.ts";

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** Reads features into both engines. */
async function both(payload: { features: object[]; segments?: object[] }) {
  const theirs = await startUnleash(payload);
  stop = theirs.stop;
  return { theirs, ours: migrated(readUnleash, { version: 2, ...payload }) };
}

/** The context of Assay for a context of Unleash. */
function toContext({ userId, sessionId, remoteAddress, properties }: Context) {
  const given = { targetingKey: userId, sessionId, remoteAddress, ...properties };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

describe("exactly", () => {
  test("generated features without a draw are on for the same generated users", async () => {
    const lists = fc.sample(fc.array(strategies, { maxLength: 4 }), 400);
    const people = fc.sample(users, 250);
    const segments = fc
      .sample(fc.array(constraints, { maxLength: 2 }), 2)
      .map((list, index) => ({ id: index + 1, name: `Segment ${index + 1}`, constraints: list }));
    const features = lists.map((list, index) => feature(`f${index}`, list, { enabled: index % 10 > 0 }));
    const { theirs, ours } = await both({ features, segments });
    expect(ours.skipped).toEqual([]);
    let on = 0;
    for (const { name, strategies } of features) {
      for (const user of people) {
        const expected = theirs.isEnabled(name, user);
        const { value } = ours.evaluate(name, toContext(user));
        if (value !== expected) expect({ name, strategies, segments, user, value }).toEqual(expected);
        on += expected ? 1 : 0;
      }
    }
    expect(on).toBeGreaterThan(10_000);
    expect(on).toBeLessThan(90_000);
    expect(ours.flags.filter(({ differences, draws }) => differences.length + draws.length > 0)).toEqual([]);
  });

  test("overrides of variants, and a single variant", async () => {
    const overrides = [
      { contextName: "plan", values: ["pro"] },
      { contextName: "userId", values: ["ada"] },
    ];
    const green = [variant("green", 1000), variant("blue", 0, { overrides })];
    const features = [
      feature("colour", [everyone(constraint("country", "IN", ["US"]))], { variants: green }),
      feature("own", [{ ...everyone(), variants: green }]),
      feature("off", [everyone()], { variants: green, enabled: false }),
    ];
    const { theirs, ours } = await both({ features });
    for (const user of fc.sample(users, 200)) {
      for (const { name } of features) {
        expect(ours.evaluate(name, toContext(user)).variant).toBe(theirs.variant(name, user));
      }
    }
    expect(ours.evaluate("colour", { targetingKey: "ada", country: "US" }).variant).toBe("blue");
    expect(ours.flag("own")).toMatchObject({ differences: [], draws: [] });
  });

  test("a feature that depends on others is on with them, on their variant, or on their being off", async () => {
    const parents = [
      feature("on", [everyone(constraint("plan", "IN", ["pro"]))]),
      feature("none", [everyone()], { enabled: false }),
      feature("varied", [everyone(constraint("country", "IN", ["US"]))], { variants: [variant("a", 1000)] }),
    ];
    const features = [
      feature("with", [everyone()], { dependencies: [{ feature: "on" }] }),
      feature("without", [everyone()], { dependencies: [{ feature: "on", enabled: false }] }),
      feature("with-off", [everyone()], { dependencies: [{ feature: "none", enabled: false }] }),
      feature("with-variant", [everyone()], {
        dependencies: [{ feature: "varied", variants: ["a"] }, { feature: "on" }],
      }),
    ];
    // A dependent flag comes before its parents, as it may in a payload.
    const { theirs, ours } = await both({ features: [...features, ...parents] });
    for (const user of fc.sample(users, 200)) {
      for (const { name } of features)
        expect(ours.evaluate(name, toContext(user)).value).toBe(theirs.isEnabled(name, user));
    }
    expect(ours.flags.map(({ body }) => body.key).indexOf("with")).toBeGreaterThan(
      ours.flags.map(({ body }) => body.key).indexOf("on"),
    );
  });

  test("a period is on between its ends, to the millisecond", async () => {
    const at = "2026-03-01T12:00:00.000Z";
    const until = "2026-04-01T12:00:00.000Z";
    const features = [
      feature("after", [everyone(constraint("currentTime", "DATE_AFTER", at))]),
      feature("before", [everyone(constraint("currentTime", "DATE_BEFORE", at))]),
      feature("between", [
        everyone(
          constraint("currentTime", "DATE_BEFORE", at, { inverted: true }),
          constraint("currentTime", "DATE_AFTER", until, { inverted: true }),
        ),
      ]),
    ];
    const { theirs, ours } = await both({ features });
    for (const time of [at, until].flatMap((one) => [-1, 0, 1].map((step) => Date.parse(one) + step))) {
      for (const { name } of features) {
        const expected = theirs.isEnabled(name, { currentTime: new Date(time) });
        expect([name, time, ours.evaluate(name, {}, time).value]).toEqual([name, time, expected]);
      }
    }
  });

  test("payloads become values: numbers, objects, text, and the name without one", async () => {
    const payload = (type: string, value: string) => ({ payload: { type, value } });
    const features = [
      feature("number", [everyone()], { variants: [variant("a", 1000, payload("number", "12.5"))] }),
      feature("object", [everyone()], { variants: [variant("a", 1000, payload("json", '{"b":1}'))] }),
      feature("text", [everyone()], { variants: [variant("a", 1000, payload("csv", "x,y")), variant("b", 0)] }),
      feature("broken", [everyone()], { variants: [variant("a", 1000, payload("json", "{"))] }),
    ];
    const { ours } = await both({ features });
    expect(features.map(({ name }) => ours.evaluate(name, { targetingKey: "ada" }).value)).toEqual([
      12.5,
      { b: 1 },
      "x,y",
      "{",
    ]);
    expect(ours.flag("text").body.variants[1]).toEqual({ key: "b", weight: 0, value: "b" });
  });
});

describe("nearly", () => {
  const colours = [variant("red", 300), variant("green", 500), variant("blue", 200)];
  const features = [
    feature("gradual", [rollout(25)]),
    feature("gradual-user", [{ name: "gradualRolloutUserId", parameters: { percentage: "40", groupId: "g" } }]),
    feature("colours", [rollout(60)], { variants: colours }),
    feature("own-colours", [rollout(60, { variants: colours })]),
    feature("fractional", [rollout(12.9)]),
  ];

  test("draws are those of Unleash's own SDK, so that users who change arms are counted rightly", async () => {
    const { theirs, ours } = await both({ features });
    for (const { name } of features) {
      const { draws, body } = ours.flag(name);
      expect(draws).toHaveLength(1);
      for (const id of [...idsOf(1_000), "ada"]) {
        const arm =
          body.variants.length > 0
            ? theirs.variant(name, { userId: id })
            : theirs.isEnabled(name, { userId: id })
              ? "on"
              : null;
        expect(draws[0]!.armOf(id) ?? null).toBe(arm);
      }
    }
  });

  test("shares stay, and are never larger", async () => {
    const { ours } = await both({ features });
    const share = (name: string) =>
      idsOf(4_000).filter((id) => ours.evaluate(name, { targetingKey: id }).enabled).length / 4_000;
    expect(share("gradual")).toBeCloseTo(0.25, 1);
    expect(ours.flag("gradual").body).toMatchObject({ rollout_percentage: 25, rules: [], value_type: "BOOLEAN" });
    // Unleash draws whole percent.
    expect(ours.flag("fractional").body.rollout_percentage).toBe(12);
    expect(ours.flag("colours").body.variants.map(({ weight }) => weight)).toEqual([30, 50, 20]);
  });

  test("of several shares the largest applies, and a strategy for everyone comes before them", async () => {
    const pro = constraint("plan", "IN", ["pro"]);
    const { ours } = await both({
      features: [
        feature("several", [
          rollout(10),
          rollout(50, { constraints: [pro] }),
          everyone(constraint("country", "IN", ["US"])),
        ]),
      ],
    });
    const { body, differences } = ours.flag("several");
    expect(differences).toEqual([]);
    expect([...body.rules.map(({ serve }) => serve), body.rollout_percentage]).toEqual([
      { rollout_percentage: 100 },
      { rollout_percentage: 50 },
      10,
    ]);
  });

  test("says what else differs", async () => {
    const several = [
      rollout(10, { groupId: "a" }),
      rollout(50, { groupId: "b", constraints: [constraint("plan", "IN", ["pro"])] }),
    ];
    const ordered = [
      rollout(10, { variants: colours, constraints: [constraint("plan", "IN", ["pro"])] }),
      { ...everyone(), variants: colours },
    ];
    const { ours } = await both({
      features: [
        feature("groups", several),
        feature("ordered", ordered),
        feature("random", [rollout(10, { stickiness: "random" })]),
        feature("default", [rollout(10, { stickiness: "default" })]),
        feature("session", [rollout(10, { stickiness: "sessionId" })]),
      ],
    });
    expect(ours.flag("groups").differences).toEqual([
      expect.stringContaining("drawn once in Assay, at the largest share"),
    ]);
    expect(ours.flag("ordered").differences).toEqual([expect.stringContaining("do not come to the next strategy")]);
    expect(ours.flag("random").differences).toEqual([expect.stringContaining("Unleash draws at each evaluation")]);
    expect(ours.flag("default").differences).toEqual([expect.stringContaining("Without a user id")]);
    expect(ours.flag("session")).toMatchObject({ body: { bucket_by: "sessionId" }, differences: [] });
  });
});
