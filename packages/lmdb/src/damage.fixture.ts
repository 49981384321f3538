import type { DamageTarget } from "@assay/store/conformance";
import { open } from "lmdb";

/** Flips one bit of the last byte of a stored record, directly in the database. */
export async function damage(path: string, target: DamageTarget): Promise<void> {
  const root = open<Buffer>({ path, noSubdir: false, encoding: "binary", overlappingSync: false });
  const flipped = (sealed: Buffer | undefined) => {
    const copy = Buffer.from(sealed ?? []);
    copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
    return copy;
  };
  if ("key" in target) {
    const entries = root.openDB<Buffer, string>({ name: "entries", encoding: "binary" });
    await entries.put(target.key, flipped(entries.get(target.key)));
  } else {
    const records = root.openDB<Buffer, Buffer>({ name: "records", encoding: "binary", keyEncoding: "binary" });
    const position = Buffer.alloc(6);
    position.writeUIntBE(target.position, 0, 6);
    const key = Buffer.concat([Buffer.from(`${target.journal}\0`), position]);
    await records.put(key, flipped(records.get(key)));
  }
  await root.close();
}
