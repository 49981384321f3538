import type { Engine, EvaluationContext } from "@assay/core";
import type { Announce } from "../../definitions/announcements.ts";
import type { Forced } from "../../definitions/evaluator.ts";
import { type Awaitable, andThen } from "../../ground/awaitable.ts";
import { etagOf } from "../../http/etag.ts";
import type { StreamTokens } from "../../identity/stream-tokens.ts";
import type { Caller, KeyCaller } from "../../model/caller.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import type { OpenFeatureService } from "../openfeature/service.ts";
import { type Metadata, toMissing } from "./answer.ts";
import { createAnswerWriter } from "./fragments.ts";

/** The response to an evaluation as JSON. */
export interface OfrepSingle {
  status: 200 | 400 | 404;
  text: string;
}

/** The response to a bulk evaluation as JSON. */
export interface OfrepBulk {
  text: string;
  /** Covers the whole text, also the stream URLs, because a provider keeps its URL after a 304. */
  etag: string;
}

/** The response to a bulk evaluation, besides its `flags`. */
interface BulkFrame {
  /** Metadata of the flag set. Providers use it for missing flags. */
  metadata: Metadata;
  eventStreams: { type: "sse"; endpoint: { requestUri: string }; inactivityDelaySec: number }[];
}

export interface OfrepService {
  evaluate(key: string, context: EvaluationContext, caller: Caller, overrides: Forced): OfrepSingle;
  /** Evaluates every visible flag. `streamPath` is the external path of the stream. */
  evaluateAll(
    context: EvaluationContext,
    caller: KeyCaller,
    streamPath: string,
    overrides: Forced,
  ): Awaitable<OfrepBulk>;
  /** Synchronizes with other nodes if one of them announced a different version. */
  reach(version: string, caller: Caller): Promise<void>;
  /** The id of the key behind a stream token. @throws ApiError 401 */
  keyOf(token: string): string;
  /** Streams requests to evaluate again. @throws ApiError 429, 503 */
  stream(caller: Caller, lastEventId: string | null, readmit: () => Promise<unknown>): Promise<Response>;
}

/** Seconds until a hidden page should disconnect. */
const INACTIVITY_SECONDS = 120;

export function createOfrepService(deps: {
  flags: FeatureFlagService;
  openfeature: OpenFeatureService;
  tokens: StreamTokens;
  engine: Pick<Engine, "definitions">;
  catchUp: () => Promise<void>;
}): OfrepService {
  const { flags, openfeature, tokens, engine, catchUp } = deps;
  // Definitions and records of the same flag are different objects, so each has its own memory.
  const [write, writeOne] = [createAnswerWriter(), createAnswerWriter()];
  const setOf = () => engine.definitions.flag_set_id;
  const aboutSet = (): Metadata => {
    const flagSetId = setOf();
    return flagSetId === undefined ? {} : { flagSetId };
  };

  return {
    evaluate(key, context, caller, overrides) {
      const result = flags.ask(key, context, caller, { overrides, bucket: false });
      if (!result) return { status: 404, text: JSON.stringify(toMissing(key, aboutSet())) };
      const { text, hasFailed } = writeOne(key, flags.aboutOf(key), result, setOf());
      return { status: hasFailed ? 400 : 200, text };
    },
    evaluateAll(context, caller, streamPath, overrides) {
      // Without origin: the provider uses its configured one, behind any proxies.
      const requestUri = `${streamPath}?token=${tokens.issue(caller.keyId)}`;
      const frame: BulkFrame = {
        metadata: aboutSet(),
        eventStreams: [{ type: "sse", endpoint: { requestUri }, inactivityDelaySec: INACTIVITY_SECONDS }],
      };
      const setId = setOf();
      let [flagsText, digests] = ["", ""];
      const asked = flags.askAll(context, caller, overrides, (flag, result) => {
        const { text, digest } = write(flag.key, flag, result, setId);
        flagsText += flagsText === "" ? text : `,${text}`;
        digests += digest;
      });
      return andThen(asked, () => {
        const rest = JSON.stringify(frame).slice(1);
        return { text: `{"flags":[${flagsText}],${rest}`, etag: etagOf(null, digests + rest) };
      });
    },
    async reach(version, caller) {
      await openfeature.prepare(caller, false);
      // If the store is down, answers from memory.
      if (version !== openfeature.version(caller)) await catchUp().catch(() => {});
    },
    keyOf: tokens.verify,
    async stream(caller, lastEventId, readmit) {
      await openfeature.prepare(caller, false);
      // A reader without an id has just evaluated, and may have missed later changes.
      return openfeature.stream(caller, lastEventId ?? "", readmit, askToRefetch);
    },
  };
}

/** The protocol has one event, `message`, and routes by the type in its data. */
const askToRefetch: Announce = (version) => ({ id: version, data: { type: "refetchEvaluation", etag: version } });
