import type { RemoteAnswers } from "@assay/openfeature-web/remote";
import { OpenFeatureTestProvider } from "@openfeature/react-sdk";
import { renderToString } from "react-dom/server";
import { Page } from "./page.tsx";

/** How the page reaches the server, and the addresses of what Vite has built. */
export interface Settings {
  apiKey: string;
  baseUrl: string;
  script: string;
}

/** Renders the page for one user, with the answers in it that the browser goes on with. */
export async function render(user: string, { apiKey, baseUrl, script }: Settings): Promise<string> {
  const response = await fetch(`${baseUrl}/ofrep/v1/evaluate/flags`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey },
    body: JSON.stringify({ context: { targetingKey: user } }),
  });
  if (!response.ok) throw new Error(`Flags could not be evaluated: ${response.status}`);
  const answers = (await response.json()) as RemoteAnswers;
  const values = Object.fromEntries(
    // A disabled flag has no value, but may have a default of its own.
    answers.flags.flatMap(({ key, defaultValue, value = defaultValue }) => (value === undefined ? [] : [[key, value]])),
  );
  // The hooks answer from these values alone. Rendering is synchronous, so no other request comes in between.
  const html = renderToString(
    <OpenFeatureTestProvider flagValueMap={values}>
      <Page user={user} />
    </OpenFeatureTestProvider>,
  );
  // `<` would let a value end the script element.
  const handover = JSON.stringify({ apiKey, baseUrl, user, answers }).replace(/</g, "\\u003c");
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><link rel="icon" href="data:," /><title>Welcome</title></head>
  <body>
    <div id="root">${html}</div>
    <script type="application/json" id="handover">${handover}</script>
    <script type="module" src="${script}"></script>
  </body>
</html>`;
}
