import type { ChannelHeartbeat, VigiePart } from '@vigie/contracts/channels';
import { durationWords } from '@vigie/contracts/incident-words';
import type { Tone } from '../../ui/Status';

const partWords: Readonly<Record<VigiePart, string>> = {
  gateway: 'aucune passerelle ne répond',
  'auth-svc': 'le service des comptes (auth-svc) ne répond pas',
  'dns-svc': 'le service DNS (dns-svc) ne répond pas',
  'ssh-agent': 'aucun agent ne répond',
  redis: 'Redis ne répond pas',
  visits: 'les visites des sites ont du retard',
};

const list = new Intl.ListFormat('fr-FR');
/** Three calls that were not made are no accident. */
const lateMs = 180_000;

type HeartbeatState = { tone: Tone; word: string; sentence?: string };

const since = (at: string, now: Date): string => `depuis ${durationWords(now.getTime() - Date.parse(at))}`;

/** "Pas d’appel : aucun agent ne répond depuis 3 min." */
const missingSentence = (missing: ChannelHeartbeat['missing'], now: Date): string =>
  `Pas d’appel\u00a0: ${list.format(missing.map(({ part, since: at }) => `${partWords[part]} ${since(at, now)}`))}.`;

/** How the calls of a channel that is not paused go. */
export function heartbeatState({ called_at: calledAt, error, missing }: ChannelHeartbeat, now: Date): HeartbeatState {
  if (missing.length > 0) return { tone: 'danger', word: 'Silence', sentence: missingSentence(missing, now) };
  if (calledAt === null) return { tone: 'info', word: 'Premier appel dans un instant' };
  if (error !== null) return { tone: 'danger', word: 'Échec', sentence: error };
  if (now.getTime() - Date.parse(calledAt) > lateMs)
    return { tone: 'warn', word: 'Silence', sentence: `Vigie n’a rien appelé ${since(calledAt, now)}.` };
  return { tone: 'ok', word: 'Accepté' };
}

/** A new channel is called within seconds. */
export const awaitsCall = ({ called_at: calledAt, missing }: ChannelHeartbeat): boolean =>
  calledAt === null && missing.length === 0;
