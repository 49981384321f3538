import type { ApiKey } from "@assay/client";
import { readPages } from "@assay/client/definitions";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { readFlags } from "../flags.ts";
import { print, toColumns } from "../output.ts";

const PAGE = 500;

const args: ArgsDef = {
  search: { type: "string", valueHint: "text", description: "Part of a name or id" },
  ...USER_ARGS,
};

/** `assay keys list`: a line per key, newest first, without secrets. */
export const list: CommandDef = defineCommand({
  meta: { name: "list", description: "List API keys" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const search = flags.one("search");
    const all = await withUser(flags, (client) =>
      readPages(PAGE, (page) => client.request("GET /api-keys", { query: { ...(search && { search }), ...page } })),
    );
    print(flags, all, () =>
      toColumns(
        ["NAME", "KIND", "SCOPES", "STATE", "LAST USED", "EXPIRES", "ID"],
        all.map((key) => [
          key.name,
          key.kind,
          key.scopes.join(","),
          stateOf(key),
          key.last_used_at,
          key.expires_at,
          key.id,
        ]),
      ),
    );
  },
});

function stateOf({ is_active, stale }: ApiKey): string {
  if (!is_active) return "revoked";
  return stale ? "unused for 30 days" : "active";
}
