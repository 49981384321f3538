import {
  NOTIFICATION_EVENTS,
  type NotificationPreferences,
  type NotificationPreferencesUpdate,
  SECRET_MASK,
} from "@assay/contract";
import { invalid } from "../../ground/errors.ts";
import { mayAs, type UserCaller } from "../../model/caller.ts";
import type { UserRecord } from "../../model/user.ts";
import { type Secrets, SecretUnreadable } from "../../secrets/secrets.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import type { Reachable } from "./channels/channel.ts";
import {
  contextOf,
  mapSealed,
  type PreferencesRecord,
  SEALED_FIELDS,
  type SealedField,
  type SealedSettings,
} from "./record.ts";

/** Notification preferences of users. */
export interface Preferences {
  get(userId: string): NotificationPreferences;
  /** Merges. @throws ApiError 422 for an enabled channel that is not configured or belongs to another user */
  update(caller: UserCaller, body: NotificationPreferencesUpdate, by: Change): Promise<NotificationPreferences>;
  /**
   * Returns the preferences of all existing users who have set any. Truncates webhook addresses, because they may
   * contain tokens.
   */
  all(): NotificationPreferences[];
  /** The current preferences of a user, with decrypted secrets. Empty for deleted users. */
  reach(userId: string): Reachable;
}

type Fields = Omit<PreferencesRecord, "id" | "created_at" | "updated_at" | "version">;

export function createPreferences(deps: {
  preferences: Collection<PreferencesRecord>;
  users: Collection<UserRecord>;
  secrets: Secrets;
}): Preferences {
  const { preferences, users, secrets } = deps;

  const isHere = (userId: string) => {
    const user = users.get(userId);
    return user?.is_active === true && !user.deleted_at;
  };

  const fieldsOf = (userId: string): Fields => overDefaults(preferences.get(userId));

  function toAnswer(userId: string): NotificationPreferences {
    const fields = fieldsOf(userId);
    const open = Object.entries(fields).filter(([name]) => !name.endsWith("_sealed"));
    const masked = SEALED_FIELDS.map((field) => [field, fields[`${field}_sealed`] === null ? null : SECRET_MASK]);
    return {
      ...(Object.fromEntries(open) as Omit<Fields, keyof SealedSettings>),
      ...(Object.fromEntries(masked) as Record<SealedField, string | null>),
      user_id: userId,
      updated_at: preferences.get(userId)?.updated_at ?? null,
    };
  }

  function merged(current: Fields, body: NotificationPreferencesUpdate, userId: string): Fields {
    const sealed = (field: SealedField) => {
      const value = body[field];
      if (value === undefined || value === SECRET_MASK) return current[`${field}_sealed`];
      return value && secrets.seal(value, contextOf(userId, field));
    };
    const isGiven = ([field, value]: [string, unknown]) =>
      value !== undefined && !(SEALED_FIELDS as readonly string[]).includes(field);
    return {
      ...current,
      ...Object.fromEntries(Object.entries(body).filter(isGiven)),
      events: { ...current.events, ...body.events },
      ...mapSealed(sealed),
    };
  }

  /** Decrypts a text. Returns null if there is none or no key can decrypt it. */
  function open(sealed: string | null, userId: string, field: SealedField): string | null {
    try {
      return sealed === null ? null : secrets.open(sealed, contextOf(userId, field));
    } catch (error) {
      if (error instanceof SecretUnreadable) return null;
      throw error;
    }
  }

  return {
    get: toAnswer,
    async update(caller, body, by) {
      const { userId } = caller;
      const own = users.require(userId).email;
      const address = body.email_address;
      if (address && address.toLowerCase() !== own.toLowerCase() && !mayAs(caller, "DEVELOPER")) {
        throw invalid(["body", "email_address"], "An address other than the account's requires the role DEVELOPER");
      }
      if (preferences.get(userId)) {
        const change = (current: PreferencesRecord) => ({
          ...current,
          ...requireSetUp(merged(overDefaults(current), body, userId)),
        });
        await preferences.update(userId, change, by);
      } else await preferences.insert({ id: userId, ...requireSetUp(merged(UNSET, body, userId)) }, by);
      return toAnswer(userId);
    },
    all: () =>
      preferences
        .all()
        .filter(({ id }) => isHere(id))
        .map(({ id }) => toAnswer(id))
        .map((answer) => ({ ...answer, webhook_url: beginningOf(answer.webhook_url) })),
    reach(userId) {
      const fields = isHere(userId) ? fieldsOf(userId) : UNSET;
      const reveal = (field: SealedField) => open(fields[`${field}_sealed`], userId, field);
      const url = fields.webhook_url;
      const secret = reveal("webhook_secret");
      return {
        email: fields.email_enabled ? (fields.email_address ?? users.require(userId).email) : null,
        slackWebhookUrl: fields.slack_enabled ? reveal("slack_webhook_url") : null,
        webhook: fields.webhook_enabled && url !== null && secret !== null ? { url, secret } : null,
      };
    },
  };
}

const UNSET: Fields = {
  email_enabled: false,
  email_address: null,
  slack_enabled: false,
  slack_webhook_url_sealed: null,
  webhook_enabled: false,
  webhook_url: null,
  webhook_secret_sealed: null,
  events: Object.fromEntries(NOTIFICATION_EVENTS.map((event) => [event, true])) as Fields["events"],
};

/** Returns stored preferences over the defaults. Older records lack newer channels and events. */
function overDefaults(stored: Fields | undefined): Fields {
  return { ...UNSET, ...stored, events: { ...UNSET.events, ...stored?.events } };
}

function beginningOf(url: string | null): string | null {
  return url && `${new URL(url).origin}/${SECRET_MASK}`;
}

/** @throws ApiError 422 */
function requireSetUp(fields: Fields): Fields {
  const missing = (field: string) => invalid(["body", field], "Required for this channel", "missing");
  if (fields.slack_enabled && fields.slack_webhook_url_sealed === null) throw missing("slack_webhook_url");
  if (fields.webhook_enabled && fields.webhook_url === null) throw missing("webhook_url");
  if (fields.webhook_enabled && fields.webhook_secret_sealed === null) throw missing("webhook_secret");
  return fields;
}
