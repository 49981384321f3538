import type { EvaluationContext } from "@assay/core";
import type { Announce } from "../../definitions/announcements.ts";
import type { Caller, KeyCaller } from "../../identity/caller.ts";
import type { StreamTokens } from "../../identity/stream-tokens.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import type { OpenFeatureService } from "../openfeature/service.ts";
import { type OfrepAnswer, toAnswer, toMissing } from "./answer.ts";

/** The answer to a bulk evaluation. */
export interface OfrepBulk {
  flags: OfrepAnswer[];
  eventStreams: { type: "sse"; endpoint: { requestUri: string }; inactivityDelaySec: number }[];
}

export interface OfrepService {
  evaluate(key: string, context: EvaluationContext, caller: Caller): OfrepAnswer;
  /** Every flag the caller may see; `streamPath` is where the stream is, seen from outside. */
  evaluateAll(context: EvaluationContext, caller: KeyCaller, streamPath: string): OfrepBulk;
  /** The id of the key that a token of a stream's address stands for. @throws ApiError 401 */
  keyOf(token: string): string;
  /** Says when to evaluate again. @throws ApiError 503 */
  stream(caller: Caller, lastEventId: string | null, readmit: () => Promise<unknown>): Response;
}

/** Seconds after which a page that nobody looks at should hang up. */
const INACTIVITY_SECONDS = 120;

export function createOfrepService(deps: {
  flags: FeatureFlagService;
  openfeature: OpenFeatureService;
  tokens: StreamTokens;
}): OfrepService {
  const { flags, openfeature, tokens } = deps;
  return {
    evaluate(key, context, caller) {
      const result = flags.ask(key, context, caller);
      return result ? toAnswer(key, result, flags.versionOf(key)) : toMissing(key);
    },
    evaluateAll(context, caller, streamPath) {
      // No origin: it is the one the provider has been given, whatever stands between it and us.
      const requestUri = `${streamPath}?token=${tokens.issue(caller.keyId)}`;
      return {
        flags: flags.askAll(context, caller).map(([{ key, version }, result]) => toAnswer(key, result, version)),
        eventStreams: [{ type: "sse", endpoint: { requestUri }, inactivityDelaySec: INACTIVITY_SECONDS }],
      };
    },
    keyOf: tokens.verify,
    stream: (caller, lastEventId, readmit) => openfeature.stream(caller, lastEventId, readmit, askToRefetch),
  };
}

/** The protocol has one event, `message`, and routes by the type in its data. */
const askToRefetch: Announce = (version) => ({ id: version, data: { type: "refetchEvaluation", etag: version } });
