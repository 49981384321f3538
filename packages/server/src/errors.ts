import type { Role, ValidationIssue } from "@assay/contract";

/** An answer other than success: thrown anywhere, made into `{detail}` at the one boundary. */
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
/** @param subject what it was needed for, where that is not what the request is about */
export const forbidden = (needed?: Role | string, subject?: string) => {
  const purpose = subject === undefined ? "" : ` for ${subject}`;
  return new ApiError(403, needed ? `Not enough permissions: ${needed} required${purpose}` : "Not enough permissions");
};
export const unauthorized = (detail: UnauthorizedDetail) =>
  new ApiError(401, detail, detail === "Invalid API key" ? {} : { "WWW-Authenticate": "Bearer" });

export type UnauthorizedDetail =
  | "Not authenticated"
  | "Invalid API key"
  | "Could not validate credentials"
  | "Incorrect username or password"
  | "Token has expired";

/** One 422 issue, for rules that a schema cannot state. */
export function invalid(loc: (string | number)[], msg: string, type = "value_error"): ApiError {
  return new ApiError(422, [{ loc, msg, type }]);
}

/** By name, not instanceof: two copies of the package still agree. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === "ApiError" && "status" in error && "detail" in error;
}
