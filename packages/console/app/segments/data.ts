import type { Segment, SegmentUpdate } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { sayCondition } from "../flags/words.ts";
import { type Editable, type Stored, toStored } from "../parts/change.ts";
import type { Fact } from "../parts/diff.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";

const { segments: text } = TEXT;

async function readSegment(id: string): Promise<Stored<Segment>> {
  return toStored(await api.request("GET /segments/{id}", { params: { id } }));
}

export function useSegment(id: string) {
  return useQuery({ queryKey: ["segment", id], queryFn: () => readSegment(id) });
}

/** How a segment is read and changed. */
export const editSegment = (id: string): Editable<Segment> => ({
  read: () => readSegment(id),
  write: (fields, etag) =>
    api.request("PUT /segments/{id}", {
      params: { id },
      body: fields as SegmentUpdate,
      headers: { "If-Match": etag },
    }),
  queryKeys: [["segment"], ["segments"]],
});

/** Says the fields of a segment in words. */
export function toFacts({ name, description, status, conditions, user_ids }: Partial<Segment>): Fact[] {
  const facts: (Fact | undefined)[] = [
    name === undefined ? undefined : { label: text.facts.name, text: name },
    description === undefined ? undefined : { label: text.facts.description, text: description || TEXT.none },
    status && { label: text.facts.status, text: text.states[status] },
    conditions === undefined
      ? undefined
      : { label: text.facts.conditions, text: conditions ? sayCondition(conditions) : TEXT.none },
    user_ids && { label: text.facts.users, text: user_ids.join(", ") || TEXT.none },
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** Says in one sentence who is a member. */
export function saySegment({ status, conditions, user_ids }: Segment): string {
  if (status === "ARCHIVED") return text.sentence.archived;
  const listed = text.sentence.listed(user_ids.length);
  if (!conditions) return user_ids.length > 0 ? text.sentence.only(listed) : text.sentence.nobody;
  const who = text.sentence.where(sayCondition(conditions));
  return user_ids.length > 0 ? text.sentence.both(who, listed) : text.sentence.only(who);
}
