/** Why a request to a user-provided address failed. */
export type OutboundReason =
  | "BAD_URL"
  | "BLOCKED_ADDRESS"
  | "REFUSED_REDIRECT"
  | "TIMEOUT"
  | "ABORTED"
  | "TOO_LARGE"
  | "TLS"
  | "CONNECTION"
  | "BAD_RESPONSE"
  | "CIRCUIT_OPEN";

const TEXTS: Record<OutboundReason, string> = {
  BAD_URL: "The address is no http or https URL without user name and password",
  BLOCKED_ADDRESS: "The address is not on the public internet; see allowPrivateNetworks",
  REFUSED_REDIRECT: "The answer redirects too often, to plain http, or would take a body to another origin",
  TIMEOUT: "There was no complete answer in time",
  ABORTED: "The request was given up",
  TOO_LARGE: "The answer is too large",
  TLS: "The TLS certificate of the other side is not valid",
  CONNECTION: "The other side cannot be reached, or ended the connection",
  BAD_RESPONSE: "The answer is not readable HTTP",
  CIRCUIT_OPEN: "The last requests there failed; the next is tried in a moment",
};

/** A failed request. Its reason and message are public and contain neither address nor secrets. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason) {
    super(TEXTS[reason]);
    this.reason = reason;
  }
}
