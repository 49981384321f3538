import { benjaminiHochberg, benjaminiYekutieli, bonferroni, holm, normalSf, rejections } from "@assay/core/stats";
import { estimateFinding, rateFinding } from "../finding.ts";
import type { Proof } from "../lab.ts";

const ALPHA = 0.05;
const HYPOTHESES = 10;
const EFFECTS = 4;
const SHIFT = 3;
const METHODS = { bonferroni, holm, benjaminiHochberg, benjaminiYekutieli };
type Method = keyof typeof METHODS;

/** The family-wise errors and the false discovery rate of ten tests, four of which have a true effect. */
export const multipleComparisons: Proof = (lab) => {
  const times = lab.times(400_000);
  /** Adjusts ten p-values, the first `effects` of a true effect. Dependent ones have correlation 0.5. */
  const simulate = (stream: string, method: Method, effects: number, dependent: boolean) => {
    const random = lab.random(stream);
    const answer = { wrong: 0, share: 0, shareSquared: 0 };
    for (let i = 0; i < times; i++) {
      const common = dependent ? random.normal() : 0;
      const pValues = Array.from({ length: HYPOTHESES }, (_, k) => {
        const noise = dependent ? Math.SQRT1_2 * (common + random.normal()) : random.normal();
        return 2 * normalSf(Math.abs(noise + (k < effects ? SHIFT : 0)));
      });
      const rejected = rejections(METHODS[method](pValues), ALPHA);
      const all = rejected.filter(Boolean).length;
      const wrong = rejected.slice(effects).filter(Boolean).length;
      const share = all === 0 ? 0 : wrong / all;
      if (wrong > 0) answer.wrong++;
      answer.share += share;
      answer.shareSquared += share * share;
    }
    return answer;
  };
  const familyWise = (claim: string, method: Method, effects: number, dependent = false) =>
    rateFinding(
      claim,
      simulate(claim, method, effects, dependent).wrong,
      times,
      // Without any effect, both methods err if the smallest of independent p-values is at most alpha / m.
      effects === 0
        ? { kind: "equals", value: 1 - (1 - ALPHA / HYPOTHESES) ** HYPOTHESES }
        : { kind: "atMost", value: ALPHA },
    );
  const discoveries = (claim: string, method: Method, equals: boolean, dependent = false) => {
    const { share, shareSquared } = simulate(claim, method, EFFECTS, dependent);
    const mean = share / times;
    const error = Math.sqrt((shareSquared / times - mean * mean) / times);
    // Exactly alpha times the share of true nulls for independent tests.
    const value = (ALPHA * (HYPOTHESES - EFFECTS)) / HYPOTHESES;
    return estimateFinding(claim, mean, error, times, { kind: equals ? "equals" : "atMost", value });
  };
  return {
    title: "Multiple comparisons",
    setting:
      `${HYPOTHESES} two-sided z-tests at alpha 0.05, of which ${EFFECTS} (or none) have an effect of ${SHIFT} standard ` +
      "errors; dependent tests have correlation 0.5.",
    findings: [
      familyWise("Bonferroni: any false positive, no effect", "bonferroni", 0),
      familyWise("Holm: any false positive, no effect", "holm", 0),
      familyWise("Holm: any false positive, 4 effects", "holm", EFFECTS),
      familyWise("Holm: any false positive, 4 effects, dependent", "holm", EFFECTS, true),
      discoveries("Benjamini-Hochberg: false discovery rate", "benjaminiHochberg", true),
      discoveries("Benjamini-Hochberg: false discovery rate, dependent", "benjaminiHochberg", false, true),
      discoveries("Benjamini-Yekutieli: false discovery rate, dependent", "benjaminiYekutieli", false, true),
    ],
  };
};
