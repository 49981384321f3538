import type { SampleSizeQuery } from "@assay/contract";
import type { z } from "zod";

/** The input of a sample size computation. */
export type SampleSizeQuestion = z.output<typeof SampleSizeQuery>;

/** A sample size that cannot be computed, and the field that causes it. */
export class SampleSizeError extends Error {
  override readonly name = "SampleSizeError";
  readonly field: keyof SampleSizeQuestion;

  constructor(field: keyof SampleSizeQuestion, message: string) {
    super(message);
    this.field = field;
  }
}
