import type { RequestOptions } from "@assay/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../../session.ts";
import { TEXT } from "../../text.ts";
import type { ExperimentDraft, SizeDraft } from "./draft.ts";
import { type Issues, toIssues } from "./issues.ts";

type Query = RequestOptions<"GET /ai/sample-size">["query"];

const { size: words } = TEXT.newExperiment;
const SETTLED_MS = 300;

/** A value once it has not changed for a moment, so that not every key sends a request. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** What is wrong with the typed numbers, by field. What is empty is not wrong yet. */
function wrongNumbers(size: SizeDraft): Map<string, string> {
  const wrong = new Map<string, string>();
  const shares = size.isRate ? ["baseline", "power"] : ["power"];
  for (const [name, text] of Object.entries(size)) {
    if (typeof text !== "string" || text.trim() === "" || (size.isRate && name === "deviation")) continue;
    const value = Number(text);
    if (!Number.isFinite(value)) wrong.set(name, words.notANumber);
    else if (shares.includes(name) && (value <= 0 || value >= 100)) wrong.set(name, words.notAShare);
  }
  return wrong;
}

/** What the sample size depends on besides the effect: the looks, and how much noise is taken out. */
function toPlanQuery({ plan, adjust }: ExperimentDraft): Partial<Query> {
  const correlation = Number(adjust.correlation);
  return {
    ...(plan.when === "looks" && { looks: Number(plan.looks), spending_function: plan.spending }),
    ...(plan.when === "any" && { any_time: true }),
    ...(adjust.method !== "NONE" && correlation > 0 && correlation < 1 && { cuped_correlation: correlation }),
  };
}

function toQuery(draft: ExperimentDraft): Query | null {
  const { size, arms, metrics, more } = draft;
  const { isRate, baseline, deviation, lift, power, daily } = size;
  const needed = isRate ? [baseline, lift, power] : [baseline, deviation, lift, power];
  if (needed.some((text) => text.trim() === "") || wrongNumbers(size).size > 0) return null;
  const weights = arms.map(({ weight }) => Number(weight));
  const combinations = (more.factors ?? []).reduce((count, { levels }) => count * levels.length, 1);
  const areWeights = weights.length > 1 && weights.every((weight) => Number.isFinite(weight) && weight > 0);
  const primary = metrics.filter(({ role }) => role === "PRIMARY").length;
  return {
    ...(isRate
      ? { baseline_rate: Number(baseline) / 100 }
      : { mean: Number(baseline), standard_deviation: Number(deviation) }),
    mde: Number(lift) / 100,
    power: Number(power) / 100,
    ...(more.alpha !== undefined && { alpha: more.alpha }),
    ...(combinations > 1 ? { variants: combinations } : areWeights ? { weights: weights.join(",") } : {}),
    ...(primary > 1 && { metrics: primary }),
    ...(daily.trim() !== "" && { daily_users: Number(daily) }),
    ...toPlanQuery(draft),
  };
}

/** The fields of the API under the names of the form. */
const FIELDS: Record<string, string> = {
  baseline_rate: "baseline",
  mean: "baseline",
  standard_deviation: "deviation",
  mde: "lift",
  daily_users: "daily",
};

/** How many users and days the experiment needs, and what is wrong with the inputs. */
export function useSampleSize(draft: ExperimentDraft) {
  const query = useSettled(toQuery(draft));
  const answer = useQuery({
    queryKey: ["sample-size", query],
    queryFn: () => api.request("GET /ai/sample-size", { query: query! }),
    enabled: query !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const wrong = wrongNumbers(draft.size);
  const refused =
    query === null
      ? []
      : [...toIssues(answer.error)].map(([path, message]) => [FIELDS[path] ?? path, message] as const);
  const issues: Issues = new Map([...refused, ...wrong]);
  const isKnown = query !== null && !answer.isError && wrong.size === 0;
  return {
    size: isKnown ? answer.data : undefined,
    issues,
    error: issues.size === 0 && query !== null ? answer.error : null,
  };
}
