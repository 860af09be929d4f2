import { randomBytes } from 'node:crypto';
import type { ChannelKind, ImportChannel } from '@vigie/contracts/channels';
import { missingTarget } from '@vigie/contracts/channels';
import { AppError } from '@vigie/contracts/errors';
import type { ChannelTarget } from './channel-target';

/** What the user gave. */
export type GivenTarget = Pick<ChannelTarget, 'url' | 'secret' | 'chat_id'>;

export const givenTarget = ({ secrets, chat_id: chatId }: ImportChannel): GivenTarget => ({
  url: secrets?.url ?? null,
  secret: secrets?.secret ?? null,
  chat_id: chatId ?? null,
});

const takesUrl = (kind: ChannelKind) => kind !== 'mail' && kind !== 'telegram';
const takesSecret = (kind: ChannelKind) => ['webhook', 'telegram', 'ntfy'].includes(kind);

const invalid = (sentence: string) => new AppError('invalid', sentence);

/** Refuses a seal for another channel, and what a channel of this kind does not have or cannot use. */
export function refuseGiven({ id, channel_id: channelId, kind }: ImportChannel, { url, secret }: GivenTarget): void {
  if ((id ?? channelId) !== channelId) throw invalid('Cette adresse et ce secret ont été donnés pour un autre canal.');
  if (url !== null && !takesUrl(kind)) throw invalid('Ce canal n’a pas d’adresse web\u00a0: laissez-la vide.');
  if (secret === null) return;
  if (!takesSecret(kind)) throw invalid('Ce canal n’a pas d’autre secret que son adresse\u00a0: laissez-le vide.');
  if (kind === 'telegram' && !/^\d{1,20}:[A-Za-z0-9_-]{20,200}$/.test(secret))
    throw invalid(
      'Ce n’est pas un jeton de robot Telegram\u00a0: copiez celui que BotFather a donné, comme 123456:ABC….',
    );
  if (kind === 'webhook' && !isUsableKey(secret))
    throw invalid('La suite de whsec_ n’est pas du base64\u00a0: copiez le secret entier, ou laissez-le vide.');
}

/** A secret that begins with `whsec_` is the base64 of its key, which must not be empty. */
const isUsableKey = (secret: string) =>
  !secret.startsWith('whsec_') || /^whsec_(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2,4}={0,2}$/.test(secret);

/** Whether the user gave all of a target anew, so that an unreadable one is of no further use. */
export function isGivenAnew(kind: ChannelKind, { url, secret, chat_id: chatId }: GivenTarget): boolean {
  if (kind === 'telegram') return secret !== null && chatId !== null;
  // An edit does not show a secret that it made, so that one of a webhook is given too.
  if (kind === 'webhook') return url !== null && secret !== null;
  return kind === 'mail' || url !== null;
}

/** Joins what the user gave to what the channel has. */
export function nextTarget(kind: ChannelKind, given: GivenTarget, current: ChannelTarget | undefined) {
  const { url, secret, chat_id: chatId } = joinTargets(given, current);
  const missing = missingTarget(kind, { url: url !== null, secret: secret !== null });
  if (missing) throw invalid(missing.sentence);
  if (kind === 'telegram' && chatId === null) throw invalid('Donnez la conversation Telegram où écrire.');
  refuseRedirection(kind, given, current);
  const madeSecret = kind === 'webhook' && secret === null ? makeSecret() : null;
  const chat = kind === 'telegram' ? chatId : null;
  const target: ChannelTarget = { kind, url, secret: secret ?? madeSecret, chat_id: chat };
  return { target, madeSecret };
}

const joinTargets = (given: GivenTarget, current: GivenTarget | undefined): GivenTarget => ({
  url: given.url ?? current?.url ?? null,
  secret: given.secret ?? current?.secret ?? null,
  chat_id: given.chat_id ?? current?.chat_id ?? null,
});

/** The token of ntfy is sent along, so it goes to no host that it was not given for. */
function refuseRedirection(kind: ChannelKind, given: GivenTarget, current: ChannelTarget | undefined): void {
  if (kind !== 'ntfy' || given.url === null || given.secret !== null) return;
  if (!current?.url || current.secret === null) return;
  if (new URL(given.url).origin === new URL(current.url).origin) return;
  throw invalid('Le jeton enregistré ne vaut que pour l’ancienne adresse\u00a0: saisissez-le de nouveau.');
}

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
