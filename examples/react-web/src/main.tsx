import { AssayWebProvider } from "@assay/openfeature-web";
import { OpenFeature, OpenFeatureProvider } from "@openfeature/react-sdk";
import { createRoot } from "react-dom/client";
import { Shop } from "./shop.tsx";

// Written by `main.ts`; yours may come from `import.meta.env`. A CLIENT key is made to be seen.
const { apiKey, baseUrl }: { apiKey: string; baseUrl: string } = await (await fetch("/config.json")).json();

// Where the server is slow or away the page opens all the same; the hooks hear of it once flags are there.
const provider = new AssayWebProvider({ apiKey, baseUrl, streaming: true });
await OpenFeature.setProviderAndWait(provider, { targetingKey: "ada", country: "DE" }).catch(console.warn);

createRoot(document.querySelector("#root")!).render(
  <OpenFeatureProvider>
    <Shop />
  </OpenFeatureProvider>,
);
