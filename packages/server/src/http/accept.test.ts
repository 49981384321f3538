import * as fc from "fast-check";
import { expect, test } from "vitest";
import { preferredOver } from "./accept.ts";

const SPECIAL = "application/vnd.x+json";
const accepts = (accept: string | null) => preferredOver(accept, [SPECIAL]) === SPECIAL;

test.each([
  SPECIAL,
  SPECIAL.toUpperCase(),
  `${SPECIAL}, application/json;q=0.5`,
  `application/json;q=0.5,${SPECIAL}`,
  `${SPECIAL}, application/json`,
  `${SPECIAL};q=0.1`,
  `${SPECIAL};Q=0.1`,
  `${SPECIAL} ; q=1.000 , */*;q=0.9`,
  `${SPECIAL};q=0.2, application/json;q=0.1, */*`,
  `text/html;a="\\"";q=0.3, ${SPECIAL}`,
  `, ,${SPECIAL},`,
])("%s accepts the type", (accept) => expect(accepts(accept)).toBe(true));

test.each([
  null,
  "",
  "*/*",
  "application/*",
  "application/json",
  "text/html, */*;q=0.1",
  `${SPECIAL};q=0`,
  `${SPECIAL};q=0.000`,
  `${SPECIAL};q=0.9, application/json`,
  `${SPECIAL};q=0.9, application/*`,
  `${SPECIAL};q=0.9, */*`,
  `${SPECIAL}2`,
  "application/vnd.x",
  `text/html;a="${SPECIAL}"`,
  `text/html;a=", ${SPECIAL}"`,
  `text/html;a=", ${SPECIAL}`,
])("%s does not accept the type", (accept) => expect(accepts(accept)).toBe(false));

test("chooses the preferred one of several types", () => {
  const types = ["a/b", "c/d"];
  expect(preferredOver("a/b;q=0.5, c/d;q=0.6", types)).toBe("c/d");
  expect(preferredOver("c/d, a/b", types)).toBe("c/d");
  expect(preferredOver("c/d;q=0.3, a/b;q=0", types)).toBe("c/d");
});

test("chooses one of the types or none for any header", () => {
  const part = fc.constantFrom(SPECIAL, "application/json", "*/*", ";", ",", "q=0.5", "q=", '"', "\\", " ", "=");
  const header = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 20 }).map((parts) => parts.join("")),
  );
  fc.assert(fc.property(header, (accept) => [SPECIAL, undefined].includes(preferredOver(accept, [SPECIAL]))));
});
