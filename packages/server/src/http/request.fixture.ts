import { ORIGIN, type TestServer } from "../testing.fixture.ts";

/** Sends a request as if over a socket whose other end is `ip`. */
export async function sendFrom(
  server: Pick<TestServer, "assay">,
  ip: string | undefined,
  path: string,
  { origin = ORIGIN, ...init }: RequestInit & { origin?: string } = {},
): Promise<Response> {
  const request = new Request(`${origin}${path}`, init);
  Object.defineProperty(request, "ip", { value: ip });
  return server.assay.fetch(request);
}

/** Sends a sign-in attempt from an address. */
export function signInFrom(
  server: Pick<TestServer, "assay">,
  ip: string | undefined,
  username: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return sendFrom(server, ip, "/api/v1/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ username, password: "wrong password" }),
  });
}
