import { AssayServerProvider } from "@assay/openfeature-server";
import { AssayWebProvider } from "@assay/openfeature-web";
import { createAssay, smtpMailer } from "@assay/server";
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { OpenFeature } from "@openfeature/server-sdk";

// Options that the guides show and that no example can run, since they name servers of other people: type-checked here.

export function people() {
  const assay = createAssay({
    admin: { username: "root", password: process.env.ASSAY_ADMIN_PASSWORD! },
    signup: "INVITE",
    invited: ["ada@example.com", "@example.org"],
    mailer: smtpMailer({ url: "smtps://user:password@mail.example.org", from: "Assay <assay@example.org>" }),
  });
  return assay;
}

export function provider() {
  createAssay({
    identity: {
      issuer: "https://id.example.org/realms/main",
      clientId: "assay",
      clientSecret: process.env.OIDC_SECRET!,
      redirectUri: "https://flags.example.org/oidc/callback",
      audience: "https://flags.example.org",
      roleClaim: "realm_access.roles",
      roles: { "flags-admins": "SUPERUSER", developers: "DEVELOPER", everyone: "VIEWER" },
    },
  });
}

export async function streaming(apiKey: string, baseUrl: string) {
  await OpenFeature.setProviderAndWait(new AssayServerProvider({ apiKey, baseUrl, streaming: true }));
}

export function remote(clientKey: string) {
  new OFREPWebProvider({ baseUrl: "https://flags.example.org", headers: [["X-API-Key", clientKey]] });
}

export function browser(clientKey: string, baseUrl: string) {
  const local = new AssayWebProvider({ apiKey: clientKey, baseUrl });
  const remote = new AssayWebProvider({ apiKey: clientKey, baseUrl, evaluation: "remote" });
  return [local, remote];
}
