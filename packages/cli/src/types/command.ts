import { writeFile } from "node:fs/promises";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { failure, reasonOf, usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { readServerWithKey, serverArgs } from "../server-address.ts";
import { type ManifestFlag, SDKS, type Sdk, toAccessors } from "./accessors.ts";

const KEY_KIND = "SERVER key with the scope read";

const args: ArgsDef = {
  out: { type: "string", valueHint: "file", description: "TypeScript file to write (default: standard output)" },
  sdk: { type: "string", valueHint: "server|web", description: "OpenFeature SDK of the application (default server)" },
  ...serverArgs(KEY_KIND),
};

const TIMEOUT_MS = 10_000;

/** `assay types`: typed accessors for the flags of a server. */
export const types: CommandDef = defineCommand({
  meta: { name: "types", description: "Write typed accessors for the flags of a server" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const { url, apiKey } = await readServerWithKey(flags, process.env, KEY_KIND);
    const sdk = flags.one("sdk") ?? "server";
    if (!isSdk(sdk)) throw usageFailure(`--sdk must be server or web, not "${sdk}"`);
    const manifest = await fetchManifest(url, apiKey);
    const text = toAccessors(manifest, sdk);
    const out = flags.one("out");
    if (out === undefined) return process.stdout.write(text);
    await writeFile(out, text).catch((error: unknown) => {
      throw failure(`Cannot write ${out}: ${reasonOf(error)}`, error);
    });
    console.log(`${manifest.length} flags written to ${out}`);
  },
});

function isSdk(word: string): word is Sdk {
  return Object.hasOwn(SDKS, word);
}

async function fetchManifest(url: string, apiKey: string): Promise<ManifestFlag[]> {
  const address = `${url.replace(/(\/api\/v1)?\/*$/, "")}/openfeature/v0/manifest`;
  const init = { headers: { "x-api-key": apiKey }, signal: AbortSignal.timeout(TIMEOUT_MS) };
  try {
    const response = await fetch(address, init);
    const { flags, error } = (await response.json()) as { flags?: ManifestFlag[]; error?: { message: string } };
    if (!Array.isArray(flags)) throw new Error(error?.message ?? `it answered ${response.status}`);
    return flags;
  } catch (error) {
    throw failure(`Cannot read the flags of ${url}: ${reasonOf(error)}`, error);
  }
}
