import { AssayWebProvider, type RemoteAnswers } from "@assay/openfeature-web/remote";
import { OpenFeature, OpenFeatureProvider } from "@openfeature/react-sdk";
import { hydrateRoot } from "react-dom/client";
import { Page } from "./page.tsx";

/** What `server.tsx` put into the page. */
interface Handover {
  apiKey: string;
  baseUrl: string;
  user: string;
  answers: RemoteAnswers;
}

const { apiKey, baseUrl, user, answers }: Handover = JSON.parse(document.querySelector("#handover")!.textContent!);

// With the server's answers there is nothing to wait for: the first render says what the server said.
const provider = new AssayWebProvider({ apiKey, baseUrl, bootstrap: answers });
await OpenFeature.setProviderAndWait(provider, { targetingKey: user });

hydrateRoot(
  document.querySelector("#root")!,
  <OpenFeatureProvider>
    <Page user={user} />
  </OpenFeatureProvider>,
);
