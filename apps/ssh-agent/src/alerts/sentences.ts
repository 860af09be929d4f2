import {
  failureCode,
  failureSentence,
  isCertificateError,
  type OtherSide,
  startSentence,
} from '../site-checks/request-failures';
import type { CalledKind } from './receiver';

const sideNamed = (name: string): OtherSide => ({ name, of: `de ${name}` });

export const otherSides: Readonly<Record<CalledKind, OtherSide>> = {
  webhook: { name: 'le destinataire', of: 'du destinataire' },
  slack: sideNamed('Slack'),
  discord: sideNamed('Discord'),
  teams: sideNamed('Teams'),
  google_chat: sideNamed('Google Chat'),
  telegram: sideNamed('Telegram'),
  ntfy: sideNamed('ntfy'),
  heartbeat: { name: 'le service de surveillance', of: 'du service de surveillance' },
};

/** Says why there was no answer, and what to do where the address is at fault. */
export function noAnswerSentence(error: unknown, kind: CalledKind): string {
  const sentence = failureSentence(error, otherSides[kind]);
  if (isCertificateError(error)) return `${sentence} Faites-le remplacer, ou changez l’adresse du canal.`;
  if (failureCode(error) === 'ENOTFOUND') return `${sentence} Vérifiez l’adresse du canal.`;
  return sentence;
}

export const lateSentence = (kind: CalledKind, ms: number): string =>
  `${startSentence(otherSides[kind].name)} n’a pas répondu en ${(ms / 1_000).toLocaleString('fr-FR')}\u00a0s.`;

/** Says why the message was not taken, and what to do next. */
export const refusalSentence = (status: number, kind: CalledKind): string =>
  kind === 'heartbeat' ? callRefusal(status) : messageRefusal(status, kind);

const redirection = (name: string, http: string) =>
  `${name} redirige vers une autre adresse ${http}, et Vigie ne suit pas les redirections\u00a0: donnez l’adresse finale.`;

function messageRefusal(status: number, kind: CalledKind): string {
  const name = startSentence(otherSides[kind].name);
  const http = `(HTTP\u00a0${status})`;
  if (status >= 300 && status < 400) return redirection(name, http);
  if (status === 429) return `${name} reçoit trop de messages ${http} et demande d’attendre.`;
  if (status >= 500) return `${name} est en panne ${http}.`;
  if (status === 408 || status === 425) return `${name} n’a pas pris le message à temps ${http}.`;
  if (status === 401 || status === 403) return `${name} ${accessRefusal(status, kind)}`;
  if (status === 404 || status === 410) return `${name} ${absence(kind)}`;
  if (kind === 'telegram') return `Telegram refuse ce message ${http}. Vérifiez la conversation du canal.`;
  return `${name} refuse ce message ${http}. Vérifiez l’adresse du canal.`;
}

/** Why a sign of life was not taken. */
function callRefusal(status: number): string {
  const name = startSentence(otherSides.heartbeat.name);
  const http = `(HTTP\u00a0${status})`;
  if (status >= 300 && status < 400) return redirection(name, http);
  if (status === 429) return `${name} reçoit trop d’appels ${http}.`;
  if (status >= 500) return `${name} est en panne ${http}.`;
  if (status === 404 || status === 410) return `${name} n’attend rien à cette adresse ${http}\u00a0: corrigez-la.`;
  return `${name} refuse l’appel ${http}. Vérifiez l’adresse du canal.`;
}

function accessRefusal(status: number, kind: CalledKind): string {
  const http = `(HTTP\u00a0${status})`;
  if (kind === 'telegram') {
    return status === 401
      ? `refuse le jeton du robot ${http}\u00a0: saisissez-le de nouveau.`
      : `ne laisse pas ce robot écrire dans la conversation ${http}\u00a0: ajoutez-le à la conversation.`;
  }
  if (kind === 'ntfy') return `refuse le jeton ou le sujet ${http}\u00a0: vérifiez-les, et saisissez-les de nouveau.`;
  return `refuse l’adresse ou le secret ${http}\u00a0: vérifiez-les, et saisissez-les de nouveau.`;
}

function absence(kind: CalledKind): string {
  if (kind === 'webhook' || kind === 'ntfy') return 'n’attend rien à cette adresse\u00a0: corrigez-la.';
  if (kind === 'telegram') return 'ne connaît pas ce robot\u00a0: saisissez son jeton de nouveau.';
  return 'ne connaît plus ce webhook, qui y a été supprimé\u00a0: créez-en un autre, et donnez son adresse à ce canal.';
}
