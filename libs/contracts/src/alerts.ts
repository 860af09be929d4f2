/** What processes say to each other about messages of channels. */
import { z } from 'zod';
import { AlertKind, ChannelKind } from './channels';
import { contract } from './contract';
import { IncidentItem, Severity } from './incidents';
import { email, id, SealedText, timestamp } from './text';

/** A message in words, from which each kind of channel makes its own form. */
export const AlertMessage = z.object({
  kind: AlertKind,
  /** Null for a test and the summary of a day. */
  severity: Severity.nullable(),
  title: z.string(),
  /** Sentences; names in them come from sites and people. */
  lines: z.array(z.string()),
  /** A page of Vigie: opening it changes nothing. */
  link: z.string(),
  link_label: z.string(),
  at: timestamp,
  incident: IncidentItem.nullable(),
});
export type AlertMessage = z.infer<typeof AlertMessage>;

/** How an attempt ended. */
export const AlertAnswer = z.object({
  /** `retry`: another attempt may succeed. `refused`: none will. */
  outcome: z.enum(['sent', 'retry', 'refused']),
  status: z.int().nullable(),
  /** The beginning of the answer, on one line. */
  answer: z.string().nullable(),
  /** A sentence for people, null once it was sent. */
  error: z.string().nullable(),
  /** Seconds for which the other side wants nothing more. */
  retry_after: z.int().nullable(),
});
export type AlertAnswer = z.infer<typeof AlertAnswer>;

/** Sends a message to a channel other than mail. The agents alone reach outside addresses. */
export const sendAlert = contract('agent.alerts.send', {
  input: z.object({
    /** The same for each attempt, so that a receiver recognizes one that it has already. */
    message_id: id,
    channel_id: id,
    kind: ChannelKind,
    target: SealedText,
    allows_private: z.boolean(),
    message: AlertMessage,
  }),
  output: AlertAnswer,
  callers: ['sites-svc'],
  // The other side has 10 s.
  timeoutMs: 15_000,
});

/** Calls the address of a sign of life, by GET. */
export const beat = contract('agent.alerts.beat', {
  input: z.object({ channel_id: id, target: SealedText, allows_private: z.boolean() }),
  output: AlertAnswer.pick({ status: true, answer: true, error: true }),
  callers: ['sites-svc'],
  // The other side has 10 s.
  timeoutMs: 15_000,
});

const Recipients = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('administrators') }),
  z.object({ kind: z.literal('user'), user_id: id }),
  z.object({ kind: z.literal('addresses'), emails: z.array(email('Renseignez une adresse email.')) }),
]);

/**
 * Queues the mails of a delivery, once however often it is called, and answers how far they are. Refused with `conflict`
 * while no way to send mails is configured.
 */
export const mailAlert = contract('auth.alerts.mail', {
  input: z.object({
    delivery_id: id,
    to: Recipients,
    subject: z.string(),
    paragraphs: z.array(z.string()),
    action: z.object({ label: z.string(), link: z.string() }),
    after: z.string(),
  }),
  output: z.object({
    items: z.array(
      z.object({
        to: z.string(),
        state: z.enum(['queued', 'sent', 'failed']),
        attempts: z.int(),
        error: z.string().nullable(),
      }),
    ),
  }),
  callers: ['sites-svc'],
});
