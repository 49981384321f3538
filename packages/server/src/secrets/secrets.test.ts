import fc from "fast-check";
import { expect, test } from "vitest";
import { createSecrets, SecretUnreadable } from "./secrets.ts";

const first = "first key of at least thirty-two characters";
const second = "second key of at least thirty-two characters";

test("decrypts what it encrypted, which never contains the text", () => {
  const secrets = createSecrets([first]);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, context) => {
      const sealed = secrets.seal(text, context);
      expect(secrets.open(sealed, context)).toBe(text);
      expect(sealed).not.toBe(secrets.seal(text, context));
    }),
  );
});

test("an older key still decrypts; its texts are not current", () => {
  const old = createSecrets([first]).seal("token", "id");
  const secrets = createSecrets([second, first]);
  expect(secrets.open(old, "id")).toBe("token");
  expect(secrets.isCurrent(old)).toBe(false);
  expect(secrets.isCurrent(secrets.seal("token", "id"))).toBe(true);
});

test("rejects a text that was changed, moved, or encrypted by a missing key", () => {
  const secrets = createSecrets([first]);
  const sealed = secrets.seal("token", "one");
  expect(() => secrets.open(sealed, "two")).toThrow(SecretUnreadable);
  const withoutKey = () => createSecrets([second]).open(sealed, "one");
  expect(withoutKey).toThrow(SecretUnreadable);
  // Embedders set an option, operators a variable: the message names both.
  expect(withoutKey).toThrow("secretKeys (ASSAY_SECRETS_KEYS)");
  for (const damaged of ["", "s1", "s1..", sealed.slice(0, -1), sealed.replace("s1", "s2")]) {
    expect(() => secrets.open(damaged, "one")).toThrow(SecretUnreadable);
  }
});

test("rejects a short key and an empty ring", () => {
  expect(() => createSecrets([])).toThrow(TypeError);
  expect(() => createSecrets([first, "short"])).toThrow(TypeError);
});
