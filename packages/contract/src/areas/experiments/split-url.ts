import * as z from "zod";
import { Name, strict } from "../../shared/fields.ts";
import { Key } from "./key.ts";

const SplitUrl = z.string().refine(isRedirectTarget, "Expected an absolute http(s) URL or a path starting with /");

/** An absolute http(s) URL, or a path that every browser resolves on the same host. */
function isRedirectTarget(text: string): boolean {
  if (/^https?:\/\//i.test(text)) return URL.canParse(text);
  const host = "https://host.invalid";
  // Parsers drop tabs and resolve dots, so "/\t/evil.example" and "/..//evil.example" are read as another host.
  return text.startsWith("/") && URL.canParse(text, host) && staysOn(host, new URL(text, host));
}

function staysOn(host: string, url: URL): boolean {
  return url.origin === host && !url.pathname.startsWith("//");
}

export const SplitUrlConfig = z
  .object({
    variants: z
      .array(strict({ key: Key.optional(), name: Name.optional(), url: SplitUrl, weight: z.int().min(0).max(100) }))
      .min(1)
      .max(10),
  })
  .refine((config) => config.variants.reduce((sum, variant) => sum + variant.weight, 0) === 100, {
    message: "Weights must sum to exactly 100",
    path: ["variants"],
  })
  .meta({ id: "SplitUrlConfig" });

export const SplitUrlPreview = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    user_id: z.string(),
    eligible: z.boolean(),
    variant: z.string(),
    url: z.string(),
    cookie_name: z.string(),
    cookie_value: z.string(),
    cookie_max_age: z.int().meta({ description: "Lifetime of the cookie, in seconds" }),
  })
  .meta({ id: "SplitUrlPreview" });
export type SplitUrlPreview = z.infer<typeof SplitUrlPreview>;
