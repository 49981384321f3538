import { ApiError } from "../ground/errors.ts";

/** Maximum size of a request body in bytes, after decompression. */
export const MAX_BODY_BYTES = 1_048_576;

/**
 * Creates the 413. It does not close the connection: a client that still sends would get an error of the connection
 * instead of the response. Hosts discard the rest of the body.
 */
export const tooLarge = () => new ApiError(413, `Request body is larger than ${MAX_BODY_BYTES} bytes`);

/** Rejects by `Content-Length` before reading the body. @throws ApiError 413 */
export function checkDeclaredLength(request: Request): void {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}
