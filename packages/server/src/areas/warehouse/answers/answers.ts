import type { AnswerTo, Question } from "@assay/analysis";
import { readBreakdown } from "./breakdown.ts";
import { readCovariates } from "./covariates.ts";
import { readLooks } from "./looks.ts";
import type { Reading } from "./reading.ts";
import { readStatistics } from "./statistics.ts";

/** The questions that a warehouse answers. */
export type WarehouseQuestion = Extract<Question, { about: "statistics" | "covariates" | "breakdown" | "looks" }>;

/** Answers a question from a warehouse as the analysis does from events. @throws WarehouseFailure */
export async function readAnswer(reading: Reading, question: WarehouseQuestion): Promise<AnswerTo<WarehouseQuestion>> {
  switch (question.about) {
    case "statistics":
      return readStatistics(reading);
    case "covariates":
      return readCovariates(reading, question.options);
    case "breakdown":
      return readBreakdown(reading, question.options);
    case "looks":
      return readLooks(reading, question.options);
  }
}
