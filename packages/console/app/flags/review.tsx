import type { FeatureFlag } from "@assay/client";
import { ReviewChange } from "../parts/review.tsx";
import { editFlag, type StoredFlag } from "./data.ts";
import { toFacts } from "./words.ts";

interface Props {
  title: string;
  lead?: string;
  stored: StoredFlag;
  fields: Partial<FeatureFlag>;
  submit?: string;
  isDangerous?: boolean;
  reasonIsRequired?: boolean;
  initialReason?: string;
  onClose: () => void;
  onSaved?: () => void;
  onRefused?: (error: unknown) => void;
}

/** Shows what a change of a flag does before it is saved, and both changes if someone else was faster. */
export function Review({ stored, reasonIsRequired, ...rest }: Props) {
  return (
    <ReviewChange
      {...rest}
      stored={{ value: stored.flag, etag: stored.etag }}
      editable={editFlag(stored.flag.key)}
      toFacts={toFacts}
      reason={reasonIsRequired ? "required" : "optional"}
    />
  );
}
