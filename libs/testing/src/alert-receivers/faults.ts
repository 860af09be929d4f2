import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

export type ReceiverKind = 'webhook' | 'slack' | 'discord' | 'teams' | 'google_chat' | 'telegram' | 'ntfy';
export type ReceivedAlert = { kind: ReceiverKind; at: Date; headers: IncomingHttpHeaders; body: string };

type Secrets = { webhookSecret: string; ntfyToken: string | null };
export type Fault = readonly [status: number, reason: string];

const maxAgeSeconds = 300;
const web = z.url({ protocol: /^https?$/ });
/** What the texts of any chat must not have: a mention by name. */
const mention = /@[\p{L}\p{N}_]/u;
/** Signs that turn the direction of a text, or that nobody sees; the one without width breaks mentions. */
const invisible = /(?!\n)\p{Cc}|[\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/u;

const text = (max: number, isWritten: (value: string) => boolean) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => !mention.test(value), 'mentions')
    .refine((value) => !invisible.test(value), 'has invisible signs')
    .refine(isWritten, 'is not escaped');

/** Without the one link, which Vigie writes at the end. */
const withoutAngleLink = (value: string) => value.replace(/<https?:\/\/[^\s<>|]+\|[^<>|]+>$/, '');
const withoutMarkdownLink = (value: string) => value.replace(/\[(?:\\.|[^[\]\\])+\]\(https?:\/\/[^\s()]+\)$/, '');
const hasMarkdown = (value: string) => /[*_~`|<[\]]/.test(value.replaceAll(/\\[^\p{L}\p{N}\s]/gu, ''));
const hasChatFormat = (value: string) => /[*~`[\]<>]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u.test(value);
const hasListOrTitle = (value: string) => /^(?:[#>+*-]|\d+[.)]) /m.test(value);
const linksBySelf = (value: string) => value.includes('://');
const isPlain = (value: string) => !hasListOrTitle(value) && !linksBySelf(value);

const isSlackText = (value: string) => {
  const rest = withoutAngleLink(value);
  return rest !== value && isPlain(rest) && !hasChatFormat(rest) && !/&(?!amp;|lt;|gt;)/.test(rest);
};
const isGoogleText = (value: string) => {
  const rest = withoutAngleLink(value);
  return rest !== value && isPlain(rest) && !hasChatFormat(rest);
};
const isDiscordText = (value: string) => {
  const rest = withoutMarkdownLink(value);
  return rest !== value && isPlain(rest) && !hasMarkdown(rest);
};
const isMarkdownText = (value: string) => isPlain(value) && !hasMarkdown(value);
const isTelegramText = (value: string) => !linksBySelf(value.replace(/https?:\/\/\S+$/, ''));

const TextBlock = z.strictObject({
  type: z.literal('TextBlock'),
  text: text(7_000, isMarkdownText),
  wrap: z.literal(true),
  weight: z.literal('Bolder').optional(),
  size: z.literal('Medium').optional(),
});
const AdaptiveCard = z.strictObject({
  type: z.literal('AdaptiveCard'),
  version: z.literal('1.4'),
  body: z.array(TextBlock).min(1),
  actions: z.tuple([z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string().min(1), url: web })]),
});

const bodies = {
  webhook: z.strictObject({
    id: z.uuid(),
    type: z.enum(['incident.opened', 'incident.reopened', 'incident.reminder', 'incident.resolved', 'test', 'digest']),
    created_at: z.iso.datetime(),
    data: z.strictObject({
      title: z.string(),
      lines: z.array(z.string()),
      severity: z.enum(['critical', 'warning', 'info']).nullable(),
      link: web,
      incident: z.object({ id: z.uuid() }).nullable(),
    }),
  }),
  slack: z.strictObject({ text: text(4_000, isSlackText) }),
  discord: z.strictObject({
    embeds: z.tuple([
      z.strictObject({
        title: text(256, isMarkdownText),
        description: text(4_096, isDiscordText),
        color: z.int().min(0).max(0xff_ff_ff),
        timestamp: z.iso.datetime(),
      }),
    ]),
    allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
  }),
  teams: z.strictObject({
    type: z.literal('message'),
    attachments: z.tuple([
      z.strictObject({ contentType: z.literal('application/vnd.microsoft.card.adaptive'), content: AdaptiveCard }),
    ]),
  }),
  google_chat: z.strictObject({ text: text(4_096, isGoogleText) }),
  telegram: z.strictObject({
    chat_id: z.string().regex(/^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/),
    text: text(4_096, isTelegramText),
    link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
  }),
};

/** Teams refuses a larger message. */
const maxBytes = 28_000;

/** What is wrong with a message, and the status that says so. */
export function alertFault(alert: ReceivedAlert, secrets: Secrets): Fault | undefined {
  const { kind, headers, body } = alert;
  if (kind === 'ntfy') return ntfyFault(alert, secrets);
  if (headers['content-type'] !== 'application/json') return [415, 'not application/json'];
  if (kind === 'teams' && Buffer.byteLength(body) > maxBytes) return [413, 'too large'];
  const parsed = bodies[kind].safeParse(parseJson(body));
  if (!parsed.success) return [400, z.prettifyError(parsed.error)];
  return kind === 'webhook' ? signatureFault(alert, secrets) : undefined;
}

/** Verifies as Standard Webhooks says. */
function signatureFault({ at, headers, body }: ReceivedAlert, { webhookSecret }: Secrets): Fault | undefined {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (id !== Object(parseJson(body)).id) return [400, 'another webhook-id'];
  const age = at.getTime() / 1_000 - (/^\d{10}$/.test(String(timestamp)) ? Number(timestamp) : 0);
  if (Math.abs(age) > maxAgeSeconds) return [400, 'webhook-timestamp is too old or too new'];
  const [, encoded] = /^whsec_(.+)$/.exec(webhookSecret) ?? [];
  const key = encoded === undefined ? Buffer.from(webhookSecret, 'utf8') : Buffer.from(encoded, 'base64');
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(timestamp)}.${body}`)
    .digest('base64');
  return signature === `v1,${expected}` ? undefined : [400, 'wrong webhook-signature'];
}

const printable = z
  .string()
  .min(1)
  .max(2_000)
  .regex(/^[\x20-\x7e]+$/);
const NtfyHeaders = z.object({
  'content-type': z.literal('text/plain; charset=utf-8'),
  title: printable.refine(
    (value) => decodeWords(value).length <= 250 && !linksBySelf(decodeWords(value)),
    'is no title',
  ),
  priority: z.enum(['3', '4', '5']),
  tags: z.string().regex(/^[a-z_]+$/),
  click: web,
});

function ntfyFault({ headers, body }: ReceivedAlert, { ntfyToken }: Secrets): Fault | undefined {
  const expected = ntfyToken === null ? undefined : `Bearer ${ntfyToken}`;
  if (headers.authorization !== expected) return [401, 'unauthorized'];
  const parsed = NtfyHeaders.safeParse(headers);
  if (!parsed.success) return [400, z.prettifyError(parsed.error)];
  if (Buffer.byteLength(body) > 4_096) return [413, 'attachment too large'];
  const rest = body.replace(/https?:\/\/\S+$/, '');
  return linksBySelf(rest) || mention.test(rest) || invisible.test(rest)
    ? [400, 'mentions or links, or is invisible']
    : undefined;
}

/** Decodes the words of RFC 2047; spaces between two of them belong to neither. */
export const decodeWords = (value: string): string =>
  value
    .replaceAll(/\?= +=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?B\?([A-Za-z0-9+/=]{1,63})\?=/g, (_, word: string) => Buffer.from(word, 'base64').toString());

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
