/** Creates a JSON response, with `no-store` unless the headers override it. */
export function toJson(status: number, body: unknown, headers?: Record<string, string>): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** The reason for rejecting a request, with an error code of the OpenFeature Remote Evaluation Protocol. */
export type Refusal = [status: number, errorCode: string, errorDetails: string];

const MAX_BODY_BYTES = 1_048_576;

/** Reads the context from a request's body, or returns the reason for rejecting it. */
export async function readContext({ body }: Request): Promise<Record<string, unknown> | Refusal> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  let context: unknown;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.length;
      // The rest stays unread.
      if (length > MAX_BODY_BYTES) return [413, "GENERAL", "The body is over 1 MB"];
      text += decoder.decode(chunk, { stream: true });
    }
    ({ context } = Object(JSON.parse(text + decoder.decode())));
  } catch {
    return [400, "PARSE_ERROR", "The body is not JSON"];
  }
  if (!isObject(context)) return [400, "INVALID_CONTEXT", "context must be an object"];
  const isValid = typeof (context.targetingKey ?? "") === "string";
  return isValid ? context : [400, "INVALID_CONTEXT", "targetingKey must be a string"];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return Object(value) === value && !Array.isArray(value);
}
