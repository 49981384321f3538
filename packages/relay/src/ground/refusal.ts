import type { ErrorBody, ValidationIssue } from "@assay/contract";

/** A response to a request that the relay does not fulfil, with the body `{detail}`. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly detail: ErrorBody["detail"];
  readonly headers: Record<string, string>;

  constructor(status: number, detail: string | ValidationIssue[], headers: Record<string, string> = {}) {
    super(typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; "));
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }
}

/** @param seconds after which the client may try again */
export function unavailable(detail: string, seconds: number): Refusal {
  return new Refusal(503, detail, { "Retry-After": String(seconds) });
}
