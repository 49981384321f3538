import type { Engine, EvaluationContext } from "@assay/core";
import type { Announce } from "../../definitions/announcements.ts";
import type { Forced } from "../../definitions/evaluator.ts";
import type { StreamTokens } from "../../identity/stream-tokens.ts";
import type { Caller, KeyCaller } from "../../model/caller.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import type { OpenFeatureService } from "../openfeature/service.ts";
import { type Metadata, type OfrepAnswer, toAnswer, toMissing } from "./answer.ts";

/** The answer to a bulk evaluation. */
export interface OfrepBulk {
  flags: OfrepAnswer[];
  /** Of the flag set; providers show it for flags that are not in it. */
  metadata: Metadata;
  eventStreams: { type: "sse"; endpoint: { requestUri: string }; inactivityDelaySec: number }[];
}

export interface OfrepService {
  evaluate(key: string, context: EvaluationContext, caller: Caller, overrides?: Forced): OfrepAnswer;
  /** Every flag the caller may see; `streamPath` is where the stream is, seen from outside. */
  evaluateAll(
    context: EvaluationContext,
    caller: KeyCaller,
    streamPath: string,
    overrides?: Forced,
  ): Promise<OfrepBulk>;
  /** Catches up with the other nodes where one of them has announced another version than this one has. */
  reach(version: string, caller: Caller): Promise<void>;
  /** The id of the key that a token of a stream's address stands for. @throws ApiError 401 */
  keyOf(token: string): string;
  /** Says when to evaluate again. @throws ApiError 503 */
  stream(caller: Caller, lastEventId: string | null, readmit: () => Promise<unknown>): Promise<Response>;
}

/** Seconds after which a page that nobody looks at should hang up. */
const INACTIVITY_SECONDS = 120;

export function createOfrepService(deps: {
  flags: FeatureFlagService;
  openfeature: OpenFeatureService;
  tokens: StreamTokens;
  engine: Pick<Engine, "definitions">;
  catchUp: () => Promise<void>;
}): OfrepService {
  const { flags, openfeature, tokens, engine, catchUp } = deps;
  const setOf = () => engine.definitions.flag_set_id;
  const aboutSet = (): Metadata => {
    const flagSetId = setOf();
    return flagSetId === undefined ? {} : { flagSetId };
  };

  return {
    evaluate(key, context, caller, overrides) {
      const result = flags.ask(key, context, caller, { overrides });
      return result ? toAnswer(key, result, flags.versionOf(key), setOf()) : toMissing(key, aboutSet());
    },
    async evaluateAll(context, caller, streamPath, overrides) {
      // No origin: it is the one the provider has been given, whatever stands between it and us.
      const requestUri = `${streamPath}?token=${tokens.issue(caller.keyId)}`;
      return {
        flags: (await flags.askAll(context, caller, overrides)).map(([{ key, version }, result]) =>
          toAnswer(key, result, version, setOf()),
        ),
        metadata: aboutSet(),
        eventStreams: [{ type: "sse", endpoint: { requestUri }, inactivityDelaySec: INACTIVITY_SECONDS }],
      };
    },
    async reach(version, caller) {
      await openfeature.prepare(caller, false);
      // With the store away there is still what is known.
      if (version !== openfeature.version(caller)) await catchUp().catch(() => {});
    },
    keyOf: tokens.verify,
    async stream(caller, lastEventId, readmit) {
      await openfeature.prepare(caller, false);
      // Whoever comes without one has evaluated a moment ago, and may have missed what came between.
      return openfeature.stream(caller, lastEventId ?? "", readmit, askToRefetch);
    },
  };
}

/** The protocol has one event, `message`, and routes by the type in its data. */
const askToRefetch: Announce = (version) => ({ id: version, data: { type: "refetchEvaluation", etag: version } });
