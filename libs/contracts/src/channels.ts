import { z } from 'zod';
import { contract, forwarding } from './contract';
import { Severity } from './incidents';
import { email, id, offset, oneOf, requiredLine, SealedText, timestamp } from './text';
import { timeOfDay, timeZone } from './times-of-day';

/**
 * The last one takes no messages: Vigie calls its address each minute while all of its parts live, so that somebody else
 * notices when they do not.
 */
export const ChannelKind = z.enum([
  'mail',
  'webhook',
  'slack',
  'discord',
  'teams',
  'google_chat',
  'telegram',
  'ntfy',
  'heartbeat',
]);
export type ChannelKind = z.infer<typeof ChannelKind>;

/** What a message says: that an incident opened, opens again, still lasts, or ended; a test; the summary of a day. */
export const AlertKind = z.enum(['opened', 'reopened', 'reminder', 'resolved', 'test', 'digest']);
export type AlertKind = z.infer<typeof AlertKind>;

const maxEmails = 20;
const invalidUrl = 'Donnez une adresse complète, qui commence par http:// ou https://.';

const url = z
  .string()
  .max(2_048, 'Cette adresse ne peut pas dépasser 2048 caractères.')
  .transform((value) => value.trim())
  .refine((value) => value === '' || isAddress(value), invalidUrl);

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** An empty field is one that was left out. */
const optional = (schema: z.ZodType<string, string>) => schema.nullish().transform((value) => value || undefined);

const secret = z
  .string()
  .max(256, 'Ce secret ne peut pas dépasser 256 caractères.')
  .transform((value) => value.trim())
  .refine((value) => /^[\x21-\x7e]*$/.test(value), 'Ce secret contient un caractère qu’un secret n’a pas.');

/** What decides which messages go through the channel, and when. */
const rules = {
  name: requiredLine('Donnez un nom à ce canal.', 100),
  is_enabled: z.boolean(),
  /** The least severity of an incident; null for no incident at all, only the daily summary or a sign of life. */
  min_severity: oneOf(Severity.options).nullable(),
  /** Only incidents that touch a site of these groups or below; null for all. */
  group_ids: z
    .array(id)
    .min(1, 'Choisissez au moins un groupe, ou tous les sites.')
    .max(100, 'Choisissez 100 groupes au plus.')
    .nullable(),
  /** Between these times of day only critical incidents are sent; the others wait. */
  quiet_from: timeOfDay.nullable(),
  quiet_to: timeOfDay.nullable(),
  time_zone: timeZone,
  /** An incident is sent only if nobody has taken charge of it after so many minutes. */
  delay_minutes: z.int().min(0).max(1_440, 'Attendez 1440 minutes au plus, soit un jour.'),
  /** When the summary of the day is sent, by mail only; null for none. */
  digest_at: timeOfDay.nullable(),
  /** Other recipients of mails; without any, all administrators, or the person whose channel it is. */
  emails: z.array(email('Renseignez une adresse email.')).max(maxEmails, `Donnez ${maxEmails} adresses au plus.`),
  /** The conversation at Telegram: a number, or the name of a public one. */
  chat_id: z
    .string()
    .transform((value) => value.trim())
    .refine(
      (value) => /^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/.test(value),
      'Donnez un nombre comme -1001234567890, ou un nom comme @ma_chaine.',
    )
    .nullable(),
};
const Rules = z.object(rules);
export type ChannelRules = z.output<typeof Rules>;

const defaults = {
  is_enabled: rules.is_enabled.default(true),
  min_severity: rules.min_severity.default('warning'),
  group_ids: rules.group_ids.default(null),
  quiet_from: rules.quiet_from.default(null),
  quiet_to: rules.quiet_to.default(null),
  time_zone: rules.time_zone.default('Europe/Paris'),
  delay_minutes: rules.delay_minutes.default(0),
  digest_at: rules.digest_at.default(null),
  emails: rules.emails.default([]),
  chat_id: rules.chat_id.default(null),
};

type Refusal = { field: keyof ChannelRules | 'url' | 'secret'; sentence: string };
type Checked = Pick<
  ChannelRules,
  'quiet_from' | 'quiet_to' | 'digest_at' | 'min_severity' | 'emails' | 'chat_id' | 'group_ids' | 'delay_minutes'
>;

/** What is wrong with fields that are right one by one. */
export const channelRefusal = (kind: ChannelKind, fields: Checked): Refusal | undefined =>
  quietRefusal(fields) ??
  (kind === 'heartbeat' ? heartbeatRefusal(fields) : undefined) ??
  kindRefusal(kind, fields) ??
  chatRefusal(kind, fields);

function quietRefusal({ quiet_from: from, quiet_to: to }: Checked): Refusal | undefined {
  if ((from === null) !== (to === null))
    return { field: 'quiet_to', sentence: 'Donnez le début et la fin des heures calmes, ou aucun des deux.' };
  if (from !== null && from === to)
    return { field: 'quiet_to', sentence: 'Les heures calmes ne peuvent pas finir quand elles commencent.' };
  return undefined;
}

/** A sign of life tells of nothing, and a pause in it would be an alarm. */
function heartbeatRefusal(fields: Checked): Refusal | undefined {
  if (fields.min_severity !== null)
    return { field: 'min_severity', sentence: 'Un signe de vie n’annonce aucun incident.' };
  if (fields.group_ids !== null) return { field: 'group_ids', sentence: 'Un signe de vie ne dépend d’aucun groupe.' };
  if (fields.quiet_from !== null)
    return { field: 'quiet_to', sentence: 'Un signe de vie part à toute heure\u00a0: il n’a pas d’heures calmes.' };
  if (fields.delay_minutes !== 0)
    return { field: 'delay_minutes', sentence: 'Un signe de vie part chaque minute, sans attendre.' };
  return undefined;
}

function kindRefusal(kind: ChannelKind, fields: Checked): Refusal | undefined {
  const { digest_at: digestAt } = fields;
  if (kind !== 'mail' && digestAt !== null)
    return { field: 'digest_at', sentence: 'Le bulletin du jour ne part que par email.' };
  if (kind !== 'mail' && fields.emails.length > 0)
    return { field: 'emails', sentence: 'Seul un canal par email a des adresses.' };
  if (kind !== 'heartbeat' && fields.min_severity === null && digestAt === null)
    return { field: 'min_severity', sentence: 'Choisissez des incidents, ou le bulletin du jour.' };
  return undefined;
}

function chatRefusal(kind: ChannelKind, { chat_id: chatId }: Checked): Refusal | undefined {
  if (kind !== 'telegram' && chatId !== null)
    return { field: 'chat_id', sentence: 'Seul un canal Telegram a une conversation.' };
  if (kind === 'telegram' && chatId === null)
    return { field: 'chat_id', sentence: 'Donnez la conversation Telegram où écrire.' };
  return undefined;
}

/** Which secrets a new channel of a kind needs. */
export function missingTarget(kind: ChannelKind, has: { url: boolean; secret: boolean }): Refusal | undefined {
  if (kind === 'telegram')
    return has.secret ? undefined : { field: 'secret', sentence: 'Donnez le jeton du robot Telegram.' };
  if (kind === 'mail' || has.url) return undefined;
  if (kind === 'heartbeat') return { field: 'url', sentence: 'Donnez l’adresse à appeler chaque minute.' };
  return { field: 'url', sentence: 'Donnez l’adresse à laquelle envoyer les messages.' };
}

const ChannelForm = z.object({ kind: oneOf(ChannelKind.options), ...rules, ...defaults });

/** What opens the way to the receiver: sealed as one value, so that no part of it can be joined to another one's. */
const Secrets = z.object({ url: optional(url), secret: optional(secret) });
const sealable = <F extends z.output<typeof Secrets>>({ url: address, secret: key, ...form }: F) => ({
  ...form,
  ...((address !== undefined || key !== undefined) && { secrets: { url: address, secret: key } }),
});

/** `url` and `secret` are kept sealed: no answer shows them again. */
export const CreateChannel = ChannelForm.extend(Secrets.shape)
  .superRefine((form, context) => {
    const has = { url: form.url !== undefined, secret: form.secret !== undefined };
    const refusal = channelRefusal(form.kind, form) ?? missingTarget(form.kind, has);
    if (refusal) context.addIssue({ code: 'custom', path: [refusal.field], message: refusal.sentence });
  })
  .transform(sealable);
export type CreateChannel = z.input<typeof CreateChannel>;
const ReceivedChannel = ChannelForm.extend({ secrets: SealedText.optional() });
export type ReceivedChannel = z.output<typeof ReceivedChannel>;

/** An absent field stays as it is, as does an empty `url` or `secret`. */
export const ChannelChanges = Rules.partial().extend(Secrets.shape);
const EditChannel = ChannelChanges.extend({ id }).transform(sealable);
export type EditChannel = z.input<typeof EditChannel>;
const ReceivedChannelChanges = Rules.partial().extend({ id, secrets: SealedText.optional() });
export type ReceivedChannelChanges = z.output<typeof ReceivedChannelChanges>;

export const DeliveryState = z.enum(['queued', 'sent', 'failed', 'cancelled']);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** What must live for Vigie to call. PostgreSQL is not named: without it nobody could say so. */
export const VigiePart = z.enum(['gateway', 'auth-svc', 'dns-svc', 'ssh-agent', 'redis', 'visits']);
export type VigiePart = z.infer<typeof VigiePart>;

/** How the calls of a sign of life go. */
export const ChannelHeartbeat = z.object({
  called_at: timestamp.nullable(),
  /** When the other side last took a call. */
  accepted_at: timestamp.nullable(),
  /** The HTTP status of the last call; null without an answer. */
  status: z.int().nullable(),
  /** Why the last call was not taken, null once one is. */
  error: z.string().nullable(),
  /** The parts that do not live, and since when: nothing is called meanwhile, since the silence is the alarm. */
  missing: z.array(z.object({ part: VigiePart, since: timestamp })),
});
export type ChannelHeartbeat = z.infer<typeof ChannelHeartbeat>;

export const Channel = z.object({
  id,
  /** Sent in admin mode; null for a channel of the installation, which all administrators share. */
  owner_id: id.nullish(),
  kind: ChannelKind,
  /** Of the installation: it tells of everything. Others tell of what their owner reaches. */
  is_shared: z.boolean(),
  /** The host that messages go to; null for mail. */
  host: z.string().nullable(),
  has_secret: z.boolean(),
  name: z.string(),
  is_enabled: z.boolean(),
  min_severity: Severity.nullable(),
  /** Empty once all of its groups were deleted: it then tells of no incident. */
  group_ids: z.array(id).nullable(),
  quiet_from: z.string().nullable(),
  quiet_to: z.string().nullable(),
  time_zone: z.string(),
  delay_minutes: z.int(),
  digest_at: z.string().nullable(),
  emails: z.array(z.string()),
  chat_id: z.string().nullable(),
  /** The last message that was sent, given up, or not taken so far. */
  last_delivery: z.object({ id, state: DeliveryState, at: timestamp, error: z.string().nullable() }).nullable(),
  /** Only of a sign of life, which has no messages. */
  heartbeat: ChannelHeartbeat.optional(),
  created_at: timestamp,
});
export type Channel = z.infer<typeof Channel>;

export const Delivery = z.object({
  id,
  channel: z.object({ id, kind: ChannelKind, name: z.string() }),
  kind: AlertKind,
  title: z.string(),
  incident_id: id.nullable(),
  /** `cancelled`: it had become useless before it left. */
  state: DeliveryState,
  attempts: z.int(),
  /** The HTTP status and the beginning of what the other side answered. */
  status: z.int().nullable(),
  answer: z.string().nullable(),
  error: z.string().nullable(),
  created_at: timestamp,
  /** The next attempt, while it waits for one; unknown of mails. */
  next_at: timestamp.nullable(),
  sent_at: timestamp.nullable(),
  /** The delivery that somebody sent again by this one. */
  resent_from: id.nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

/** Checks where a channel sends, and seals it for its row, so that sites-svc can neither read nor redirect it. */
export const importChannel = contract('agent.channels.import', {
  input: z.object({
    secrets: Secrets.optional(),
    /** As the user sent it: the seal is bound to it. */
    id: id.nullish(),
    channel_id: id,
    kind: ChannelKind,
    chat_id: z.string().nullish(),
    /** The sealed target that an edit changes, or that a rotation of keys seals again. */
    current: SealedText.nullish(),
  }),
  output: z.object({
    target: SealedText,
    host: z.string().nullable(),
    has_secret: z.boolean(),
    /** The secret that was made for a webhook without one. */
    made_secret: z.string().nullable(),
    /** Equal for equal secrets, and useless without the agents' keys. */
    digest: z.string(),
  }),
  callers: ['sites-svc'],
  sealed: { reader: 'ssh-agent', fields: ['secrets'], boundTo: ['id'] },
  sealedAnswer: ['made_secret'],
});
export type ImportChannel = z.output<(typeof importChannel)['input']>;

/** Lists the channels of the caller; to administrators also those of the installation. */
export const listChannels = contract('sites.channels.list', {
  http: 'GET /api/channels',
  access: 'user',
  scope: 'read',
  reads: ['channels'],
  input: z.object({}),
  output: z.object({ items: z.array(Channel), total: z.int() }),
});

export const createChannel = forwarding('sites.channels.create', {
  http: 'POST /api/channels',
  access: 'user',
  status: 201,
  changes: ['channels'],
  input: CreateChannel,
  received: ReceivedChannel,
  /** `secret` is the one that Vigie made for a webhook, shown this once. */
  output: Channel.extend({ secret: z.string().nullable() }),
  sealedAnswer: ['secret'],
  forwardsTo: importChannel,
});

export const editChannel = forwarding('sites.channels.edit', {
  http: 'PUT /api/channels/:id',
  access: 'user',
  changes: ['channels', 'deliveries'],
  input: EditChannel,
  received: ReceivedChannelChanges,
  output: Channel,
  forwardsTo: importChannel,
});

export const deleteChannel = contract('sites.channels.delete', {
  http: 'DELETE /api/channels/:id',
  access: 'user',
  changes: ['channels', 'deliveries'],
  input: z.object({ id }),
  output: z.object({}),
});

/** Sends a test message at once, and answers how that ended. The test of a sign of life is a call, and is not listed. */
export const testChannel = contract('sites.channels.test', {
  http: 'POST /api/channels/:id/test',
  access: 'user',
  changes: ['channels', 'deliveries'],
  input: z.object({ id }),
  output: Delivery,
  // The other side may take 10 s, a mail provider two of them.
  timeoutMs: 25_000,
});

/** Lists messages, the newest first. */
export const listDeliveries = contract('sites.deliveries.list', {
  http: 'GET /api/deliveries',
  access: 'user',
  scope: 'read',
  reads: ['deliveries'],
  input: z.object({
    channel_id: id.optional(),
    incident_id: id.optional(),
    state: oneOf(DeliveryState.options).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
    offset,
  }),
  output: z.object({ items: z.array(Delivery), total: z.int() }),
});

/** Sends the same message again, as a delivery of its own. */
export const resendDelivery = contract('sites.deliveries.resend', {
  http: 'POST /api/deliveries/:id/resend',
  access: 'user',
  changes: ['deliveries', 'channels'],
  input: z.object({ id }),
  output: Delivery,
});
