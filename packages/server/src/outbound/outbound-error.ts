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
  BAD_URL: "The address must be an http or https URL without user name and password",
  BLOCKED_ADDRESS: "The address is not on the public internet; see allowPrivateNetworks",
  REFUSED_REDIRECT: "The response redirects too often, from https to http, or with a body to another origin",
  TIMEOUT: "The response was not complete in time",
  ABORTED: "The request was canceled",
  TOO_LARGE: "The response is too large",
  TLS: "The TLS certificate of the other side is not valid",
  CONNECTION: "The other side cannot be reached, or closed the connection",
  BAD_RESPONSE: "The response is not valid HTTP",
  CIRCUIT_OPEN: "The last requests to this address failed; try again in 30 seconds",
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
