import { decode, readCookies } from "./cookie.ts";

/** The location of the user id in a request: a header, a cookie (percent-encoded or not), or a function. */
export type UserIdLocation =
  | { header: string }
  | { cookie: string }
  | ((request: Request) => string | null | undefined | Promise<string | null | undefined>);

export interface IdentityOptions {
  /**
   * The location of the user id. Trust a header only if your own proxy sets it. Without a location, requests have no
   * user id.
   */
  userId?: UserIdLocation;
  /**
   * Name of the cookie for a generated id of visitors without a user id; false generates none.
   * @default "assay_id"
   */
  anonymousCookie?: string | false;
}

/** Reads the user id of a request; undefined without one. */
export type UserIdReader = (request: Request) => Promise<string | undefined>;

/** The maximum length of a user id on the server. */
const MAX_LENGTH = 1_024;

/** The form of generated ids: created by this package, or set by the site in a cookie of the same name. */
const MADE_UP = /^[\w-]{8,64}$/;

/** Creates the reader of user ids. */
export function createUserIdReader({ userId, anonymousCookie = "assay_id" }: IdentityOptions): UserIdReader {
  const { header, cookie } = Object(userId) as { header?: string; cookie?: string };
  return async (request) => {
    const found =
      typeof userId === "function"
        ? await userId(request)
        : header
          ? request.headers.get(header)
          : cookie && readCookies(request, cookie).map(decode)[0];
    if (found && typeof found === "string" && found.length <= MAX_LENGTH) return found;
    return anonymousCookie ? readCookies(request, anonymousCookie).find((value) => MADE_UP.test(value)) : undefined;
  };
}
