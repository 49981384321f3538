import { randomBytes } from "node:crypto";
import type { RequestOptions } from "@assay/client";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { usageFailure } from "../failure.ts";
import { readFlags, requireWord } from "../flags.ts";

const args: ArgsDef = {
  name: { type: "positional", required: false, description: "Username" },
  email: { type: "string", description: "E-mail address" },
  role: { type: "string", description: "VIEWER, ANALYST, DEVELOPER or ADMIN (default VIEWER)" },
  "full-name": { type: "string", valueHint: "name", description: "Name of the person" },
  ...USER_ARGS,
};

/** `assay users create`: a confirmed user, with the password in ASSAY_NEW_PASSWORD or a generated one. */
export const create: CommandDef = defineCommand({
  meta: { name: "create", description: "Create a user (password in ASSAY_NEW_PASSWORD, or generated)" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const username = requireWord(flags, 0, "the username");
    const [email, role, full_name] = [flags.one("email"), flags.one("role"), flags.one("full-name")];
    if (!email) throw usageFailure("--email is missing");
    const given = process.env.ASSAY_NEW_PASSWORD;
    const password = given || randomBytes(18).toString("base64url");
    // The server checks the name of the role.
    const body = {
      username,
      email,
      password,
      role: role ?? "VIEWER",
      ...(full_name && { full_name }),
    } as RequestOptions<"POST /users/">["body"];
    const user = await withUser(flags, (client) => client.request("POST /users/", { body }));
    const shown = given ? {} : { password };
    if (flags.has("json")) return console.log(JSON.stringify({ ...user, ...shown }, null, 2));
    console.log(`${user.username} is ${user.role}`);
    if (!given) console.log(`Password (shown only this once): ${password}`);
  },
});
