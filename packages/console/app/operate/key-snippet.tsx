import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SERVER_URL } from "../base.ts";
import { Field } from "../parts/field.tsx";
import { CopyButton } from "../parts/secret.tsx";
import { api } from "../session.ts";
import { SNIPPETS } from "../start/snippets.ts";
import { TEXT } from "../text.ts";

/** Code that uses a key, in the languages that take a key of this kind. */
export function KeySnippet({ apiKey, isWeb }: { apiKey: string; isWeb: boolean }) {
  const snippets = SNIPPETS.filter((one) => one.isWeb === isWeb);
  const [language, setLanguage] = useState(snippets[0]!.id);
  const flags = useQuery({
    queryKey: ["flags", "start"],
    queryFn: () => api.request("GET /feature-flags/", { query: { limit: 100, status_filter: "ACTIVE" } }),
  });
  const snippet = snippets.find(({ id }) => id === language)!;
  const flagKey = flags.data?.[0]?.key ?? TEXT.start.anyFlag;
  const code = snippet.code({ server: SERVER_URL.href.replace(/\/$/, ""), apiKey, flagKey });
  return (
    <>
      <Field label={TEXT.start.language}>
        <select value={language} onChange={(event) => setLanguage(event.currentTarget.value)}>
          {snippets.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <pre>
        <code>{code}</code>
      </pre>
      <div>
        <CopyButton text={code} />
      </div>
    </>
  );
}
