import { GrowthBookClient } from "@growthbook/growthbook";
import { migrated } from "../mapping/equality.fixture.ts";
import { readGrowthBook } from "./read.ts";

export type Features = Record<string, { defaultValue: unknown; rules?: object[] }>;
export type Attributes = Record<string, unknown>;

/** Reads a payload (https://docs.growthbook.io/lib/build-your-own) into both engines. */
export function both(features: Features, savedGroups: Record<string, unknown> = {}) {
  const client = new GrowthBookClient().initSync({ payload: { features, savedGroups } as never });
  return {
    theirs: (key: string, attributes: Attributes) => client.getFeatureValue<unknown>(key, null, { attributes }),
    ours: migrated(readGrowthBook, { status: 200, features, savedGroups }),
  };
}

export const toContext = ({ id, ...rest }: Attributes) => ({
  ...(id !== undefined && { targetingKey: id as string }),
  ...rest,
});
export const force = (value: unknown, condition?: object, more: object = {}) => ({
  force: value,
  ...(condition && { condition }),
  ...more,
});
