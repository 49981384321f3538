import { isAssayError } from "../error.ts";

/** Returns what a request answers; undefined if the caller may not send it. */
export async function ifAllowed<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isAssayError(error) && (error.status === 401 || error.status === 403)) return undefined;
    throw error;
  }
}
