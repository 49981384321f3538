import { decode, readCookies } from "./cookie.ts";

/** Where the user id of a request is: a header, a cookie (percent-encoded or not), or what a function finds. */
export type UserIdSource =
  | { header: string }
  | { cookie: string }
  | ((request: Request) => string | null | undefined | Promise<string | null | undefined>);

export interface IdentityOptions {
  /** Where the user id is; only believe a header that your own proxy sets. Nowhere unless given. */
  userId?: UserIdSource;
  /**
   * Name of the cookie that holds a made-up id for those without a user id; false makes none up.
   * @default "assay_id"
   */
  anonymousCookie?: string | false;
}

/** Reads the user id that a request has, undefined where it has none. */
export type UserIdReader = (request: Request) => Promise<string | undefined>;

/** What the server takes for a user id. */
const MAX_LENGTH = 1_024;

/** An id that this package created, or that the site set in a cookie of the same name. */
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
    if (typeof found === "string" && found !== "" && found.length <= MAX_LENGTH) return found;
    return anonymousCookie ? readCookies(request, anonymousCookie).find((value) => MADE_UP.test(value)) : undefined;
  };
}
