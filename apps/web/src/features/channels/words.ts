import type { AlertKind, Channel, ChannelKind, Delivery, DeliveryState } from '@vigie/contracts/channels';
import { durationWords, momentWords } from '@vigie/contracts/incident-words';
import type { Severity } from '@vigie/contracts/incidents';
import { plural } from '../../ui/plural';
import type { Tone } from '../../ui/Status';

export const kindNames: Readonly<Record<ChannelKind, string>> = {
  mail: 'Email',
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  google_chat: 'Google Chat',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  heartbeat: 'Signe de vie',
};

export const severityChoices: Readonly<Record<Severity | 'none', string>> = {
  critical: 'Incidents critiques seulement',
  warning: 'Incidents «\u00a0Attention\u00a0» et critiques',
  info: 'Tous les incidents',
  none: 'Aucun incident',
};

const list = new Intl.ListFormat('fr-FR');
const minuteMs = 60_000;

/** Admin mode also lists the channels of other people. */
export const isOwnChannel = ({ is_shared: isShared, owner_id: owner }: Channel, userId: string | undefined): boolean =>
  !isShared && (owner ?? userId) === userId;

/** Whom a mail goes to, the conversation, or the host. */
export function targetWords(channel: Channel, userId: string | undefined): string {
  const { kind, emails, is_shared: isShared, chat_id: chat, host } = channel;
  if (kind === 'telegram') return `conversation ${chat ?? ''}`;
  if (kind !== 'mail') return host ?? '';
  if (emails.length > 0) return list.format(emails);
  if (isShared) return 'tous les administrateurs';
  return isOwnChannel(channel, userId) ? 'votre adresse' : 'l’adresse de son propriétaire';
}

/** " (Clients et 1 autre groupe)": the reader may not know all groups of the channel, and reads their number then. */
function groupsWords(ids: readonly string[] | null, names: readonly string[]): string {
  if (ids === null || ids.length === 0) return '';
  const unnamed = ids.length - names.length;
  if (names.length === 0) return ` (${plural(unnamed, 'groupe', 'groupes')})`;
  return ` (${list.format([...names, ...(unnamed > 0 ? [plural(unnamed, 'autre groupe', 'autres groupes')] : [])])})`;
}

/** Which incidents are sent, of which groups, and when. */
function incidentsWords(channel: Channel, groups: readonly string[]): string {
  const { min_severity: severity, group_ids: ids, delay_minutes: minutes } = channel;
  if (severity === null) return severityChoices.none;
  const delay = minutes === 0 ? '' : `, si personne ne s’en charge en ${durationWords(minutes * minuteMs)}`;
  return `${severityChoices[severity]}${groupsWords(ids, groups)}${delay}`;
}

/** "Tous les incidents · Heures calmes de 22:00 à 07:00 · Bulletin du jour à 08:00". */
export function rulesWords(channel: Channel, groups: readonly string[]): string {
  const { kind, quiet_from: from, quiet_to: to, digest_at: digestAt } = channel;
  if (kind === 'heartbeat') return 'Un appel chaque minute, tant que tout fonctionne';
  return [
    incidentsWords(channel, groups),
    from !== null && to !== null && `Heures calmes de ${from} à ${to}`,
    digestAt !== null && `Bulletin du jour à ${digestAt}`,
  ]
    .filter((part) => part !== false)
    .join(' · ');
}

/** All groups of the channel were deleted. */
export const hasNoGroup = ({ group_ids: ids, min_severity: severity }: Channel): boolean =>
  severity !== null && ids !== null && ids.length === 0;

export const stateWords: Readonly<Record<DeliveryState, { tone: Tone; word: string }>> = {
  queued: { tone: 'info', word: 'En attente' },
  sent: { tone: 'ok', word: 'Envoyé' },
  failed: { tone: 'danger', word: 'Échec' },
  cancelled: { tone: 'neutral', word: 'Sans objet' },
};

export const alertKinds: Readonly<Record<AlertKind, string>> = {
  opened: 'Ouverture',
  reopened: 'Réouverture',
  reminder: 'Rappel',
  resolved: 'Fin',
  test: 'Test',
  digest: 'Bulletin',
};

/** "2 tentatives, nouvel essai le 3 mars à 14:05". A mail, or a message that is just being sent, has no next time. */
export const attemptsWords = ({ attempts, next_at: nextAt }: Pick<Delivery, 'attempts' | 'next_at'>): string =>
  [
    attempts > 1 && plural(attempts, 'tentative', 'tentatives'),
    nextAt !== null && `${attempts > 0 ? 'nouvel essai' : 'part'} le ${momentWords(nextAt)}`,
  ]
    .filter((part) => part !== false)
    .join(', ');

type Outcome = { tone: 'ok' | 'info' | 'danger'; sentence: string };
type Attempt = Pick<Delivery, 'state' | 'error'>;
type Test = Attempt & Pick<Delivery, 'channel' | 'status' | 'answer'>;

const withReason = (sentence: string, error: string | null) => (error === null ? sentence : `${sentence} ${error}`);

/** "Signe de vie accepté (HTTP 200) : OK". */
function callOutcome({ state, error, status, answer }: Test): Outcome {
  const said = answer === null ? '' : `\u00a0: ${answer}`;
  if (state === 'sent')
    return { tone: 'ok', sentence: `Signe de vie accepté (HTTP\u00a0${status ?? 200})${said || '.'}` };
  const sentence = error ?? 'L’appel a échoué.';
  return { tone: 'danger', sentence: answer === null ? sentence : `${sentence} Réponse${said}` };
}

/** How a test ended. */
export function testOutcome(test: Test): Outcome {
  const { state, error, channel } = test;
  if (channel.kind === 'heartbeat') return callOutcome(test);
  if (state === 'sent') return { tone: 'ok', sentence: 'Message de test envoyé.' };
  if (state === 'queued')
    return {
      tone: 'info',
      sentence: withReason('Le message de test n’est pas encore arrivé\u00a0: Vigie réessaie.', error),
    };
  return { tone: 'danger', sentence: error ?? 'Le message de test n’est pas parti.' };
}

/** What became of a message that somebody sent again. */
export function resendOutcome({ state, error }: Attempt): Outcome {
  if (state === 'sent') return { tone: 'ok', sentence: 'Message renvoyé.' };
  if (state === 'queued') return { tone: 'ok', sentence: 'Le message repart.' };
  return { tone: 'danger', sentence: error ?? 'Le message n’est pas reparti.' };
}
