import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { contract, PROGRAM_MEDIA_TYPE, toOpenApi } from "./index.ts";

test("the contract is a valid OpenAPI 3.1 document", async () => {
  const result = await new Validator().validate(structuredClone(toOpenApi(contract)));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
});

test("every route has an operation with a unique id, and every reference resolves", () => {
  const document = toOpenApi(contract);
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((operation) => (operation as { operationId: string }).operationId),
  );
  expect(ids).toHaveLength(Object.keys(contract).length);
  expect(new Set(ids).size).toBe(ids.length);
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name!,
  );
  expect(references.length).toBeGreaterThan(20);
  for (const name of references) expect(document.components.schemas).toHaveProperty([name]);
  expect(JSON.stringify(document)).not.toContain("#/$defs/");
});

test("other media types of a route follow the JSON response", () => {
  const operation = toOpenApi(contract).paths["/openfeature/flags"]!.get as {
    description: string;
    responses: Record<string, { content: Record<string, { schema: object }> }>;
  };
  expect(Object.entries(operation.responses["200"]!.content)).toEqual([
    ["application/json", { schema: { $ref: "#/components/schemas/Definitions" } }],
    [PROGRAM_MEDIA_TYPE, { schema: { $ref: "#/components/schemas/Program" } }],
  ]);
  expect(operation.description).toContain(PROGRAM_MEDIA_TYPE);
});
