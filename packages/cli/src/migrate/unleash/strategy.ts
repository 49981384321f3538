import type { Condition } from "@assay/core";
import { allOf, anyOf, isGiven, where } from "../mapping/condition.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { isOneOf, toAttribute, toCondition, toRanges } from "./constraint.ts";
import type { Strategy } from "./payload.ts";
import { isOnTime } from "./time-window.ts";

/** A strategy that has been read. */
export interface Activation {
  id: string;
  when: Condition | null;
  /** Whole percent of the ids that it activates, because Unleash draws from 1 to 100. */
  share: number;
  groupId: string;
  /** The context field that it draws by; `default` and `random` are Unleash's own words. */
  stickiness: string;
  strategy: Strategy;
}

/** Returns the condition of a segment by its id. @throws {NoCounterpart} */
export type SegmentCondition = (id: number) => Condition;

/** Reads one strategy of a feature. Constraints on the current time are left to the feature. @throws {NoCounterpart} */
export function readStrategy(
  strategy: Strategy,
  place: number,
  feature: string,
  segment: SegmentCondition,
): Activation {
  const { share, groupId, stickiness, when } = readActivation(strategy, feature);
  const constraints = (strategy.constraints ?? []).filter((one) => !isOnTime(one)).map(toCondition);
  const isNamed = stickiness !== "default" && stickiness !== "random";
  // Without its context field, a draw never activates; Assay draws nothing at 100 %.
  const given = isNamed && share === 100 ? isGiven(toAttribute(stickiness)) : null;
  return {
    id: `strategy-${place}${strategy.title ? `: ${strategy.title.replace(/\p{Cc}/gu, " ").trim()}` : ""}`.slice(0, 80),
    when: allOf([...constraints, ...(strategy.segments ?? []).map(segment), when, given]),
    share,
    groupId,
    stickiness,
    strategy,
  };
}

function readActivation({ name, parameters }: Strategy, feature: string) {
  const parameter = (key: string) => (parameters?.[key] === undefined ? "" : String(parameters[key]));
  const draw = (percentage: string, groupId: string, stickiness: string) => ({
    share: Math.max(0, Math.min(100, Math.floor(Number(percentage)) || 0)),
    groupId,
    stickiness,
    when: null,
  });
  const list = (key: string) =>
    parameter(key)
      .split(/\s*,\s*/)
      .filter((one) => one !== "");
  const everyone = { ...draw("100", feature, "default"), when: null as Condition | null };
  switch (name) {
    case "default":
      return everyone;
    case "flexibleRollout":
      return draw(parameter("rollout"), parameter("groupId") || feature, parameter("stickiness") || "default");
    case "gradualRolloutUserId":
      return draw(parameter("percentage"), parameter("groupId"), "userId");
    case "gradualRolloutSessionId":
      return draw(parameter("percentage"), parameter("groupId"), "sessionId");
    case "gradualRolloutRandom":
      return draw(parameter("percentage"), feature, "random");
    case "userWithId":
      return { ...everyone, when: anyOf([isOneOf("user_id", list("userIds"))]) };
    case "remoteAddress":
      return { ...everyone, when: toAddresses(list("IPs")) };
    default:
      return noCounterpart(`The strategy ${name} is computed by your application's own code`);
  }
}

function toAddresses(listed: readonly string[]): Condition {
  const four = listed.filter((one) => /^[\d.]+(\/\d+)?$/.test(one));
  const same = where("remoteAddress", "IN", [...listed]);
  return four.length > 0 ? { any: [same, toRanges("remoteAddress", four)] } : same;
}
