import * as z from "zod";
import { Json, Name, strict, Text, UserId } from "../../shared/fields.ts";
import { Key } from "./key.ts";

export const VariantInput = strict({
  key: Key.optional(),
  id: Key.optional(),
  name: Name.optional(),
  description: Text.optional(),
  weight: z.number().min(0).max(100).optional(),
  is_control: z.boolean().optional(),
  configuration: Json.optional(),
  url: z.string().max(2048).optional().meta({
    description: "URL of a SPLIT_URL experiment, as returned; set it with `split_url_config`",
  }),
})
  .refine((variant) => variant.key !== undefined || variant.id !== undefined, {
    message: "A variant needs a key (or id)",
    path: ["key"],
  })
  .meta({ id: "VariantInput" });

export const Variant = z
  .object({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    description: z.string().optional(),
    weight: z.number(),
    is_control: z.boolean(),
    configuration: Json.optional(),
    url: z.string().optional(),
  })
  .meta({ id: "Variant" });
export type Variant = z.infer<typeof Variant>;

export const Factor = z.object({ name: Name, levels: z.array(Name).min(1).max(20) }).meta({ id: "Factor" });

export const Override = z
  .object({ user_id: UserId.optional(), user_segment: z.string().optional(), value: Json })
  .refine((override) => (override.user_id === undefined) !== (override.user_segment === undefined), {
    message: "An override needs either user_id or user_segment",
    path: ["user_id"],
  })
  .meta({ id: "Override" });
