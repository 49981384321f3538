import type { Role, ValidationIssue } from "@assay/contract";

/** An error response. Throw it anywhere; the boundary turns it into `{detail}`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly detail: string | ValidationIssue[];
  readonly headers: Record<string, string>;

  constructor(status: number, detail: string | ValidationIssue[], headers: Record<string, string> = {}) {
    super(
      typeof detail === "string" ? detail : detail.map((issue) => `${issue.loc.join(".")}: ${issue.msg}`).join("; "),
    );
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }
}

export const badRequest = (detail: string) => new ApiError(400, detail);
export const notFound = () => new ApiError(404, "Resource not found");
export const conflict = (detail: string) => new ApiError(409, detail);
export const preconditionFailed = () => new ApiError(412, "The resource has changed since it was read");
/** Creates a 403. @param subject what needs the role or scope, if not the request itself */
export const forbidden = (needed?: Role | string, subject?: string) => {
  const purpose = subject === undefined ? "" : ` for ${subject}`;
  return new ApiError(403, needed ? `Not enough permissions: ${needed} required${purpose}` : "Not enough permissions");
};
export const unauthorized = (detail: UnauthorizedDetail) =>
  new ApiError(401, detail, detail === "Invalid API key" ? {} : { "WWW-Authenticate": "Bearer" });

export type UnauthorizedDetail =
  | "Not authenticated"
  | "Not authenticated: an API key is needed here (X-API-Key), and the request has a user's token"
  | "Not authenticated: a user's token is needed here (Authorization: Bearer), and the request has an API key"
  | "Invalid API key"
  | "Could not validate credentials"
  | "Incorrect username or password"
  | "Token has expired";

/** Creates a 422 with one issue, for rules that a schema cannot express. */
export function invalid(loc: (string | number)[], msg: string, type = "value_error"): ApiError {
  return new ApiError(422, [{ loc, msg, type }]);
}

/** Checks the name instead of using instanceof, so that two copies of the package work together. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === "ApiError" && "status" in error && "detail" in error;
}
