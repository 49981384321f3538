import { createClient, isAssayError } from "@assay/client";
import { reasonOf } from "../failure.ts";
import type { ServerAddress } from "../server-address.ts";
import type { Finding } from "./command.ts";

const TIMEOUT_MS = 5_000;
const MAX_CLOCK_DIFFERENCE_MS = 5_000;

/** Checks whether a server answers, is ready, has the same time, and accepts the credentials. */
export async function checkServer({ url, apiKey, username, password }: ServerAddress): Promise<Finding[]> {
  const origin = url.replace(/(\/api\/v1)?\/*$/, "");
  let response: Response;
  let reason: string | undefined;
  const sent = Date.now();
  try {
    response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = (await response.json().catch(() => ({}))) as { reason?: string };
    reason = body.reason;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const advice = "Start it (assay serve), or correct --url, ASSAY_URL or the profile";
    return [{ check: "Server", ok: false, detail: `${url} does not answer: ${reasonOf(cause)}`, advice }];
  }
  const findings = [toReadiness(url, response, reason), checkTransport(url), checkClock(response, sent)];
  if (!response.ok) return findings;
  if (apiKey) findings.push(await checkKey(url, apiKey));
  if (username && password) findings.push(await checkUser(url, username, password));
  if (!apiKey && !(username && password)) {
    const advice = "Set ASSAY_API_KEY, or run: assay init --url ADDRESS --username NAME";
    findings.push({ check: "Credentials", ok: false, detail: "none for this server", advice });
  }
  return findings;
}

function toReadiness(url: string, { ok, status }: Response, reason: string | undefined): Finding {
  const check = "Server";
  if (ok) return { check, ok, detail: `${url} is ready`, advice: null };
  if (status !== 503) {
    const advice = "Check that the address is that of Assay, and its base path";
    return { check, ok, detail: `${url} answers ${status} to /readyz`, advice };
  }
  return {
    check,
    ok,
    detail: `${url} is not ready: ${reason ?? "no reason given"}`,
    advice: "Look at the server's log",
  };
}

/** Checks that requests are encrypted (TLS), or stay on this machine. */
export function checkTransport(url: string): Finding {
  const { protocol, hostname } = new URL(url);
  const ok = protocol === "https:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  const advice = ok ? null : "Use https: the network can read keys and passwords in http";
  return { check: "Transport", ok, detail: ok ? protocol.slice(0, -1) : "http to another machine", advice };
}

/** Compares the `Date` of a response, which has seconds, with the clock of this machine. */
function checkClock(response: Response, sent: number): Finding {
  const check = "Clock";
  const date = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(date)) return { check, ok: true, detail: "the server does not tell its time", advice: null };
  const received = Date.now();
  const difference = date > received ? date - received : Math.max(0, sent - date);
  const ok = difference <= MAX_CLOCK_DIFFERENCE_MS;
  const advice = ok ? null : "Synchronise the clocks: events get their times from them";
  return { check, ok, detail: `${Math.round(difference / 1000)} s from the server's`, advice };
}

async function checkKey(url: string, apiKey: string): Promise<Finding> {
  const client = createClient({ baseUrl: url, apiKey, retries: 0, timeout: TIMEOUT_MS });
  const request = client.request("GET /feature-flags/", { query: { limit: 1 } });
  return toFinding("API key", request, "valid", "Create another one: assay keys create");
}

async function checkUser(url: string, username: string, password: string): Promise<Finding> {
  const client = createClient({ baseUrl: url, username, password, retries: 0, timeout: TIMEOUT_MS });
  const request = client.request("GET /users/me");
  return toFinding("User", request, `${username} can sign in`, "Correct --username and ASSAY_PASSWORD");
}

async function toFinding(check: string, request: Promise<unknown>, detail: string, advice: string): Promise<Finding> {
  try {
    await request;
    return { check, ok: true, detail, advice: null };
  } catch (error) {
    return { check, ok: false, detail: isAssayError(error) ? error.detail : reasonOf(error), advice };
  }
}
