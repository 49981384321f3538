import { CONSOLE_PATH } from "./console.ts";

/** Returns the address of a page of the console, such as `proposals/42`; null if the server does not know its own. */
export type PageLinks = (page: string) => string | null;

/** What of the options decides where the console is. */
interface Place {
  publicUrl?: string | undefined;
  console?: unknown;
}

/** @throws TypeError unless the address is one that links can start with */
export function requirePublicUrl(publicUrl: string): void {
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : null;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isPlain)
    throw new TypeError("publicUrl must be an http or https address without a user name, query or fragment");
}

/** @param environment in every link; undefined if the server has only one */
export function createPageLinks({ publicUrl, console }: Place, environment: string | undefined): PageLinks {
  if (publicUrl === undefined || console === undefined) return () => null;
  const base = publicUrl.replace(/\/+$/, "");
  const query = environment === undefined ? "" : `?environment=${encodeURIComponent(environment)}`;
  return (page) => `${base}${CONSOLE_PATH}/${page}${query}`;
}
