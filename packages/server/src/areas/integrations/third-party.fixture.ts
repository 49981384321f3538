import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestServer } from "../../testing.fixture.ts";

export const SECRETS = {
  api_token: "jira-token-hush",
  client_secret: "crm-secret-hush",
  access_token: "crm-preseeded-hush",
  token: "ghp_codehost-hush",
  webhook_secret: "webhook-secret-hush",
  webhook_token: "webhook-token-hush",
};

/** A request as a third party received it. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
}

/** How a third party fails: responds with a status, or misbehaves. */
export type Fault = number | "hang" | "reset" | "huge" | { redirect: string } | { retryAfter: number };

/** Serves an issue tracker, a CRM and a code host on one loopback port, with the credentials that they accept. */
export async function serveThirdParties() {
  const requests: Received[] = [];
  const faults: Fault[] = [];
  let tokens = 0;
  let validToken = "";
  /** Delays every response. */
  let gate = Promise.resolve();

  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const received = { method: request.method!, path: request.url!, headers: request.headers, text };
    requests.push(received);
    const fault = faults.shift();
    await gate;
    if (fault === undefined) await answer(received, response);
    else fail(fault, response);
  });

  async function answer({ method, path, headers, text }: Received, response: ServerResponse): Promise<void> {
    const json = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const { authorization } = headers;
    if (path === "/services/oauth2/token") {
      const form = new URLSearchParams(text);
      if (form.get("client_secret") !== SECRETS.client_secret) return void json(400, { error: "invalid_client" });
      validToken = `token-hush-${++tokens}`;
      return void json(200, { access_token: validToken, token_type: "Bearer", expires_in: 7200 });
    }
    const basic = `Basic ${Buffer.from(`bot@example.org:${SECRETS.api_token}`).toString("base64")}`;
    const expected = path.startsWith("/rest/api/2/")
      ? basic
      : path.startsWith("/services/data/")
        ? `Bearer ${validToken}`
        : `Bearer ${SECRETS.token}`;
    if (authorization !== expected) return void json(401, { message: "Unauthorized" });
    if (method === "PATCH") return void response.writeHead(204).end();
    json(method === "POST" ? 201 : 200, { id: "1" });
  }

  function fail(fault: Fault, response: ServerResponse): void {
    if (fault === "hang") return;
    if (fault === "reset") return void response.socket?.resetAndDestroy();
    if (fault === "huge") return void response.end("x".repeat(2_000_000));
    if (typeof fault === "number") return void response.writeHead(fault).end(SECRETS.api_token);
    if ("redirect" in fault) return void response.writeHead(302, { location: fault.redirect }).end();
    response.writeHead(503, { "retry-after": String(fault.retryAfter) }).end();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Responses to the next requests, in order. */
    failNext: (...next: Fault[]) => void faults.push(...next),
    /** Makes the CRM reject every access token that it has issued. */
    revokeTokens() {
      validToken = "none";
    },
    /** Delays responses until the caller runs the returned function. */
    holdAnswers() {
      let release = () => {};
      gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      return release;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type ThirdParties = Awaited<ReturnType<typeof serveThirdParties>>;

/** Options of a server that may reach third parties on 127.0.0.1, but no other private address. */
export const LOOPBACK = { outbound: { allowPrivateNetworks: ["127.0.0.1/32"] } };

export const configs = (url: string) => ({
  TRACKER: { base_url: url, username: "bot@example.org", api_token: SECRETS.api_token },
  CRM: { instance_url: url, client_id: "assay", client_secret: SECRETS.client_secret },
  CODEHOST: { base_url: url, token: SECRETS.token, webhook_secret: SECRETS.webhook_secret },
});

/** Creates an integration with one of the three. */
export function connect(
  client: Pick<TestServer["admin"], "request">,
  integration_type: "TRACKER" | "CRM" | "CODEHOST",
  config: Record<string, unknown>,
  name = `${integration_type} integration`,
) {
  return client.request("POST /integrations", {
    body: { name, integration_type, description: "", config: config as never },
  });
}
