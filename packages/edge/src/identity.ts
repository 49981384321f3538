import { OptionError, requireOption } from "@assay/core/definitions";
import { decode, readCookies, TOKEN, toSetCookie } from "./cookie.ts";

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

/** A user, and the cookie that has to be set for this user to be the same one the next time. */
export interface Identity {
  userId: string | undefined;
  setCookie?: string;
}

export interface Identities {
  /** The id that a request has, undefined where it has none. */
  read(request: Request): Promise<string | undefined>;
  /** {@link read}, and where there is none a new id, if ids are to be made up. */
  identify(request: Request): Promise<Identity>;
}

/** What the server takes for a user id. */
const MAX_LENGTH = 1_024;

/** An id made up by us, or by whoever set the cookie with the same name in mind. */
const MADE_UP = /^[\w-]{8,64}$/;

/** Creates the reader of user ids. @throws OptionError where a header or cookie cannot have the name given. */
export function createIdentities({ userId, anonymousCookie = "assay_id" }: IdentityOptions): Identities {
  const find = toFinder(userId);
  requireOption(anonymousCookie === false || isToken(anonymousCookie), "anonymousCookie", "a cookie name");

  async function read(request: Request): Promise<string | undefined> {
    const found = await find(request);
    if (typeof found === "string" && found !== "" && found.length <= MAX_LENGTH) return found;
    if (anonymousCookie === false) return undefined;
    return readCookies(request, anonymousCookie).find((value) => MADE_UP.test(value));
  }

  return {
    read,
    async identify(request) {
      const userId = await read(request);
      if (userId !== undefined || anonymousCookie === false) return { userId };
      const made = crypto.randomUUID();
      return { userId: made, setCookie: toSetCookie(anonymousCookie, made) };
    },
  };
}

function toFinder(source: UserIdSource | undefined): (request: Request) => unknown {
  if (source === undefined) return () => undefined;
  if (typeof source === "function") return source;
  const { header, cookie } = Object(source) as { header?: unknown; cookie?: unknown };
  if (isToken(header)) return (request) => request.headers.get(header);
  if (isToken(cookie)) return (request) => readCookies(request, cookie).map(decode)[0];
  throw new OptionError("userId", "{ header }, { cookie } or a function");
}

function isToken(name: unknown): name is string {
  return typeof name === "string" && TOKEN.test(name);
}
