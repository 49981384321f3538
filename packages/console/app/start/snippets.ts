export interface SnippetInput {
  server: string;
  apiKey: string;
  flagKey: string;
}

/** A language, what to install, and code that evaluates a boolean flag. */
export interface Snippet {
  id: string;
  label: string;
  /** Web pages take a key of the kind CLIENT. */
  isWeb: boolean;
  code: (input: SnippetInput) => string;
}

const NODE: Snippet = {
  id: "node",
  label: "Node.js",
  isWeb: false,
  code: ({ server, apiKey, flagKey }) => `// npm install @assay/openfeature-server @openfeature/server-sdk
import { AssayServerProvider } from "@assay/openfeature-server";
import { OpenFeature } from "@openfeature/server-sdk";

await OpenFeature.setProviderAndWait(
  new AssayServerProvider({ apiKey: "${apiKey}", baseUrl: "${server}" }),
);
const isOn = await OpenFeature.getClient().getBooleanValue("${flagKey}", false, { targetingKey: "user-1" });
console.log(isOn);`,
};

const REACT: Snippet = {
  id: "react",
  label: "React",
  isWeb: true,
  code: ({ server, apiKey, flagKey }) => `// npm install @assay/openfeature-web @openfeature/react-sdk
import { AssayWebProvider } from "@assay/openfeature-web";
import { OpenFeature, OpenFeatureProvider, useBooleanFlagValue } from "@openfeature/react-sdk";

await OpenFeature.setContext({ targetingKey: "user-1" });
OpenFeature.setProvider(new AssayWebProvider({ apiKey: "${apiKey}", baseUrl: "${server}" }));

const Page = () => <p>{useBooleanFlagValue("${flagKey}", false) ? "on" : "off"}</p>;
export const App = () => <OpenFeatureProvider><Page /></OpenFeatureProvider>;`,
};

const BROWSER: Snippet = {
  id: "browser",
  label: "Browser",
  isWeb: true,
  code: ({ server, apiKey, flagKey }) => `// npm install @assay/openfeature-web @openfeature/web-sdk
import { AssayWebProvider } from "@assay/openfeature-web";
import { OpenFeature } from "@openfeature/web-sdk";

await OpenFeature.setProviderAndWait(
  new AssayWebProvider({ apiKey: "${apiKey}", baseUrl: "${server}" }),
  { targetingKey: "user-1" },
);
console.log(OpenFeature.getClient().getBooleanValue("${flagKey}", false));`,
};

const CURL: Snippet = {
  id: "curl",
  label: "curl",
  isWeb: false,
  code: ({ server, apiKey, flagKey }) => `curl -X POST ${server}/api/v1/feature-flags/${flagKey}/evaluate \\
  -H "X-API-Key: ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{"user_id": "user-1"}'`,
};

const PYTHON: Snippet = {
  id: "python",
  label: "Python",
  isWeb: false,
  code: ({ server, apiKey, flagKey }) => `# pip install openfeature-sdk openfeature-provider-ofrep
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

api.set_provider(OFREPProvider("${server}", headers_factory=lambda: {"X-API-Key": "${apiKey}"}))
print(api.get_client().get_boolean_value("${flagKey}", False, EvaluationContext("user-1")))`,
};

const GO: Snippet = {
  id: "go",
  label: "Go",
  isWeb: false,
  code: ({
    server,
    apiKey,
    flagKey,
  }) => `// go get github.com/open-feature/go-sdk github.com/open-feature/go-sdk-contrib/providers/ofrep
provider := ofrep.NewProvider("${server}", ofrep.WithHeader("X-API-Key", "${apiKey}"))
openfeature.SetProviderAndWait(provider)
client := openfeature.NewClient("app")
user := openfeature.NewEvaluationContext("user-1", nil)
isOn, err := client.BooleanValue(context.Background(), "${flagKey}", false, user)`,
};

export const SNIPPETS = [NODE, REACT, BROWSER, CURL, PYTHON, GO];
