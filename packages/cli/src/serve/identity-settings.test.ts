import { afterEach, expect, test } from "vitest";
import { run, serve, stopAll } from "../cli.fixture.ts";
import { readIdentitySettings } from "./identity-settings.ts";

afterEach(stopAll);

test("sets nothing without variables", () => {
  expect(Object.values(readIdentitySettings({ ASSAY_SIGNUP: "" })).filter((value) => value !== undefined)).toEqual([]);
});

test("reads sign-up, mail and provider from the environment", () => {
  const settings = readIdentitySettings({
    ASSAY_SIGNUP: "invite",
    ASSAY_INVITED: "ada@example.com, @example.org",
    ASSAY_SMTP_URL: "smtps://user:secret@mail.example.org",
    ASSAY_MAIL_FROM: "assay@example.org",
    ASSAY_OIDC_ISSUER: "https://id.example.org",
    ASSAY_OIDC_CLIENT_ID: "assay",
    ASSAY_OIDC_ROLE_CLAIM: "groups",
    ASSAY_OIDC_ROLES: "flags-admins=superuser, a=b=DEVELOPER",
  });
  expect(settings).toMatchObject({
    signup: "INVITE",
    invited: ["ada@example.com", "@example.org"],
    mailer: { send: expect.any(Function) },
    identity: {
      issuer: "https://id.example.org",
      clientId: "assay",
      roleClaim: "groups",
      roles: { "flags-admins": "SUPERUSER", "a=b": "DEVELOPER" },
    },
  });
});

test.each<[Record<string, string>, string]>([
  [{ ASSAY_SIGNUP: "maybe" }, 'ASSAY_SIGNUP must be OPEN, INVITE, OFF, not "maybe"'],
  [{ ASSAY_SMTP_URL: "smtp://host" }, "Set ASSAY_MAIL_FROM to the sender's address if ASSAY_SMTP_URL is set"],
  [{ ASSAY_SMTP_URL: "https://user:secret@host", ASSAY_MAIL_FROM: "a@b.org" }, "ASSAY_SMTP_URL: not an SMTP address"],
  [{ ASSAY_OIDC_ISSUER: "https://id.example.org" }, "Set ASSAY_OIDC_CLIENT_ID if ASSAY_OIDC_ISSUER is set"],
  [
    { ASSAY_OIDC_ISSUER: "https://id.example.org", ASSAY_OIDC_CLIENT_ID: "a", ASSAY_OIDC_ROLES: "x=BOSS" },
    'ASSAY_OIDC_ROLES must be VIEWER, ANALYST, DEVELOPER, ADMIN, SUPERUSER, not "BOSS"',
  ],
])("rejects %j and names the variable", (environment, line) => {
  expect(() => readIdentitySettings(environment)).toThrow(line);
});

test("disables sign-up, and a weak password stops a start in production with one line", async () => {
  const { url } = await serve(["--storage", "memory"], { ASSAY_SIGNUP: "off" });
  const answer = await fetch(`${url}/api/v1/auth/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "grace", password: "a-password-of-tests", email: "grace@example.org" }),
  });
  expect(answer.status).toBe(403);
  const weak = { NODE_ENV: "production", ASSAY_ADMIN_PASSWORD: "password123" };
  const { code, output } = await run(["serve", "--port", "0", "--storage", "memory"], weak);
  expect([code, output]).toEqual([
    2,
    "assay: The administrator's password has fewer than 12 characters; NODE_ENV=production requires a stronger one\n",
  ]);
});
